"""The cascade: what is cheap and exact first, then refutation by values, then proof, then agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from sympy import Expr, Float

from scientific_math_critpt_env.grading.equality.algebraic import decide_algebraic
from scientific_math_critpt_env.grading.equality.budget import Budget
from scientific_math_critpt_env.grading.equality.domains import domains
from scientific_math_critpt_env.grading.equality.exact import exact_numbers, not_finite
from scientific_math_critpt_env.grading.equality.floats import with_floats
from scientific_math_critpt_env.grading.equality.gigantic import decide_gigantic
from scientific_math_critpt_env.grading.equality.huge import has_huge
from scientific_math_critpt_env.grading.equality.points import seed_of
from scientific_math_critpt_env.grading.equality.probing import probe
from scientific_math_critpt_env.grading.equality.signatures import same_signature
from scientific_math_critpt_env.grading.equality.undefined import realised
from scientific_math_critpt_env.grading.equality.unfolding import WITHOUT_NUMBERS, released, unfolded
from scientific_math_critpt_env.grading.finding import Finding, equal, undecided

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context


def cascade(left: Expr, right: Expr, context: Context) -> Finding:
    """The relation of the gold (left) and the answer (right)."""
    left, right = released(left), released(right)
    special = not_finite(left, right)
    if special is not None:
        return special
    if left == right:
        return equal("structural")
    exact = exact_numbers(left, right)
    if exact is not None:
        return exact
    if left.is_commutative is False or right.is_commutative is False:
        return undecided("products that do not commute")
    if has_huge(left) or has_huge(right):
        with context.budget.stage("modular"):
            return decide_gigantic(left, right, context.budget)
    if left.has(Float) or right.has(Float):
        with context.budget.stage("floats"):
            return with_floats(left, right, context, compare_exactly)
    return compare_exactly(left, right, context)


def compare_exactly(left: Expr, right: Expr, context: Context) -> Finding:
    """Two expressions without floats."""
    budget = context.budget
    with budget.stage("algebraic"):
        finding = decide_algebraic(left, right, budget)
    if finding is not None:
        return finding
    left, right = realised((left, right))
    found = domains((left, right))
    with budget.stage("signature"):
        proved = same_signature(left, right, seed_of(left, right))
    if not proved and not found and left.has(sympy.Integral) | right.has(sympy.Integral):
        finding = _numbers_first(left, right, budget)
        if finding.relation != "undecided":
            return finding
    if not proved:
        with budget.stage("unfold"):
            left, right = unfolded(left, budget), unfolded(right, budget)
    with budget.stage("probe"):
        finding = probe(left, right, budget, found, brief=proved)
    if proved and finding.relation != "different":
        return equal("symbolic:modular", "equal in independent generators")
    return finding


def _numbers_first(left: Expr, right: Expr, budget: Budget) -> Finding:
    """Two numbers with integrals: a quadrature takes a tenth of the time of a closed form."""
    with budget.stage("unfold"):
        left = unfolded(left, budget, WITHOUT_NUMBERS)
        right = unfolded(right, budget, WITHOUT_NUMBERS)
    with budget.stage("probe"):
        return probe(left, right, budget)
