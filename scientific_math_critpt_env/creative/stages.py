"""The three stages: what each shows the jury, by which rule it decides, and when it is skipped.

stage                    references shown          rule                          skipped when
correctness              first two of all n        unanimous                     never
coarse_grained_novelty   first k                   more YES than NO, a tie NO    correctness is not YES
fine_grained_novelty     k+1..n                    more YES than NO, a tie NO    coarse is not YES, or k == n
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scientific_math_critpt_env.creative.dataset import CreativeProblem
from scientific_math_critpt_env.creative.samples import SamplePlace
from scientific_math_critpt_env.judging import Decision, Question, correctness_question, novelty_question

StageName = Literal["correctness", "coarse_grained_novelty", "fine_grained_novelty"]

STAGES: tuple[StageName, ...] = ("correctness", "coarse_grained_novelty", "fine_grained_novelty")

CORRECTNESS_REFERENCES = 2
"""References a judge of correctness sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """How a jury is asked and its votes counted."""

    correctness: str = "unanimous"
    novelty: str = "majority"
    shuffle: bool = True
    """Whether references are shuffled, by `seed`; to a judge their order means nothing."""
    seed: int = 0

    def of(self, stage: StageName) -> str:
        """The voting rule of a stage."""
        return self.correctness if stage == "correctness" else self.novelty


def references(stage: StageName, place: SamplePlace) -> range:
    """Numbers, from 1, of the reference solutions that are shown."""
    if stage == "correctness":
        return range(1, min(CORRECTNESS_REFERENCES, place.n) + 1)
    if stage == "coarse_grained_novelty":
        return range(1, place.k + 1)
    return range(place.k + 1, place.n + 1)


def skipped(stage: StageName, place: SamplePlace, before: Decision | None) -> str:
    """Why the stage is not judged; "" where it is. `before`: the decision of the stage before it."""
    if before is not None and before != "YES":
        earlier = STAGES[STAGES.index(stage) - 1]
        return f"{earlier} is {before}"
    if stage == "fine_grained_novelty" and place.k == place.n:
        return "every reference was shown already (k = n)"
    return ""


def question(
    stage: StageName, problem: CreativeProblem, place: SamplePlace, solution: str, rules: StageRules
) -> Question:
    """What the jury is asked."""
    shown = [problem.solutions[number - 1] for number in references(stage, place)]
    ask = correctness_question if stage == "correctness" else novelty_question
    return ask(problem.problem, shown, solution, seed=rules.seed, shuffle=rules.shuffle, name=stage)
