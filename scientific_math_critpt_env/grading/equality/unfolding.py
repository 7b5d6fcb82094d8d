"""Limits, integrals, sums and products in closed form, where SymPy finds one that its numbers confirm.

SymPy's closed forms are sometimes wrong; one that differs numerically from what it stands for is not used.
"""

from __future__ import annotations

import sympy
from mpmath import mp
from sympy import Basic, Expr

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS
from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.domains import domains
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue
from scientific_math_critpt_env.grading.equality.points import plan, seed_of
from scientific_math_critpt_env.grading.equality.sampling import Pair

UNEVALUATED = (sympy.Integral, sympy.Sum, sympy.Product, sympy.Limit)

_NOT_FINITE = (sympy.oo, -sympy.oo, sympy.zoo, sympy.AccumBounds)

SUMS = (sympy.Sum, sympy.Product)
"""What is quickly added up at a point, where a closed form may take long to find."""

WITHOUT_NUMBERS = (sympy.Limit, *SUMS)
"""What is better evaluated before two numbers are compared; integrals are quicker done numerically."""

FOR_EXPRESSIONS = (sympy.Limit, sympy.Integral)
"""What is better evaluated before the values at two dozen points are compared."""

STEP_SECONDS = 0.8
"""CPU for the closed form of one node, for each of its variables."""

CHECK_SECONDS = 0.4
"""CPU for one numerical check of it."""

LIMIT_DIGITS = 120

LIMIT_STEPS = (12, 24)
"""Values at 1e-12 and 1e-24 from the limit point (at 1e12 and 1e24 for infinity) contradict a limit."""

SERIES_DIGITS = 20

SERIES_STEPS = (200, 800)
"""Partial sums of so many terms: the second must be closer by a quarter at least."""

CHECKS = 2
"""Points at which a closed form is checked."""


def unfolded(expression: Expr, budget: Budget, kinds: tuple[type[Basic], ...] = UNEVALUATED) -> Expr:
    """The expression with what can be evaluated evaluated, innermost first; the rest as it was."""
    if not expression.has(*kinds):
        return expression
    replaced: dict[Basic, Basic] = {}
    for node in sympy.postorder_traversal(expression):
        if isinstance(node, kinds):
            closed = _closed(node, budget)
            # A part that diverges may be compensated by another: only a whole expression may be infinite.
            if closed is not None and (node == expression or not closed.has(*_NOT_FINITE)):
                replaced[node] = closed
    return expression.xreplace(replaced) if replaced else expression


def _closed(node: Expr, budget: Budget) -> Expr | None:
    try:
        variables = len(getattr(node, "limits", (None,)))
        closed = budget.limited(lambda: node.doit(), STEP_SECONDS * variables)
    except OutOfTime:
        return None
    except Exception:  # noqa: BLE001 - SymPy's evaluation raises all kinds of things; the node stays as it is
        budget.count("doit failed")
        return None
    if not isinstance(closed, Expr) or closed.has(sympy.nan) or closed == node:
        return None
    return closed if _confirmed(node, closed, budget) else None


def _confirmed(node: Expr, closed: Expr, budget: Budget) -> bool:
    """False where numbers contradict the closed form or take too long; without any it is taken on trust."""
    if isinstance(node, sympy.Limit):
        return _approached(node, closed)
    if isinstance(node, sympy.Sum) and len(node.limits) == 1 and node.limits[0][2] is sympy.oo:
        return _tended_to(node, closed, budget)
    try:
        pair = Pair(node, closed)
    except NoValue:
        return True
    points = plan(domains((node, closed)), (), seed_of(node, closed))
    slow = 0
    checks = CHECKS if node.free_symbols else 1
    for _ in range(checks):
        point = next(points)
        try:
            sight = budget.limited(lambda: pair.look(point), CHECK_SECONDS)  # noqa: B023 - called here
        except OutOfTime:
            slow += 1
            continue
        if sight.look == "differs":
            return False
    return slow < checks


def _tended_to(node: sympy.Sum, closed: Expr, budget: Budget) -> bool:
    """False where the partial sums of a series do not come closer to the closed form."""
    variable, start, _ = node.limits[0]
    names = domains((node, closed))
    point = next(plan(names, (), seed_of(node, closed)))

    def partial_sums() -> bool:
        with mp.workdps(SERIES_DIGITS):
            values = {
                s: mp.mpc(mp.mpf(re.numerator) / re.denominator, mp.mpf(im.numerator) / im.denominator)
                for s, (re, im) in point.values.items()
            }
            frame = Frame(values)
            term, limit = compiled(node.function), compiled(closed)(frame)
            first = int(compiled(start)(frame))
            total, errors = mp.zero, []
            for step in range(SERIES_STEPS[-1] + 1):
                total += term(frame.bound(variable, mp.mpf(first + step)))
                if step in SERIES_STEPS:
                    errors.append(abs(total - limit))
            return errors[1] <= 0.75 * errors[0] or errors[1] <= 1e-10 * abs(limit)

    try:
        return budget.limited(partial_sums, CHECK_SECONDS)
    except OutOfTime:
        return False
    except (NoValue, *NO_VALUE_ERRORS):
        return True


def _approached(node: sympy.Limit, closed: Expr) -> bool:
    """False where values close to the limit point have settled somewhere else."""
    body, variable, target, direction = node.args
    symbols = domains((node, closed))
    if symbols or not closed.is_finite or str(direction) == "+-":
        return True
    sign = -1 if str(direction) == "-" else 1
    try:
        with mp.workdps(LIMIT_DIGITS):
            inner, limit = compiled(body), compiled(closed)(Frame({}))
            if target in (sympy.oo, -sympy.oo):
                near = [(1 if target is sympy.oo else -1) * mp.mpf(10) ** k for k in LIMIT_STEPS]
            else:
                at = compiled(target)(Frame({}))
                near = [at + sign * mp.mpf(10) ** -k for k in LIMIT_STEPS]
            first, second = (inner(Frame({variable: x})) for x in near)
            settled = abs(first - second) < abs(second) * mp.mpf(10) ** -8
            return not (settled and abs(second - limit) > abs(second) * mp.mpf(10) ** -3)
    except (NoValue, *NO_VALUE_ERRORS):
        return True
