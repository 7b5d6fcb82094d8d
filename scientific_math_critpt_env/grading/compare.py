"""Gold against answer: names are unified, then structure by structure down to scalars."""

from __future__ import annotations

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.budget import DEFAULT_SECONDS, Budget
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different
from scientific_math_critpt_env.grading.names import unify
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.structures import compare_structures
from scientific_math_critpt_env.problems.schema import Problem


def compare(
    *,
    gold: object,
    answer: object,
    problem: Problem,
    policy: Policy = Policy(),  # noqa: B008 - frozen, so one default object for all calls is fine
    cpu_seconds: float = DEFAULT_SECONDS,
) -> Finding:
    """The relation of `answer` to `gold` under the problem's symbols and tolerances, within `cpu_seconds`."""
    context = Context(problem=problem, policy=policy, budget=Budget(cpu_seconds))
    with context.budget.stage("names"):
        gold, answer = unify(gold, answer, problem)
    finding = compare_structures(gold, answer, context)
    if finding is None:
        left, right = as_scalar(gold), as_scalar(answer)
        if left is None or right is None:
            finding = different(
                "structural", f"a {type(answer).__name__} where a {type(gold).__name__} is asked"
            )
        else:
            finding = decide(left, right, context)
    return finding.with_costs(context.budget.costs)
