"""One solution through CreativeMath's three stages: correct? new beside those shown? and beside the others?

A later stage is asked only after a YES of the one before. A jury that could not be had raises: the rollout is
an error then, and never a 0. Judges that come to no verdict are no YES.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from scientific_math_critpt.jury import settled

from scientific_math_critpt_env.creative.dataset import CreativeProblem
from scientific_math_critpt_env.creative.grading import AnswerGrader, GradedAnswer
from scientific_math_critpt_env.creative.samples import SamplePlace
from scientific_math_critpt_env.creative.stages import STAGES, StageName, StageRules, question, skipped
from scientific_math_critpt_env.creative.transitions import without_transitions
from scientific_math_critpt_env.judging import Ballot, Jury
from scientific_math_critpt_env.prompting.reasoning import without_reasoning

FineRule = Literal["repository", "paper"]

Graded = Literal["off", "answer", "answer_and_jury"]


@dataclass(slots=True)
class Staged:
    """What became of a solution."""

    passed: dict[StageName, bool] = field(default_factory=lambda: dict.fromkeys(STAGES, False))
    told: dict[str, Any] = field(default_factory=dict)
    """By stage: why it was skipped, or the decision and every vote with its raw reply; as JSON."""
    cost: float = 0.0
    abstained: bool = False
    """A stage ended without a decision because judges came to no verdict."""


async def staged(
    jury: Jury,
    problem: CreativeProblem,
    place: SamplePlace,
    response: str,
    *,
    rules: StageRules,
    fine_rule: FineRule,
    transitions: bool,
    grader: AnswerGrader | None,
    graded: Graded,
    author: str | None,
) -> Staged:
    """All stages of one response; `transitions` leaves comparisons with other solutions in it.

    Raises `InfrastructureError`, also `BudgetError`, where the jury or the grader cannot be had.
    """
    found = Staged()
    solution = without_reasoning(response)[0].strip()
    if not transitions:
        cleaned = await asyncio.to_thread(without_transitions, solution)
        solution = cleaned.text
        found.told["removed"] = list(cleaned.removed)
    before: Literal["YES", "NO"] | None = None if solution else "NO"
    for stage in STAGES:
        reason = "there is no solution" if not solution else skipped(stage, place, before)
        if reason:
            # The paper's tables count a solution that is new beside all n references as new to the unknown.
            passed = fine_rule == "paper" and before == "YES"
            found.told[stage] = {"state": "skipped", "decision": "YES" if passed else "NO", "why": reason}
        elif (answer := await _graded(grader, graded, problem, response, stage)) is not None:
            passed = answer.decision == "YES"
            found.told[stage] = {"state": "judged", "by": "grader", **asdict(answer)}
        else:
            asked = question(stage, problem, place, solution, rules)
            ballot = await jury.ask(asked, author=author, rule=rules.of(stage))
            passed = settled(ballot, stage)
            found.told[stage] = _told(ballot)
            found.cost += sum(vote.cost for vote in ballot.votes)
            found.abstained |= ballot.decision == "UNDECIDED"
        found.passed[stage] = passed
        before = "YES" if passed else "NO"
    return found


async def _graded(
    grader: AnswerGrader | None, graded: Graded, problem: CreativeProblem, response: str, stage: StageName
) -> GradedAnswer | None:
    """The grader's answer where it decides the stage; None leaves that to the jury."""
    if grader is None or problem.checkable is None or stage != "correctness":
        return None
    answer = await grader.grade(problem.checkable, response)
    decides = ("YES", "NO") if graded == "answer" else ("NO",)
    return answer if answer.decision in decides else None


def _told(ballot: Ballot) -> dict[str, Any]:
    state = "abstained" if ballot.decision == "UNDECIDED" else "judged"
    votes = [asdict(vote) for vote in ballot.votes]
    return {"state": state, "by": "jury", "decision": ballot.decision, "votes": votes}
