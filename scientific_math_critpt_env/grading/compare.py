"""Gold against answer: names are unified, then structure by structure down to scalars."""

from __future__ import annotations

from dataclasses import replace

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.budget import DEFAULT_SECONDS, Budget
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different
from scientific_math_critpt_env.grading.names import free_names, unify
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.structures import compare_structures
from scientific_math_critpt_env.problems.schema import Problem

CONSTANTS = frozenset({"E", "I", "pi", "oo", "zoo", "nan", "EulerGamma", "GoldenRatio", "Catalan"})
"""Names of SymPy's constants, which a model may write as symbols by mistake."""


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
    if finding.relation != "equal":
        finding = replace(finding, reason=finding.reason + _constants_as_symbols(gold, answer))
    return finding.with_costs(context.budget.costs)


def _constants_as_symbols(gold: object, answer: object) -> str:
    """What to add to a reason where the answer writes a constant as a symbol, `Symbol("pi")` for `pi`."""
    mistaken = sorted((free_names(answer) - free_names(gold)) & CONSTANTS)
    if not mistaken:
        return ""
    return f"; the answer holds a symbol named {', '.join(mistaken)}, which is not the constant"
