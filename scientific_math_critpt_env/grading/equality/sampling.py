"""Two expressions at one point: do they agree, differ, or can it not be told?

The precision is raised until the difference is resolved. A difference that shrinks with the precision is
rounding; one that stays is a difference, however small (`1e-40*sin(x)` is not 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import sympy
from mpmath import mp
from sympy import Expr, Symbol

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import compiled_pair
from scientific_math_critpt_env.grading.equality.frame import (
    NEAR_BITS,
    NOWHERE,
    QUADRATURE_DIGITS,
    Frame,
    NoValue,
    Number,
    Trace,
    Undefined,
    magnitude,
    simplest,
)
from scientific_math_critpt_env.grading.equality.points import Coordinate, Point

DIGITS = 50
"""Working digits of the first look: 40 must agree, 10 are lost to rounding."""

AGREEING_SHARE = 0.8
"""Share of the working digits that must agree."""

RUNGS = 4
"""The precision is doubled at most this often after the first look: 50, 100, 200, 400, 800 digits."""

RESOLVING_DIGITS = 400
"""Up to so many digits are spent on making the smallest term of a sum visible."""

RESOLVING_BITS = 1200

QUADRATURE_AGREES = 0.5
"""Share of the working digits of the quadrature that must agree where a side was integrated numerically."""

QUADRATURE_DIFFERS = 8
"""A relative difference above 1e-8 refutes there; between the two nothing is known."""

NUMBER_DIGITS_LIMIT = 1200
"""Extra digits for long numbers in the expressions; longer ones go to exact arithmetic or nowhere."""

Look = Literal["agrees", "differs", "unclear", "no value", "undefined", "slow"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen at one point."""

    look: Look
    resolved: bool = False
    """Every term of every sum reached the result (counts for agreement)."""
    quadrature: bool = False
    left: str = ""
    right: str = ""
    """Values for people, where the sides differ."""
    missing: str = ""
    """left, right or both: which side has no value."""


class Pair:
    """Both sides, compiled; raises `NoValue` where one of them can nowhere be evaluated."""

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right = compiled_pair(left, right)
        self.extra_digits = _number_digits(left, right)
        self._right_first = False
        self.cuts_count = True
        """Whether points on a branch cut count: only where no complex symbol could be moved off it."""

    @property
    def digits(self) -> int:
        """Working digits of the first look."""
        return DIGITS + self.extra_digits

    def values(self, point: Point) -> tuple[Number, Number]:
        """Both values at the first precision that shows their first 20 digits; raises `NoValue`."""
        for rung in range(RUNGS + 1):
            with mp.workdps(self.digits << rung):
                frame = Frame(_values(point))
                sides = _side(self.left, frame), _side(self.right, frame)
                if isinstance(sides[0], str) or isinstance(sides[1], str):
                    raise NoValue("no value")
                if frame.trace.noise == NOWHERE or rung == RUNGS:
                    return sides
        raise NoValue("no value")

    def look(self, point: Point, *, digits: int = 0, quadrature_digits: int = QUADRATURE_DIGITS) -> Sight:
        """Compare both sides at the point, at `digits` first and higher where that leaves doubt."""
        digits = digits or self.digits
        earlier: tuple[Number, Number, int] | None = None
        trace = Trace()
        for rung in range(RUNGS + 1):
            now = digits << rung
            with mp.workdps(now):
                frame = Frame(_values(point), Trace(quadrature_digits=quadrature_digits))
                a, b = self._sides(frame)
                trace = frame.trace
                if isinstance(a, str) or isinstance(b, str):
                    return _without_value(a, b)
                gap, scale = abs(a - b), max(abs(a), abs(b))
                if trace.quadrature:
                    return self._by_quadrature(a, b, gap, scale, trace)
                if gap <= scale * mp.mpf(10) ** int(-AGREEING_SHARE * now):
                    if trace.resolved or now >= RESOLVING_DIGITS or rung == RUNGS:
                        return Sight("agrees", resolved=trace.resolved)
                    if trace.spread_bits > RESOLVING_BITS:
                        return Sight("agrees")
                    earlier = None
                    continue
                if earlier is not None:
                    before_a, before_b, before = earlier
                    moved = abs(a - before_a) + abs(b - before_b)
                    before_gap = abs(before_a - before_b)
                    if gap > 1000 * moved and _certain(a, b, gap, trace, rung):
                        return self._differs(a, b, trace)
                    if rung > 1 and gap <= before_gap * mp.mpf(10) ** int(-AGREEING_SHARE * (now - before)):
                        return Sight("agrees", resolved=trace.resolved)
                earlier = a, b, now
        return Sight("unclear")

    def _sides(self, frame: Frame) -> tuple[Number, Number]:
        """Both values or words; the side that failed last goes first, and the other one is spared then."""
        if self._right_first:
            b = _side(self.right, frame)
            return (b if b == "no value" else _side(self.left, frame)), b
        a = _side(self.left, frame)
        b = a if a == "no value" else _side(self.right, frame)
        self._right_first = b == "no value" and a != "no value"
        return a, b

    def _differs(self, a: Number, b: Number, trace: Trace) -> Sight:
        if trace.near_cut or trace.boundary or (trace.on_cut and not self.cuts_count):
            return Sight("unclear")
        return Sight("differs", left=_shown(a), right=_shown(b))

    def _by_quadrature(self, a: Number, b: Number, gap: Number, scale: Number, trace: Trace) -> Sight:
        if gap <= scale * mp.mpf(10) ** int(-QUADRATURE_AGREES * trace.quadrature_digits):
            # Long numbers could hide a difference below the digits that quadrature gives.
            return Sight("agrees", resolved=self.extra_digits == 0 and trace.resolved, quadrature=True)
        if gap > scale * mp.mpf(10) ** -QUADRATURE_DIFFERS:
            return self._differs(a, b, trace)
        return Sight("unclear", quadrature=True)


def _certain(a: Number, b: Number, gap: Number, trace: Trace, rung: int) -> bool:
    """Whether residues that were taken for 0 are too small to explain the difference.

    A side that is 0 for no other reason, or residues within half the digits, are believed on the last rung.
    """
    if trace.noise == NOWHERE:
        return True
    if a and b and trace.noise < magnitude(gap) - mp.prec // 2:
        return True
    return rung == RUNGS and trace.resolved and trace.noise < magnitude(gap) - NEAR_BITS


def _values(point: Point) -> dict[Symbol, Number]:
    return {symbol: _number(value) for symbol, value in point.values.items()}


def _number(value: Coordinate) -> Number:
    re, im = value
    return mp.mpc(_real(re), _real(im)) if im else _real(re)


def _real(value: Fraction) -> Number:
    number = mp.mpf(value.numerator)
    return number if value.denominator == 1 else number / value.denominator


def _side(evaluate: Evaluate, frame: Frame) -> Number:
    """The value, or a word that says that there is none."""
    try:
        return simplest(evaluate(frame))
    except Undefined:
        return "undefined"
    except NoValue:
        return "no value"
    except NO_VALUE_ERRORS:  # mpmath's arithmetic outside of functions: 1/0, overflow
        return "no value"


def _without_value(a: Number, b: Number) -> Sight:
    left, right = isinstance(a, str), isinstance(b, str)
    missing = "both" if left and right else "left" if left else "right"
    if missing != "both" and "undefined" in (a if left else "", b if right else ""):
        return Sight("undefined", left=_shown(a), right=_shown(b), missing=missing)
    return Sight("no value", missing=missing)


def _shown(side: Number) -> str:
    return side if isinstance(side, str) else str(mp.nstr(side, 12))


def _number_digits(left: Expr, right: Expr) -> int:
    """Digits of the longest number beyond 15: what two long numbers differ in must be visible."""
    longest = 0
    for side in (left, right):
        for atom in side.atoms(sympy.Rational):
            longest = max(longest, int(atom.p).bit_length(), int(atom.q).bit_length())
    digits = max(0, longest * 3 // 10 - 15)
    if digits > NUMBER_DIGITS_LIMIT:
        raise NoValue("a number with too many digits")
    return digits
