"""Limits, integrals, sums and products in closed form, where SymPy finds one that its numbers confirm.

SymPy's closed forms are sometimes wrong; one that differs numerically from what it stands for is not used.
"""

from __future__ import annotations

import sympy
from sympy import Basic, Expr

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.domains import domains
from scientific_math_critpt_env.grading.equality.frame import NoValue
from scientific_math_critpt_env.grading.equality.points import plan, seed_of
from scientific_math_critpt_env.grading.equality.sampling import Pair

UNEVALUATED = (sympy.Integral, sympy.Sum, sympy.Product, sympy.Limit)

WITHOUT_NUMBERS = (sympy.Limit, sympy.Sum, sympy.Product)
"""What is better evaluated before numbers are asked for; integrals are quicker done numerically."""

STEP_SECONDS = 0.8
"""CPU for the closed form of one node."""

CHECK_SECONDS = 0.25
"""CPU for one numerical check of it."""

CHECKS = 2
"""Points at which a closed form is checked."""


def released(expression: Expr) -> Expr:
    """The expression without `UnevaluatedExpr` around its parts."""
    while held := expression.atoms(sympy.UnevaluatedExpr):
        expression = expression.xreplace({node: node.args[0] for node in held})
    return expression


def unfolded(expression: Expr, budget: Budget, kinds: tuple[type[Basic], ...] = UNEVALUATED) -> Expr:
    """The expression with what can be evaluated evaluated, innermost first; the rest as it was."""
    if not expression.has(*kinds):
        return expression
    replaced: dict[Basic, Basic] = {}
    for node in sympy.postorder_traversal(expression):
        if isinstance(node, kinds):
            closed = _closed(node, budget)
            if closed is not None:
                replaced[node] = closed
    return expression.xreplace(replaced) if replaced else expression


def _closed(node: Expr, budget: Budget) -> Expr | None:
    try:
        closed = budget.limited(lambda: node.doit(), STEP_SECONDS)
    except OutOfTime:
        return None
    except Exception:  # noqa: BLE001 - SymPy's evaluation raises all kinds of things; the node stays as it is
        budget.count("doit failed")
        return None
    if not isinstance(closed, Expr) or closed.has(sympy.AccumBounds, sympy.nan) or closed == node:
        return None
    return closed if _confirmed(node, closed, budget) else None


def _confirmed(node: Expr, closed: Expr, budget: Budget) -> bool:
    """False where the numbers contradict the closed form; a node without numbers is taken on trust."""
    try:
        pair = Pair(node, closed)
    except NoValue:
        return True
    points = plan(domains((node, closed)), (), seed_of(node, closed))
    for _ in range(CHECKS if node.free_symbols else 1):
        point = next(points)
        try:
            sight = budget.limited(lambda: pair.look(point), CHECK_SECONDS)  # noqa: B023 - called here
        except OutOfTime:
            continue
        if sight.look == "differs":
            return False
    return True
