"""Floats on one side or both: a declared relative tolerance, never an absolute one by default.

A float gold is compared at the problem's `rtol` (default: the policy's), a float answer to an exact gold at
`float_rtol`. Real and imaginary parts are compared each, a gold of 0 needs `atol`, and a float that is a
whole number answers a whole number exactly. In expressions floats are first read as the decimals they are
written as (`0.5*x` is `x/2`); otherwise values and increments along each symbol must agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mpmath import mp
from sympy import Expr, Float, Integer, Rational, Symbol

from scientific_math_critpt_env.grading.equality.breaks import Nearness, break_points
from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.domains import Domain, domains
from scientific_math_critpt_env.grading.equality.frame import NoValue, Number, magnitude
from scientific_math_critpt_env.grading.equality.points import Point, plan, scales_of, seed_of
from scientific_math_critpt_env.grading.equality.sampling import Pair
from scientific_math_critpt_env.grading.equality.undefined import realised
from scientific_math_critpt_env.grading.equality.unfolding import unfolded
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context

METHOD = "numeric:float"

EXACT_INTEGERS = 1 << 53
"""Below this every whole number is a double of its own: a whole float claims exactly that number."""

ROUNDING = 4e-15
"""A component this far below its partner is rounding of double arithmetic (16 digits, a few operations)."""

QUORUM = 24

INCREMENT_POINTS = 3
"""Points from which each symbol is moved alone."""

INCREMENT_SLACK = 1000
"""Increments are differences of close values: their relative error is larger than that of the values."""

BREAK_SLACK = 10
"""Breaks are looked at from this many tolerances away, at least `CLOSEST`."""

CLOSEST = 1e-7

POINT_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far two numbers may be apart."""

    rtol: float
    atol: float

    def holds(self, a: Number, b: Number) -> bool:
        """Whether the numbers agree, each component on its own."""
        size = max(abs(a), abs(b))
        return all(
            abs(x - y) <= max(self.rtol * max(abs(x), abs(y)), ROUNDING * size * (x != size), self.atol)
            for x, y in ((mp.re(a), mp.re(b)), (mp.im(a), mp.im(b)))
        )


def with_floats(
    left: Expr,
    right: Expr,
    context: Context,
    exactly: Callable[[Expr, Expr, Context], Finding],
) -> Finding:
    """Relation of gold and answer where at least one holds a float; `exactly` decides without floats."""
    problem, policy = context.problem, context.policy
    gold_is_float = left.has(Float)
    if not gold_is_float and (problem.float_answers or policy.float_answers) == "reject":
        return different(METHOD, "a float where an exact answer is asked")
    default = policy.rtol if gold_is_float else policy.float_rtol
    tolerance = Tolerance(problem.rtol if problem.rtol is not None else default, problem.atol or 0.0)
    if not left.free_symbols and not right.free_symbols:
        return _numbers(left, right, tolerance, context)
    read_left, read_right = as_decimals(left), as_decimals(right)
    finding = exactly(read_left, read_right, context)
    if finding.relation == "equal":
        return equal(METHOD, "equal with floats read as decimals")
    return _expressions(read_left, read_right, tolerance, context)


def as_decimals(expression: Expr) -> Expr:
    """The expression with each float as the decimal fraction it is printed as: 0.1 is 1/10."""
    floats = expression.atoms(Float)
    return expression.xreplace({number: _decimal(number) for number in floats}) if floats else expression


def _decimal(number: Float) -> Expr:
    if not number.is_finite:
        return number
    return Rational(repr(float(number))) if number._prec == 53 else Rational(str(number))


def _numbers(left: Expr, right: Expr, tolerance: Tolerance, context: Context) -> Finding:
    left, right = (unfolded(side, context.budget) for side in (left, right))
    try:
        values = context.budget.limited(
            lambda: Pair(left, right).values(Point({}, "constant")), context.budget.left
        )
    except OutOfTime:
        return undecided("the numbers could not be evaluated in time", METHOD)
    except NoValue as error:
        return undecided(f"no numerical value: {error}", METHOD)
    a, b = values
    shown = f"the gold is {mp.nstr(a, 15)}, the answer {mp.nstr(b, 15)}"
    if a == b:
        return equal(METHOD, shown)
    if not a and not tolerance.atol:
        return different(METHOD, f"{shown}; a gold of 0 needs an absolute tolerance (atol)")
    if isinstance(left, Integer) and mp.isint(b) and abs(b) < EXACT_INTEGERS:
        return different(METHOD, f"{shown}: different whole numbers")
    if tolerance.holds(a, b):
        return equal(METHOD, f"{shown}; within rtol {tolerance.rtol:g}")
    return different(METHOD, f"{shown}; outside rtol {tolerance.rtol:g}")


def _expressions(left: Expr, right: Expr, tolerance: Tolerance, context: Context) -> Finding:
    budget = context.budget
    left, right = realised((left, right))
    found = domains((left, right))
    try:
        pair = Pair(unfolded(left, budget), unfolded(right, budget))
    except NoValue as error:
        return undecided(f"no numerical value: {error}", METHOD)
    agreeing: list[Point] = []
    for point in plan(found, scales_of((left, right)), seed_of(left, right)):
        values = _values(pair, point, budget)
        if values is None:
            continue
        if not tolerance.holds(*values):
            return _refuted(point, values)
        agreeing.append(point)
        if len(agreeing) >= QUORUM:
            refutation = _at_breaks(pair, left, right, tolerance, budget)
            return refutation or _increments(pair, agreeing, found, tolerance, budget)
    return undecided(f"only {len(agreeing)} of {QUORUM} points have values", METHOD)


def _at_breaks(pair: Pair, left: Expr, right: Expr, tolerance: Tolerance, budget: Budget) -> Finding | None:
    """The refutation next to a jump or a bend or between two, if there is one.

    A float may be the place of a break, so one does not look closer than the tolerance allows for.
    """
    closest = Fraction(max(tolerance.rtol * BREAK_SLACK, CLOSEST))
    near = Nearness(offsets=(Fraction("1e-1"), Fraction("1e-3"), closest), at=False, same=closest)
    for point in break_points((left, right), domains((left, right)), seed_of(left, right), near):
        if budget.left <= 0:
            return None
        values = _values(pair, point, budget)
        if values is not None and not tolerance.holds(*values):
            return _refuted(point, values)
    return None


def _increments(
    pair: Pair, points: list[Point], found: dict[Symbol, Domain], tolerance: Tolerance, budget: Budget
) -> Finding:
    """`1e12 + x` and `1e12 + 2*x` have the same values to 1e-9; they do not grow alike."""
    loose = Tolerance(min(0.01, tolerance.rtol * INCREMENT_SLACK), tolerance.atol)
    for base, other in zip(points[:INCREMENT_POINTS], points[-INCREMENT_POINTS:], strict=False):
        start = _values(pair, base, budget)
        for symbol in found:
            moved = Point({**base.values, symbol: other.values[symbol]}, base.stratum)
            end = _values(pair, moved, budget)
            if start is None or end is None:
                continue
            steps = [mp.mpmathify(e) - s for s, e in zip(start, end, strict=True)]
            noise = magnitude(start[0]) - magnitude(steps[0]) > 40
            if not noise and not loose.holds(*steps):
                return _refuted(moved, end)
            if noise and not _alike(steps):
                return _refuted(moved, end)
    return equal(METHOD, f"{len(points)} points agree within rtol {tolerance.rtol:g}")


def _alike(steps: list[Number]) -> bool:
    """Whether tiny increments are at least of one size and direction."""
    return bool(abs(steps[0] - steps[1]) <= 0.1 * max(map(abs, steps)))


def _values(pair: Pair, point: Point, budget: Budget) -> tuple[Number, Number] | None:
    try:
        return budget.limited(lambda: pair.values(point), POINT_SECONDS)
    except (NoValue, OutOfTime):
        return None


def _refuted(point: Point, values: tuple[Number, Number]) -> Finding:
    a, b = (mp.nstr(value, 12) for value in values)
    return different(METHOD, f"at {point.shown()}: the gold is {a}, the answer {b}")
