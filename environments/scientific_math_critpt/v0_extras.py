"""Rewards beside correctness under verifiers up to 0.3; what they are and mean stands in `extras.py`.

There, the weights of a rollout's bonuses shrink until all keep to the cap. Here a reward's weight is the same
for all rollouts, so what is above the cap is taken off again, by `over_cap` with its weight of -1.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scientific_math_critpt.jury import cost_of, settled, shared_jury, told
from scientific_math_critpt.references import solutions_of
from scientific_math_critpt_env.judging import correctness_question, novelty_question
from scientific_math_critpt_env.novelty import measure_group
from scientific_math_critpt_env.problems.schema import Problem

RewardFunc = Callable[..., Coroutine[Any, Any, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Which extras there are, and what they weigh. Raises ValueError; `JudgingError` for the jury's file."""

    jury: Path | None
    judge_weight: float
    judge_novelty_weight: float
    novelty_weight: float
    cap: float

    def __post_init__(self) -> None:
        if self.jury is None and (self.judge_weight or self.judge_novelty_weight):
            raise ValueError("judge_weight and judge_novelty_weight need a `jury`")
        if min(self.judge_weight, self.judge_novelty_weight, self.novelty_weight, self.cap) < 0:
            raise ValueError("weights and the cap of extras cannot be negative")
        if self.jury is not None:
            shared_jury(self.jury)

    @property
    def rewards(self) -> list[tuple[RewardFunc, float]]:
        """The reward functions with their weights; they read `info["extras"]`, which `record` writes."""
        weights = {
            **({"judge": self.judge_weight, "judge_novelty": self.judge_novelty_weight} if self.jury else {}),
            **({"novelty": self.novelty_weight} if self.novelty_weight else {}),
        }

        async def over_cap(info: dict[str, Any]) -> float:
            earned = sum(weight * info["extras"][name] for name, weight in weights.items())
            return max(0.0, earned - self.cap)

        if not weights:
            return []
        return [*((_read(name), weight) for name, weight in weights.items()), (over_cap, -1.0)]

    async def record(
        self, info: dict[str, Any], problem: Problem, solution: str, *, answer: str, author: str
    ) -> None:
        """Fill `info["extras"]`, and `info["judges"]` with the ballots, for a rollout that was graded.

        The jury reads the `solution`; novelty is measured of the `answer`, which holds the graded code.
        Raises `InfrastructureError` where a jury that was asked could not be had.
        """
        correct, references = float(info["verdict"]["score"]), solutions_of(problem)
        info["extras"] = dict.fromkeys(("judge", "judge_novelty", "novelty", "judge_cost"), 0.0)
        if not correct:
            return
        if self.jury is not None:
            shown = references or [f"Final answer: {problem.final_answer or problem.answer_fn}"]
            questions = {"judge": correctness_question(problem.prompt, shown, solution)}
            if references:
                questions["judge_novelty"] = novelty_question(problem.prompt, references, solution)
            for name, question in questions.items():
                ballot = await shared_jury(self.jury).ask(question, author=author)
                info.setdefault("judges", {})[name] = told(ballot)
                info["extras"]["judge_cost"] += cost_of(ballot)
                info["extras"][name] = correct * settled(ballot, name)
                if not info["extras"]["judge"]:
                    break  # a derivation that is not sound is not asked whether it is new
        if self.novelty_weight and references:
            # In a thread, because long solutions take a while to compare.
            (found,) = await asyncio.to_thread(
                measure_group, [answer], references, entry_point=problem.entry_point
            )
            info["extras"]["novelty"] = correct * found.score


def _read(name: str) -> RewardFunc:
    async def read(info: dict[str, Any]) -> float:
        return float(info["extras"][name])

    read.__name__ = name
    return read
