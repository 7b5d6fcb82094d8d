"""The cascade: what is cheap and exact first, then refutation by values, then proof, then agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from sympy import Expr, Float, Rational, Symbol

from scientific_math_critpt_env.grading.equality.algebraic import decide_algebraic
from scientific_math_critpt_env.grading.equality.budget import Budget
from scientific_math_critpt_env.grading.equality.domains import Domain, domains
from scientific_math_critpt_env.grading.equality.exact import differ_by, exact_numbers, not_finite
from scientific_math_critpt_env.grading.equality.floats import with_floats
from scientific_math_critpt_env.grading.equality.gigantic import decide_gigantic
from scientific_math_critpt_env.grading.equality.huge import has_huge
from scientific_math_critpt_env.grading.equality.points import seed_of
from scientific_math_critpt_env.grading.equality.probing import probe
from scientific_math_critpt_env.grading.equality.proving import prove
from scientific_math_critpt_env.grading.equality.scalars import plain
from scientific_math_critpt_env.grading.equality.signatures import same_signature
from scientific_math_critpt_env.grading.equality.undefined import realised
from scientific_math_critpt_env.grading.equality.unfolding import (
    FOR_EXPRESSIONS,
    SUMS,
    UNEVALUATED,
    WITHOUT_NUMBERS,
    unfolded,
)
from scientific_math_critpt_env.grading.finding import Finding, equal, undecided

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context


SHARE_FOR_SUMS = 0.5
"""Part of the budget for sums at points; the rest is for closed forms, if that does not decide."""


def cascade(left: Expr, right: Expr, context: Context) -> Finding:
    """The relation of the gold (left) and the answer (right)."""
    left, right = plain(left), plain(right)
    special = None if _unevaluated(left, right) else not_finite(left, right)
    if special is not None:
        return special
    if left == right or _same_up_to_bound_names(left, right):
        return equal("structural")
    exact = exact_numbers(left, right)
    if exact is not None:
        return exact
    if left.is_commutative is False or right.is_commutative is False:
        return undecided("products that do not commute")
    if has_huge(left) or has_huge(right):
        with context.budget.stage("modular"):
            finding = decide_gigantic(left, right, context.budget)
        return finding if finding.relation != "undecided" else compare_exactly(left, right, context)
    if left.has(Float) or right.has(Float):
        with context.budget.stage("floats"):
            return with_floats(left, right, context, compare_exactly)
    difference = left - right
    if isinstance(difference, Rational):  # what both have in common cancels, integrals and all
        return differ_by(difference)
    return compare_exactly(left, right, context)


def _same_up_to_bound_names(left: Expr, right: Expr) -> bool:
    """Whether only the variables of integration and summation differ."""
    binders = (sympy.Integral, sympy.Sum, sympy.Product, sympy.Subs)
    return left.has(*binders) and right.has(*binders) and bool(left.as_dummy() == right.as_dummy())


def compare_exactly(left: Expr, right: Expr, context: Context) -> Finding:
    """Two expressions without floats."""
    budget = context.budget
    with budget.stage("algebraic"):
        finding = decide_algebraic(left, right, budget)
    if finding is not None:
        return finding
    with budget.stage("signature"):
        proved = same_signature(left, right, seed_of(left, right))
    left, right = realised((left, right))
    found = domains((left, right))
    if not proved and _unevaluated(left, right):
        done = _evaluated(left, right, found, context)
        if isinstance(done, Finding):
            return done
        left, right = done
    with budget.stage("probe"):
        finding = probe(left, right, budget, found, brief=proved)
    if proved and finding.relation != "different":
        return equal("symbolic:modular", "equal in independent generators")
    return _proved(finding, left, right, context)


def _proved(finding: Finding, left: Expr, right: Expr, context: Context) -> Finding:
    """Look for a proof where values left it open, or where the policy takes agreement for nothing."""
    strict = context.policy.numeric_agreement == "undecided"
    if finding.relation == "different" or (finding.relation == "equal" and not strict):
        return finding
    if has_huge(left) or has_huge(right):
        return undecided(finding.reason, finding.method)
    with context.budget.stage("prove"):
        step = prove(left, right, context.budget)
    if step is not None:
        return equal(f"symbolic:{step}", "the difference simplifies to 0")
    if finding.relation == "equal":
        return undecided(f"{finding.reason}, which is no proof", finding.method)
    return finding


def _unevaluated(left: Expr, right: Expr) -> bool:
    return left.has(*UNEVALUATED) or right.has(*UNEVALUATED)


def _evaluated(
    left: Expr, right: Expr, found: dict[Symbol, Domain], context: Context
) -> Finding | tuple[Expr, Expr]:
    """Both sides with closed forms for integrals, sums and limits, or what was found on the way."""
    budget = context.budget
    if not left.free_symbols and not right.free_symbols:
        # A quadrature takes a tenth of the time of a closed form, and is as good for two numbers.
        with budget.stage("unfold"):
            left, right = (unfolded(side, budget, WITHOUT_NUMBERS) for side in (left, right))
        if left.has(sympy.Integral) or right.has(sympy.Integral):
            with budget.stage("probe"):
                finding = probe(left, right, budget)
            if finding.relation != "undecided":
                return finding
    variables = _antiderivatives(left) & _antiderivatives(right)
    if variables:
        variable = min(variables, key=str)
        return compare_exactly(left.diff(variable), right.diff(variable), context)
    if left.free_symbols or right.free_symbols:
        finding = _sums_at_points(left, right, found, budget)
        if finding.relation != "undecided":
            return finding
    with budget.stage("unfold"):
        left, right = unfolded(left, budget), unfolded(right, budget)
    if left == right:
        return equal("symbolic:doit")
    return not_finite(left, right) or exact_numbers(left, right) or (left, right)


def _sums_at_points(left: Expr, right: Expr, found: dict[Symbol, Domain], budget: Budget) -> Finding:
    """Expressions with finite sums, left as they are: at points these are quickly added up."""
    sums = left.atoms(*SUMS) | right.atoms(*SUMS)
    if not sums or any(node.has(sympy.oo, -sympy.oo) for node in sums):
        return undecided("no finite sums")
    with budget.stage("unfold"):
        left, right = (unfolded(side, budget, FOR_EXPRESSIONS) for side in (left, right))
    with budget.stage("probe"):
        return probe(left, right, budget.share(SHARE_FOR_SUMS), found)


def _antiderivatives(expression: Expr) -> set[Expr]:
    """Variables of indefinite integrals; where both sides have one, their derivatives are compared."""
    return {
        limit[0]
        for node in expression.atoms(sympy.Integral)
        for limit in node.limits
        if len(limit) == 1 and len(node.limits) == 1
    }
