"""Numerical integrals: over different partitions until two agree.

Covered: one variable of integration, infinite intervals, integrable end points, kinks at whole numbers.
Not covered: several variables (left to closed forms), slowly decaying oscillations (no two partitions agree).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import sympy
from mpmath import mp
from sympy import Basic, Symbol

from scientific_math_critpt_env.grading.equality.arithmetic import Evaluate
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler
from scientific_math_critpt_env.grading.equality.frame import (
    Frame,
    NoValue,
    Number,
    is_complex,
    magnitude,
    simplest,
)
from scientific_math_critpt_env.grading.equality.kinks import kink_functions, kinks
from scientific_math_critpt_env.grading.equality.nesting import confirmed, nested, trusted

WHOLE_CUTS = 40
"""Longest interval that is cut at its whole numbers, where kinks are most often."""

SPLIT = (0.3719, 0.7193)
"""Where an interval is cut for its second evaluation: no special point of anything."""

DISTANCES = ((9999.1, 10000.3, 10002.7), (99999999.1, 100000000.3, 100000002.7))
"""Where the tail of an integrand is looked at: near and far, three points each because it may oscillate."""

SHRINKING = 0.015
"""x*f(x) must shrink by this from near to far: x**(-1.5) does, and its tail is below 15 digits."""

INWARD = ("1e-8", "1e-16")
"""Where an integrand is looked at next to an end or a cut, in lengths of the interval: far and near."""

POLE = 0.5
"""h*f(c + h) must shrink by this from far to near if |f| grows: h**(-0.9) shrinks to 0.16, 1/h not."""

GROWING = 1000
"""By how much |f| grows from far to near where it is looked at twice: h**(-3/8), or more."""

GONE_BITS = -3000
"""Binary exponent of what is left of exp(-x) and its like, and of no power of x that occurs."""

OUTWARD: tuple[tuple[float, ...], ...] = ((0.5, 1, 2, 4, 8), (0.7, 1.7, 3.7, 7.7, 15.7))
"""Distances from the finite end at which infinite intervals are cut."""


def _integral(compiler: Compiler, node: Basic) -> Evaluate:
    if len(node.limits) > 1:
        raise NoValue("an integral over several variables")
    bends = kink_functions(node.function, node.limits[0][0])
    return nested(node, partial(_integrated, bends))


def _integrated(
    bends: list[Evaluate], integrand: Evaluate, variable: Symbol, low: Evaluate, high: Evaluate
) -> Evaluate:
    def value(frame: Frame) -> Number:
        a, b = low(frame), high(frame)
        if a == b:
            return mp.zero
        frame.trace.quadrature = True
        with mp.workdps(frame.trace.quadrature_digits):
            gone: set[int] = set()  # towards which infinities the integrand has vanished

            def function(x: Number) -> Number:
                try:
                    return integrand(frame.bound(variable, x))
                except (NoValue, ZeroDivisionError):
                    if x in (a, b):  # a node that rounding moved onto the end of the interval
                        return mp.zero
                    if abs(x) > DISTANCES[-1][-1] and (1 if x > 0 else -1) in gone:
                        return mp.zero  # 1/(exp(x) - 1), where exp(x) is too large to be computed
                    raise

            for end in (a, b):
                if mp.isinf(end):
                    sign = 1 if end > 0 else -1
                    if _must_decay(function, sign):
                        gone.add(sign)
            if mp.isinf(a) and mp.isinf(b):
                # Both halves for themselves: by symmetry, what diverges to both sides would cancel to 0.
                return _in_pieces(function, [a, mp.zero, b])
            if bends and mp.isfinite(a) and mp.isfinite(b) and not (is_complex(a) or is_complex(b)):
                cuts = kinks(bends, frame, variable, min(a, b), max(a, b))
                if cuts:
                    total = _in_pieces(function, [min(a, b), *cuts, max(a, b)])
                    return total if a < b else -total
            return _agreed(function, a, b)

    return value


def _must_decay(function: Callable[[Number], Number], sign: int) -> bool:
    """Whether nothing is left of x*f(x) far out; raises NoValue where it does not even shrink.

    There the integral diverges, or converges so slowly that all partitions truncate its tail alike and
    agree on a wrong value.
    """
    try:
        near, far = (max(abs(x * function(sign * mp.mpf(x))) for x in distance) for distance in DISTANCES)
    except (NoValue, OverflowError, ZeroDivisionError):
        return False  # no value out there: the partitions decide
    if far > SHRINKING * near:
        raise NoValue("the integrand decays too slowly to be integrated numerically")
    return magnitude(far) < GONE_BITS


def _in_pieces(function: Callable[[Number], Number], ends: list[Number]) -> Number:
    """The sum of the integrals from end to end; 0 where no more is left of it than their errors."""
    pieces = [_agreed(function, a, b) for a, b in pairwise(ends)]
    total = mp.fsum(pieces)
    return simplest(total) if abs(total) > max(map(abs, pieces)) * trusted() else mp.zero


def _agreed(function: Callable[[Number], Number], a: Number, b: Number) -> Number:
    """The integral over the first partition that agrees with the one before."""
    partitions = _partitions(a, b)
    before = mp.quad(function, next(partitions))
    for partition in partitions:
        now = mp.quad(function, partition)
        if abs(now - before) <= max(abs(now), abs(before)) * trusted():
            _must_be_integrable(function, partition)
            return simplest(now)
        if abs(now) < 10**5 * trusted() and abs(before) < 10**5 * trusted():
            size = mp.quad(lambda x: abs(function(x)), partition)
            if max(abs(now), abs(before)) <= size * trusted():
                return mp.zero
        last, before = before, now
    return confirmed(last, before)


def _must_be_integrable(function: Callable[[Number], Number], partition: list[Number]) -> None:
    """Raise NoValue at a pole, of first order or more: what diverges to both sides of a cut would cancel."""
    finite = [point for point in partition if mp.isfinite(point)]
    length = abs(finite[-1] - finite[0]) or mp.one
    for point, towards in (*pairwise(partition), *((y, x) for x, y in pairwise(partition))):
        if not mp.isfinite(point):
            continue
        step = length * (mp.sign(towards - point) if mp.isfinite(towards) else (1 if towards > 0 else -1))
        try:
            far, near = (abs(step * mp.mpf(h) * function(point + step * mp.mpf(h))) for h in INWARD)
        except (NoValue, OverflowError, ZeroDivisionError):
            continue  # no value there, as with exp(1/x) at 0: the partitions have decided
        ratio = mp.mpf(INWARD[1]) / mp.mpf(INWARD[0])
        if near > GROWING * ratio * far and near > POLE * far:
            raise NoValue("the integrand has a pole in the interval")


def _partitions(a: Number, b: Number) -> Iterator[list[Number]]:
    """Partitions of the interval, finer and finer; at most one end is infinite."""
    if mp.isinf(a) or mp.isinf(b):
        end, sign = (a, 1 if b > 0 else -1) if mp.isinf(b) else (b, 1 if a > 0 else -1)
        plans: tuple[tuple[float, ...], ...] = ((), tuple(3 * cut for cut in SPLIT), *OUTWARD)
        for steps in plans:
            cuts = [end + sign * step for step in steps]
            yield [a, *cuts, b] if mp.isinf(b) else [a, *reversed(cuts), b]
    else:
        yield [a, b]
        yield [a, *[a + (b - a) * cut for cut in SPLIT], b]
        yield from _at_whole_numbers(a, b)
        for pieces in (7, 11):
            yield [a + (b - a) * k / pieces for k in range(pieces + 1)]


def _at_whole_numbers(a: Number, b: Number) -> Iterator[list[Number]]:
    if is_complex(a) or is_complex(b) or not abs(b - a) <= WHOLE_CUTS:
        return
    low, high = min(a, b), max(a, b)
    cuts = [low, *(mp.mpf(k) for k in range(int(mp.floor(low)) + 1, int(mp.ceil(high)))), high]
    if len(cuts) > 2:
        halves = sorted([*cuts, *((x + y) / 2 for x, y in pairwise(cuts))])
        for partition in (cuts, halves):
            yield partition if a < b else partition[::-1]


SPECIAL[sympy.Integral] = _integral
