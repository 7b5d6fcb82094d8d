"""Rewards beside correctness, all off by default: `--env.taskset.task.extras.*`.

    judge          the jury finds the whole solution sound, not just its result
    judge_novelty  the jury finds it sound, and new beside the solutions that the row gives
    novelty        judge-free: its distance to the nearest of these, 0 for a known approach

Only right answers are looked at, and all of it comes to at most `cap`. Rows give reference solutions in a
field `solutions`, a list of texts or CreativeMath's object {"1": text, ...}; rows without it have no
novelty. Novelty among the attempts at one problem is the environment `scientific-math-attempts`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import verifiers.v1 as vf
from pydantic import Field, model_validator

from scientific_math_critpt.bonus import CAP, limit_bonus
from scientific_math_critpt.references import solutions_of

if TYPE_CHECKING:
    from scientific_math_critpt_env.judging import Question
    from scientific_math_critpt_env.problems.schema import Problem


class ExtrasConfig(vf.BaseConfig):
    jury: Path | None = None
    """File with the jury (see docs/judging.md); None asks nobody."""
    judge_weight: float = Field(0.0, ge=0)
    """Weight of the reward `judge`."""
    judge_novelty_weight: float = Field(0.0, ge=0)
    """Weight of the reward `judge_novelty`."""
    novelty: bool = False
    """Measure novelty without a judge; `novelty_weight` makes it count."""
    novelty_weight: float = Field(0.0, ge=0)
    """Weight of the reward `novelty`."""
    cap: float = Field(CAP, ge=0, le=1)
    """Most that the bonuses of one rollout add to its reward, together."""

    @model_validator(mode="after")
    def _weights_have_something_to_weigh(self) -> ExtrasConfig:
        if self.jury is None and (self.judge_weight or self.judge_novelty_weight):
            raise ValueError("judge_weight and judge_novelty_weight need a `jury`")
        return self

    @property
    def on(self) -> bool:
        """Whether there is anything to do after a rollout was graded."""
        return self.jury is not None or self.novelty or self.novelty_weight > 0


def check_jury(file: Path | None) -> None:
    """Read the file of a jury before a model is asked. Raises `JudgingError`; None is no jury and no work."""
    if file is not None:
        from scientific_math_critpt.jury import shared_jury

        shared_jury(file)


async def record_extras(
    trace: vf.Trace, config: ExtrasConfig, problem: Problem, *, solution: str, answer: str, correct: float
) -> None:
    """Record the rewards that are on, and what the jury said in `trace.info["judges"]`.

    The jury reads the `solution`; novelty is measured of the `answer`, which holds the code that was graded.
    Raises `InfrastructureError` where a jury that was asked could not be had.
    """
    weights = {
        "judge": config.judge_weight,
        "judge_novelty": config.judge_novelty_weight,
        "novelty": config.novelty_weight,
    }
    scores = await _judged(trace, config, problem, solution, correct)
    if config.novelty or config.novelty_weight:
        # In a thread, so that reading odd code for a moment stalls no other rollout.
        scores |= await asyncio.to_thread(_measured, problem, answer, correct)
    for name, score in scores.items():
        trace.record_reward(name, correct * score, weight=weights[name])
    limit_bonus(trace, config.cap)


async def _judged(
    trace: vf.Trace, config: ExtrasConfig, problem: Problem, solution: str, correct: float
) -> dict[str, float]:
    if config.jury is None:
        return {}
    from scientific_math_critpt_env.judging import correctness_question, novelty_question

    references = solutions_of(problem)
    shown = references or [f"Final answer: {problem.final_answer or problem.answer_fn}"]
    questions = {"judge": correctness_question(problem.prompt, shown, solution)}
    if references:
        questions["judge_novelty"] = novelty_question(problem.prompt, references, solution)
    scores = dict.fromkeys(questions, 0.0)
    for name, question in questions.items():
        # A wrong answer is not judged, and a derivation that is not sound is not asked whether it is new.
        if not correct or (name == "judge_novelty" and not scores["judge"]):
            break
        scores[name] = await _asked(trace, config.jury, name, question)
    return scores


async def _asked(trace: vf.Trace, file: Path, name: str, question: Question) -> float:
    from scientific_math_critpt.jury import cost_of, settled, shared_jury, told

    author = next((call.model for call in trace.calls if call.model), None)
    ballot = await shared_jury(file).ask(question, author=author)
    trace.info.setdefault("judges", {})[name] = told(ballot)
    trace.record_metric("judge_cost", (trace.metrics.get("judge_cost") or 0.0) + cost_of(ballot))
    return float(settled(ballot, name))


def _measured(problem: Problem, answer: str, correct: float) -> dict[str, float]:
    references = solutions_of(problem)
    if not references:
        return {}
    from scientific_math_critpt_env.novelty import measure_group

    (found,) = measure_group([answer], references, correct=[bool(correct)], entry_point=problem.entry_point)
    return {"novelty": found.score}
