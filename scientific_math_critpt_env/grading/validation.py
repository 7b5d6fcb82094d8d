"""One problem row, examined by its own grader: gold == gold, and gold != every mutant of it.

A defect makes the row unusable (its gold does not evaluate, does not equal itself, or a wrong answer passes);
a warning is something to look at (`linting`). A mutant that equals the gold is excused only by a fact that
does not rest on the comparison (`accidents`). Runs in the process of the caller, which bounds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time
from typing import Literal

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.accidents import accident
from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.linting import gold_defects, warnings_of
from scientific_math_critpt_env.grading.mutants import Mutant, mutants
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.printing import printed
from scientific_math_critpt_env.grading.structures.functions import gold_at_test_points
from scientific_math_critpt_env.problems.schema import Problem

MAX_MUTANTS = 40
"""Of one row: large composites have more, which differ in nothing that matters."""

Outcome = Literal["rejected", "undecided", "same", "accepted"]
"""What became of a mutant: `same` is equal by an independent fact, `accepted` a wrong accept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantResult:
    """How one mutant was graded."""

    name: str
    mutant: str
    """Printed."""
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemReport:
    """What was found out about one row; usable where `defects` is empty."""

    problem_id: str
    defects: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    mutants: list[MutantResult] = field(default_factory=list)
    cpu_seconds: float = 0.0


def validate_problem(problem: Problem, policy: Policy = Policy()) -> ProblemReport:  # noqa: B008 - frozen
    """Examine one row; never raises for what is wrong with it."""
    start = process_time()
    defects, warnings, results = [], warnings_of(problem), []
    try:
        gold, again = evaluate_gold(problem), evaluate_gold(problem)
        defects += gold_defects(gold, problem)
        warnings += warnings_of(problem, gold)
        if not defects:
            answer: object = gold_at_test_points(again, problem) if problem.test_points else again
            defects += _not_itself(gold, answer, problem, policy)
            results = list(_graded_mutants(gold, problem, policy))
    except ProblemError as error:
        defects.append(str(error))
    defects += [
        f"the wrong answer {r.mutant} ({r.name}) is graded as equal"
        for r in results
        if r.outcome == "accepted"
    ]
    warnings += [
        f"the mutant {r.mutant} ({r.name}) is undecided: {r.reason}"
        for r in results
        if r.outcome == "undecided"
    ]
    return ProblemReport(
        problem_id=problem.id,
        defects=defects,
        warnings=list(dict.fromkeys(warnings)),
        mutants=results,
        cpu_seconds=process_time() - start,
    )


def _not_itself(gold: object, answer: object, problem: Problem, policy: Policy) -> list[str]:
    finding = compare(gold=gold, answer=answer, problem=problem, policy=policy)
    if finding.relation == "equal":
        return []
    return [f"the gold graded as its own answer is {finding.relation}: {finding.reason}"]


def _graded_mutants(gold: object, problem: Problem, policy: Policy) -> Iterator[MutantResult]:
    context = Context(problem=problem, policy=policy)
    for mutant, reference in _mutants(gold, problem, policy):
        finding = compare(gold=gold, answer=mutant.value, problem=problem, policy=policy)
        fact = accident(reference, mutant, context) if finding.relation == "equal" else ""
        yield MutantResult(
            name=mutant.name,
            mutant=printed(mutant.value),
            outcome=_outcome(finding, fact),
            reason=fact or finding.reason,
        )


def _mutants(gold: object, problem: Problem, policy: Policy) -> list[tuple[Mutant, object]]:
    """Mutants, each with what it is a mutant of: the gold, or the list of its values at the test points."""
    rtol = problem.rtol if problem.rtol is not None else policy.rtol
    base: object = gold_at_test_points(gold, problem) if problem.test_points else gold
    found: list[tuple[Mutant, object]] = []
    for mutant in mutants(base, problem, rtol):
        found.append((mutant, base))
        if len(found) == MAX_MUTANTS:
            break
    return found


def _outcome(finding: Finding, fact: str) -> Outcome:
    if finding.relation == "equal":
        return "same" if fact else "accepted"
    return "rejected" if finding.relation == "different" else "undecided"
