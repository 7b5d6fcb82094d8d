"""Equations and inequalities: what they say, not how they are written.

An equation is the same as another up to swapped sides and a nonzero factor; a single inequality up to a
positive factor and the way it is turned, its strictness kept. `x**2 = 4` is not `x = 2`, `x = 2` is not
`x**2 - 4*x + 4 = 0` (a factor that vanishes), and equations without solutions are not all the same.
An equation that is solved for a name is a graph, and two graphs that lie in each other are one:
`y = exp(x)` is `x = log(y)` where both sides are real.
"""

from __future__ import annotations

from sympy import Eq, Expr, Ge, Gt, Le, Lt, MatrixBase, MatrixExpr, Ne, S, Symbol
from sympy.core.relational import Relational

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.structures.booleans import compare_booleans
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch, short, whole
from scientific_math_critpt_env.grading.structures.inequalities import compare_inequalities
from scientific_math_critpt_env.grading.structures.residuals import proportion, residuals

_INEQUALITIES = (Gt, Ge, Lt, Le)


def compare_equations(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Two single relations: equations, negated equations, inequalities."""
    if isinstance(gold, _INEQUALITIES) and isinstance(answer, _INEQUALITIES):
        single, final = compare_inequalities(gold, answer, context)
        return single if final else compare_booleans(gold, answer, compare, context)
    for kind in (Eq, Ne):
        if isinstance(gold, kind) and isinstance(answer, kind):
            return _compare_equalities(gold, answer, compare, context)
    return shape_mismatch(f"{short(answer)} where {_sort(gold)} is asked")


def _sort(relation: object) -> str:
    if isinstance(relation, Eq):
        return "an equation"
    return "an inequation" if isinstance(relation, Ne) else "an inequality"


def _compare_equalities(gold: Relational, answer: Relational, compare: Compare, context: Context) -> Finding:
    pair = residuals(gold, answer, context)
    if pair is None or any(isinstance(side, MatrixExpr | MatrixBase) for side in pair):
        return _compare_sides(gold, answer, compare, context)
    left, right = pair
    found = proportion(left, right, context, clear=True).finding
    if found.relation != "different":
        return found
    return _same_graph(gold, answer, left, right, context) or found


def _compare_sides(gold: Relational, answer: Relational, compare: Compare, context: Context) -> Finding:
    """Equations between tuples or matrices: side by side, or the sides swapped."""
    straight = whole(
        [(f"the {name} side", compare(g, a, context)) for name, g, a in _sides(gold, answer)], "sides"
    )
    if straight.relation == "equal":
        return straight
    swapped = whole(
        [
            ("the sides swapped", compare(gold.lhs, answer.rhs, context)),
            ("the sides swapped", compare(gold.rhs, answer.lhs, context)),
        ],
        "sides",
    )
    return swapped if swapped.relation == "equal" else straight


def _sides(gold: Relational, answer: Relational) -> tuple[tuple[str, object, object], ...]:
    return (("left", gold.lhs, answer.lhs), ("right", gold.rhs, answer.rhs))


def _same_graph(
    gold: Relational, answer: Relational, left: Expr, right: Expr, context: Context
) -> Finding | None:
    """Both solved for a symbol, and each holds identically on the other's graph."""
    methods = []
    for solved, residual in ((gold, right), (answer, left)):
        graph = _graph(solved)
        if graph is None:
            return None
        inside = decide(residual.xreplace(graph), S.Zero, context)
        if inside.relation != "equal":
            return None
        methods.append(inside)
    return next((finding for finding in methods if finding.method.startswith("numeric")), methods[0])


def _graph(relation: Relational) -> dict[Symbol, Expr] | None:
    for name, value in ((relation.lhs, relation.rhs), (relation.rhs, relation.lhs)):
        if (
            isinstance(name, Symbol)
            and isinstance(value, Expr)
            and not value.has(name)
            and value.free_symbols
        ):
            return {name: value}
    return None
