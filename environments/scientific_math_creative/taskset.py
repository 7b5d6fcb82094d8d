"""Problems with reference solutions as verifiers tasks, and the staged rewards.

A rollout goes through the stages once; what was said stays in `trace.info["stages"]`. Nothing but the trace
is needed, so the stages can be asked again, and with a jury that keeps its replies that costs nothing.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import verifiers.v1 as vf
from pydantic import Field, model_validator
from scientific_math_critpt.bonus import CAP, limit_bonus
from scientific_math_critpt.jury import shared_jury

from scientific_math_creative.staging import FineRule, Graded, Staged, staged
from scientific_math_critpt_env.creative.dataset import CreativeProblem, load_dataset
from scientific_math_critpt_env.creative.grading import AnswerGrader
from scientific_math_critpt_env.creative.prompting import generation_messages
from scientific_math_critpt_env.creative.samples import SamplePlace
from scientific_math_critpt_env.creative.stages import StageRules
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.judging.checks import refuse_hopeless
from scientific_math_critpt_env.problems.schema import Problem

BUILTIN = Path(__file__).with_name("problems.json")

BOXED = r"""

End with the final answer in \boxed{}, written with the letters of the problem."""


class CreativeTaskConfig(vf.TaskConfig):
    """How solutions are judged and what that earns: `--env.taskset.task.*`."""

    jury: Path | None = None
    """File with the jury (docs/judging.md); needed to run."""
    correctness_rule: str = "unanimous"
    novelty_rule: str = "majority"
    fine_rule: FineRule = "repository"
    """Fine-grained novelty where all references were shown (k = n): never, or as the stage before it."""
    graded: Graded = "off"
    """Ask for a boxed final answer where the problem has a gold, and let the grader decide it. "answer": that
    is correctness, and the jury is asked only where the grader cannot decide. "answer_and_jury": a wrong
    answer is wrong without asking; the derivation of a right one is still the jury's to judge."""
    transitions: bool = False
    """Show the jury sentences in which a solution compares itself with the given ones."""
    seed: int = 0
    """Of the order in which references are shown to the jury."""
    correct_weight: float = Field(1.0, ge=0)
    """Weight of the reward `correct`."""
    coarse_weight: float = Field(0.0, ge=0)
    """Weight of the reward `coarse_novelty`: new beside the references that were shown."""
    fine_weight: float = Field(0.0, ge=0)
    """Weight of the reward `fine_novelty`: new beside those that were not shown."""
    cap: float = Field(CAP, ge=0, le=1)
    """Most that the rewards of novelty add to one rollout's, together."""

    @model_validator(mode="after")
    def _novelty_needs_a_derivation(self) -> CreativeTaskConfig:
        if self.graded == "answer" and (self.coarse_weight or self.fine_weight):
            raise ValueError(
                "graded answer does not look at derivations, and novelty would reward made-up ones; "
                "use graded answer_and_jury, or leave coarse_weight and fine_weight 0"
            )
        return self


class CreativeData(vf.TaskData):
    problem: str
    solutions: list[str]
    """All n references."""
    k: int
    """How many of them the prompt shows."""
    index: int
    """Of the problem in its file."""
    checkable: Problem | None = None
    """The problem with its gold, where it has one."""


class CreativeTask(vf.Task[CreativeData, vf.State, CreativeTaskConfig]):
    @property
    def key(self) -> str:
        """The problem's index and k."""
        return self.data.id or self.hash

    @property
    def references(self) -> list[str]:
        """Solutions that are known, to whoever was asked: the group's novelty is measured beside them."""
        return self.data.solutions

    async def score(self, trace: vf.Trace, runtime: vf.Runtime | None = None) -> None:
        """Ask the jury, then record rewards and metrics.

        Raises `InfrastructureError` where the jury could not be had: such a rollout is an error, never a 0.
        """
        if self.scoring_deferred:
            return
        found = await self._staged(trace)
        trace.info["stages"] = found.told
        await super().score(trace, runtime)
        correct, coarse, fine = (float(passed) for passed in found.passed.values())
        trace.record_reward("correct", correct, weight=self.config.correct_weight)
        trace.record_reward("coarse_novelty", correct * coarse, weight=self.config.coarse_weight)
        trace.record_reward("fine_novelty", correct * coarse * fine, weight=self.config.fine_weight)
        limit_bonus(trace, self.config.cap)
        trace.record_metric("judge_cost", found.cost)
        trace.record_metric("abstained", float(found.abstained))

    @vf.metric
    async def truncated(self, trace: vf.Trace) -> float:
        return float(any(call.finish_reason == "length" for call in trace.calls))

    async def _staged(self, trace: vf.Trace) -> Staged:
        config, data = self.config, self.data
        assert config.jury is not None, "the taskset refuses to load without a jury"
        return await staged(
            shared_jury(config.jury),
            CreativeProblem(data.index, data.problem, tuple(data.solutions), checkable=data.checkable),
            SamplePlace(data.index, data.k, len(data.solutions)),
            trace.last_reply,
            rules=StageRules(
                correctness=config.correctness_rule, novelty=config.novelty_rule, seed=config.seed
            ),
            fine_rule=config.fine_rule,
            transitions=config.transitions,
            grader=_answer_grader() if config.graded != "off" else None,
            graded=config.graded,
            author=next((call.model for call in trace.calls if call.model), None),
        )


class CreativeTasksetConfig(vf.TasksetConfig):
    task: CreativeTaskConfig = CreativeTaskConfig()
    problems: str = "builtin"
    """The problems: "builtin", or a JSON file in CreativeMath's format."""
    shown: Literal["each", "all", "one"] = "each"
    """References in the prompt: a task for each k = 1..n as in CreativeMath, or only k = n, or only k = 1."""


class CreativeTaskset(vf.Taskset[CreativeTask, CreativeTasksetConfig]):
    def load(self) -> Iterator[CreativeTask]:
        """Problems in file order, k rising. Exits with one line where the file or the jury is defective."""
        try:
            problems = load_dataset(self._path()).problems
            if self.config.task.jury is None:
                raise ScientificMathError(
                    "scientific-math-creative needs judges: give --env.taskset.task.jury judges.yaml"
                )
            jury = shared_jury(self.config.task.jury)
            for rule in (self.config.task.correctness_rule, self.config.task.novelty_rule):
                refuse_hopeless(jury.judges, rule=rule, quorum=jury.quorum)
        except ScientificMathError as error:
            # For anything else the command lines of verifiers show a traceback, not the sentence.
            raise SystemExit(str(error)) from error
        for problem in problems:
            for k in self._shown(problem.n):
                yield CreativeTask(self._data(problem, k), self.config.task)

    def _path(self) -> Path:
        return BUILTIN if self.config.problems == "builtin" else Path(self.config.problems)

    def _shown(self, n: int) -> range:
        return {"each": range(1, n + 1), "all": range(n, n + 1), "one": range(1, 2)}[self.config.shown]

    def _data(self, problem: CreativeProblem, k: int) -> CreativeData:
        (message,) = generation_messages(problem.problem, problem.solutions[:k])
        boxed = self.config.task.graded != "off" and problem.checkable is not None
        name = f"problem-{problem.index}.k{k}"
        return CreativeData(
            id=name,
            name=name,
            description=problem.competition or None,
            prompt=message["content"] + (BOXED if boxed else ""),
            problem=problem.problem,
            solutions=list(problem.solutions),
            k=k,
            index=problem.index,
            checkable=problem.checkable,
        )


@cache
def _answer_grader() -> AnswerGrader:
    """This process's grader of final answers; nothing is started until it grades."""
    made = AnswerGrader()
    atexit.register(made.close)
    return made
