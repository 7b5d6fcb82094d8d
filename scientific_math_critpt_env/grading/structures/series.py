"""Series with an order term: the same order, and the same terms below it.

`x + O(x**3)` is `sin(x) + O(x**3)` (what differs lies in the order term), but not `x + O(x**2)`, and not `x`.
"""

from __future__ import annotations

from sympy import Add, Expr, Order, S, Symbol, expand

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import (
    Compare,
    shape_mismatch,
    short,
    weakest_method,
)
from scientific_math_critpt_env.grading.structures.kinds import kind_of

SERIES_SECONDS = 0.8
"""CPU for one expansion; SymPy's `series` hangs on some compositions."""


def compare_series(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Two expressions of which at least one has an order term."""
    if kind_of(gold) != "series":
        return shape_mismatch("an order term where a closed expression is asked")
    if kind_of(answer) != "series":
        return shape_mismatch("the order term is missing")
    left, right = as_scalar(gold), as_scalar(answer)
    if left is None or right is None:
        return shape_mismatch("one side is no expression")
    if left == right:
        return equal("structural")
    orders = attempt(lambda: (left.getO(), right.getO()), context)
    if orders is None or None in orders:
        return undecided("an order term that is not a plain summand")
    if not _same_order(*orders, context):
        return different("structural", f"{short(orders[1])} where the gold has {short(orders[0])}")
    return _compare_terms(left.removeO(), right.removeO(), orders[0], context)


def _same_order(left: Order, right: Order, context: Context) -> bool:
    if left == right:
        return True
    inside = attempt(lambda: (left.contains(right), right.contains(left)), context)
    return inside == (True, True)


def _compare_terms(left: Expr, right: Expr, order: Order, context: Context) -> Finding:
    same = decide(left, right, context)
    if same.relation == "equal":
        return same
    remainder = attempt(lambda: _remainder(left - right, order), context, SERIES_SECONDS)
    if remainder is None:
        return undecided("the terms below the order cannot be expanded")
    findings = [decide(term, S.Zero, context) for term in remainder]
    for term, finding in zip(remainder, findings, strict=True):
        if finding.relation != "equal":
            relation = "differ" if finding.relation == "different" else "may differ"
            reason = f"the terms below the order {relation} by {short(term)}"
            return Finding(relation=finding.relation, method=finding.method, reason=reason)
    return equal(weakest_method(findings) if findings else "symbolic:series", "the same below the order")


def _remainder(difference: Expr, order: Order) -> list[Expr]:
    """Coefficients, one for each power, of what the order term does not cover."""
    covered = Order(difference, *order.args[1:])
    if order.contains(covered):
        return []
    terms = expand(difference)
    if order.contains(terms) is True:
        return []
    outside = _outside(terms, order)
    if any(term.has(Order) for term in outside):
        raise NotImplementedError("an expansion without end")
    return outside


def _outside(terms: Expr, order: Order) -> list[Expr]:
    """Terms below the order, those of one power of the variable added up."""
    variable, point = _expanded_in(terms, order)
    local = terms if all(_is_monomial(term, variable) for term in Add.make_args(terms)) else None
    if local is None:
        if point.is_infinite:
            raise NotImplementedError("an expansion at infinity")
        power = order.expr.as_coeff_exponent(variable - point if point else variable)[1]
        local = terms.series(variable, point, int(power)).removeO()
    powers: dict[Expr, list[Expr]] = {}
    for term in Add.make_args(expand(local)):
        coefficient, rest = term.as_independent(variable, as_Add=False)
        if not order.contains(rest):
            powers.setdefault(rest, []).append(coefficient)
    return [Add(*coefficients) for coefficients in powers.values()]


def _expanded_in(terms: Expr, order: Order) -> tuple[Symbol, Expr]:
    """The variable of the expansion and its point; O(1) names none, and then the only symbol goes to 0."""
    if len(order.variables) == 1:
        return order.variables[0], order.point[0]
    if not order.variables and len(terms.free_symbols) == 1:
        return next(iter(terms.free_symbols)), S.Zero
    raise NotImplementedError("an expansion in several variables")


def _is_monomial(term: Expr, variable: Expr) -> bool:
    _, rest = term.as_independent(variable, as_Add=False)
    return rest == 1 or (rest.as_base_exp()[0] == variable and not rest.as_base_exp()[1].has(variable))
