"""The cascade: what is cheap and exact first, then refutation by values, then proof, then agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr, Float

from scientific_math_critpt_env.grading.equality.domains import domains
from scientific_math_critpt_env.grading.equality.exact import exact_numbers, not_finite
from scientific_math_critpt_env.grading.equality.floats import with_floats
from scientific_math_critpt_env.grading.equality.probing import probe
from scientific_math_critpt_env.grading.equality.undefined import realised
from scientific_math_critpt_env.grading.equality.unfolding import unfolded
from scientific_math_critpt_env.grading.finding import Finding, equal

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context


def cascade(left: Expr, right: Expr, context: Context) -> Finding:
    """The relation of the gold (left) and the answer (right)."""
    special = not_finite(left, right)
    if special is not None:
        return special
    if left == right:
        return equal("structural")
    exact = exact_numbers(left, right)
    if exact is not None:
        return exact
    if left.has(Float) or right.has(Float):
        return with_floats(left, right, context)
    return compare_exactly(left, right, context)


def compare_exactly(left: Expr, right: Expr, context: Context) -> Finding:
    """Two expressions without floats."""
    budget = context.budget
    left, right = realised((left, right))
    found = domains((left, right))
    with budget.stage("unfold"):
        left, right = unfolded(left, budget), unfolded(right, budget)
    if left == right:
        return equal("symbolic:doit")
    with budget.stage("probe"):
        return probe(left, right, budget, found)
