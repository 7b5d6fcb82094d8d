"""Takes samples through the three stages, many at a time; the results are in the order of the samples.

There is no state of its own to resume from: every reply is kept by the jury's store under what was asked, so
the same evaluation again asks only what was never answered, and comes to the same records.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from scientific_math_critpt_env.creative.dataset import CreativeProblem, Dataset
from scientific_math_critpt_env.creative.grading import AnswerGrader, GradedAnswer
from scientific_math_critpt_env.creative.records import SampleRecord, StageRecord
from scientific_math_critpt_env.creative.samples import Generation, Sample, SamplePlace
from scientific_math_critpt_env.creative.stages import (
    STAGES,
    StageName,
    StageRules,
    question,
    references,
    skipped,
)
from scientific_math_critpt_env.creative.transitions import Cleaned, without_transitions
from scientific_math_critpt_env.judging import Ballot, Decision, JudgingError, Jury
from scientific_math_critpt_env.judging.checks import refuse_defects
from scientific_math_critpt_env.judging.suspicion import suspicions

SAMPLES_UNDER_WAY = 256
"""Keeps every judge's connections busy; more would only wait, and be lost to a budget that runs out."""

GradeFirst = Literal["off", "first", "both"]
"""Whether final answers with a gold are graded: first, asking the jury only for what is left undecided; or
both, where the grader decides and the jury is asked beside it, to see how far they agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRules:
    """What an evaluation does, beside its jury."""

    stages: StageRules = field(default_factory=StageRules)
    remove_transitions: bool = True
    grade: GradeFirst = "off"
    author: str | None = None
    """Model that wrote the samples, for juries that exclude it."""

    def refuse_defects(self, jury: Jury) -> None:
        """Raises `JudgingError` where this jury could never decide under these rules."""
        panel = jury.panel(self.author)
        if not panel:
            raise JudgingError(f"every judge is the author {self.author} and excluded")
        for rule in (self.stages.correctness, self.stages.novelty):
            refuse_defects(panel, rule=rule, quorum=jury.quorum)


async def evaluate(
    dataset: Dataset,
    generation: Generation,
    jury: Jury,
    rules: EvaluationRules,
    *,
    grader: AnswerGrader | None = None,
    each: Callable[[SampleRecord], None] = lambda record: None,
) -> list[SampleRecord]:
    """The record of every sample; `each` is called as they are finished, in any order.

    `grader` is needed where `rules.grade` is not "off". Raises `BudgetError` and whatever else a jury or a
    grader raises, after the questions under way were answered and kept.
    """
    course = _Course(dataset, jury, rules, grader)
    room = asyncio.Semaphore(SAMPLES_UNDER_WAY)
    stopped = False

    async def one(sample: Sample) -> SampleRecord | None:
        nonlocal stopped
        async with room:
            if stopped:
                return None
            try:
                record = await course.run(sample)
            except BaseException:  # whatever it is: nobody else is asked, and it is raised
                stopped = True
                raise
        each(record)
        return record

    results = await asyncio.gather(*(one(sample) for sample in generation.samples), return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if isinstance(result, SampleRecord)]


class _Course:
    """One evaluation's way through the stages."""

    def __init__(
        self, dataset: Dataset, jury: Jury, rules: EvaluationRules, grader: AnswerGrader | None
    ) -> None:
        self._problems = dataset.problems
        self._jury, self._rules, self._grader = jury, rules, grader

    async def run(self, sample: Sample) -> SampleRecord:
        """All stages of a sample."""
        problem = self._problems[sample.place.problem_id]
        shown = Cleaned(sample.response, ())
        if self._rules.remove_transitions:
            shown = without_transitions(sample.response)
        answer = await self._answer(problem, sample.response)
        stages: dict[StageName, StageRecord] = {}
        before: Decision | None = None
        for stage in STAGES:
            graded = answer if stage == "correctness" else None
            stages[stage] = await self._stage(stage, problem, sample.place, shown.text, before, graded)
            before = stages[stage].decision
        return SampleRecord(sample, shown.removed, suspicions(sample.response), answer, stages)

    async def _answer(self, problem: CreativeProblem, response: str) -> GradedAnswer | None:
        if self._rules.grade == "off" or self._grader is None or problem.checkable is None:
            return None
        return await self._grader.grade(problem.checkable, response)

    async def _stage(
        self,
        stage: StageName,
        problem: CreativeProblem,
        place: SamplePlace,
        solution: str,
        before: Decision | None,
        graded: GradedAnswer | None,
    ) -> StageRecord:
        shown = tuple(references(stage, place))
        why = skipped(stage, place, before)
        if why:
            decision: Decision = "UNDECIDED" if before == "UNDECIDED" else "NO"
            return StageRecord("skipped", decision, "rule", shown, why=why)
        if not solution.strip():
            return StageRecord("judged", "NO", "rule", shown, why="the response is empty")
        decided = graded is not None and graded.decision != "UNDECIDED"
        if graded is not None and decided and self._rules.grade == "first":
            return StageRecord("judged", graded.decision, "grader", shown, why=graded.reason)
        ballot = await self._jury.ask(
            question(stage, problem, place, solution, self._rules.stages),
            author=self._rules.author,
            rule=self._rules.stages.of(stage),
        )
        if graded is not None and decided:
            return StageRecord(
                "judged", graded.decision, "grader", shown, ballot.votes, graded.reason, ballot.decision
            )
        return _judged(ballot, shown)


def _judged(ballot: Ballot, shown: tuple[int, ...]) -> StageRecord:
    if ballot.decision != "UNDECIDED":
        return StageRecord("judged", ballot.decision, "jury", shown, ballot.votes, jury=ballot.decision)
    failed = any(vote.verdict == "ERROR" for vote in ballot.votes)
    why = "; ".join(f"{vote.judge}: {vote.reason}" for vote in ballot.votes if not vote.counts)
    return StageRecord(
        "failed" if failed else "abstained",
        "UNDECIDED",
        "jury",
        shown,
        ballot.votes,
        why or "the votes decide nothing",
        ballot.decision,
    )
