"""What the points said: refutations, agreement, and what it takes to believe in it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from sympy import Symbol

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.points import Point
from scientific_math_critpt_env.grading.equality.sampling import Pair, Sight
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided

QUORUM = 24
"""Points that must agree."""

QUADRATURE_QUORUM = 6
"""The same where a side has to be integrated or summed numerically at each point."""

STRATA_QUORUM = 2
"""Strata that agreeing points must come from."""

COSTLY_STRATA = ("large", "mixed", "scaled")
"""What is left out first where points are slow."""

HOPELESS_POINTS = 4
"""Points without a value after which one sign of a symbol is given up."""

SLOW_POINTS = 2
"""A stratum where so many points used up their time is left alone."""

DEEPER_POINTS = 4
"""Agreeing points that are looked at again with twice the digits."""

DEEPER_STRATA = ("unit", "middle")
"""Where special functions are cheap at any precision."""

DEEPEST_DIGITS = 600
"""Digits of one last look: `cosh(exp(-200))` is 1 to 170 digits, and nothing in 40 or 110 of them tells."""

DEEPEST_BREAKS = 3
"""The farthest break points are looked at as deeply: `Heaviside(x - 1000)*exp(-x)` is below 1e-434."""

POINT_SECONDS = 0.3
"""CPU for one point."""


def look_at(
    pair: Pair, point: Point, budget: Budget, digits: int = 0, seconds: float = POINT_SECONDS
) -> Sight:
    try:
        return budget.limited(lambda: pair.look(point, digits=digits), seconds)
    except OutOfTime:
        return Sight("slow", missing="both")


class Tally:
    """What the points said so far."""

    def __init__(self) -> None:
        self.agreeing: list[Point] = []
        self.strata: Counter[str] = Counter()
        self.breaks: list[Point] = []
        """Agreeing points next to jumps, also those where not every term is visible."""
        self.valid = 0
        self.unresolved = 0
        self.unclear = 0
        self.quadrature = False
        self.undefined: list[tuple[Point, Sight]] = []
        self._failed: Counter[tuple[Symbol, bool]] = Counter()
        self._valued: Counter[tuple[Symbol, bool]] = Counter()
        self.slow: Counter[str] = Counter()
        """Points by stratum that used up their time."""

    def too_slow(self, point: Point) -> bool:
        """Whether the point is of a kind that uses up its time."""
        slow = self.slow[point.stratum] >= SLOW_POINTS
        return slow or (point.stratum in COSTLY_STRATA and self.slow.total() > SLOW_POINTS)

    def hopeless(self, point: Point) -> bool:
        """Whether a symbol has a sign here with which nothing ever had a value, unlike the other sign."""
        return any(
            self._failed[side] >= HOPELESS_POINTS and not self._valued[side] and self._valued[other]
            for side, other in _sides(point)
        )

    def add(self, point: Point, sight: Sight) -> Finding | None:
        """Count the point; the refutation, if it is one."""
        counter = self._failed if sight.look in ("no value", "slow") else self._valued
        for side, _ in _sides(point):
            counter[side] += 1
        if sight.look == "differs":
            return refuted(point, sight)
        if sight.look == "slow":
            self.slow[point.stratum] += 1
        elif sight.look == "undefined":
            self.undefined.append((point, sight))
            if point.stratum != "break" and len(self.undefined) > 1:
                return refuted(point, sight)
        elif sight.look == "unclear":
            self.unclear += 1
        elif sight.look == "agrees":
            self.valid += 1
            self.quadrature |= sight.quadrature
            if point.stratum == "break":
                self.breaks.append(point)
            if sight.resolved:
                self.agreeing.append(point)
                self.strata[point.stratum] += 1
            else:
                self.unresolved += 1
        return None

    @property
    def complete(self) -> bool:
        needed = QUADRATURE_QUORUM if self.quadrature else QUORUM
        generic = sum(count for stratum, count in self.strata.items() if stratum != "break")
        return generic >= needed and len(self.strata) >= STRATA_QUORUM + (not self.quadrature)

    def finding(self, pair: Pair, budget: Budget) -> Finding:
        needed = QUADRATURE_QUORUM if self.quadrature else QUORUM
        count = len(self.agreeing)
        if count < needed or len(self.strata) < STRATA_QUORUM:
            return undecided(
                f"only {count} of {needed} points agree with all terms visible "
                f"({self.unresolved} not resolved, {self.unclear} unclear)"
            )
        if self.unclear > count // 2:
            return undecided(f"{self.unclear} points are unclear")
        if self.quadrature:
            return equal(
                "numeric", f"{count} points agree to 15 digits by numerical integration or summation"
            )
        return self._deeper(pair, budget) or equal("numeric", f"{count} points agree to 40 digits")

    def _deeper(self, pair: Pair, budget: Budget) -> Finding | None:
        """Look at some agreeing points with twice the digits; None where they agree there as well."""
        near = [point for point in self.agreeing if point.stratum in DEEPER_STRATA] or self.agreeing
        near.sort(key=_extent)
        confirmed = slow = 0
        for point in near[: 2 * DEEPER_POINTS]:
            sight = look_at(pair, point, budget, digits=2 * pair.digits, seconds=2 * POINT_SECONDS)
            if sight.look == "differs":
                return refuted(point, sight)
            confirmed += sight.look == "agrees"
            slow += sight.look == "slow"
            if confirmed == DEEPER_POINTS or slow >= SLOW_POINTS:
                break
        if not confirmed:
            return undecided("agreement at 40 digits was not confirmed at 80")
        breaks = sorted(self.breaks, key=_extent)[-DEEPEST_BREAKS:]
        for point in (near[0], *breaks):
            refutation = deepest(pair, point, budget)
            if refutation is not None:
                return refutation
        return None


def deepest(pair: Pair, point: Point, budget: Budget) -> Finding | None:
    """One last look with hundreds of digits; the refutation, if it is one. Too slow a point says nothing."""
    sight = look_at(pair, point, budget, digits=DEEPEST_DIGITS)
    return refuted(point, sight) if sight.look == "differs" else None


def _extent(point: Point) -> Fraction:
    """How far out a point lies: special functions are cheaper near 0."""
    return sum((abs(re) + abs(im) for re, im in point.values.values()), start=Fraction(0))


def _sides(point: Point) -> list[tuple[tuple[Symbol, bool], tuple[Symbol, bool]]]:
    """For each symbol with a real value: (symbol, whether it is negative) and the opposite."""
    return [((symbol, re < 0), (symbol, re >= 0)) for symbol, (re, im) in point.values.items() if not im]


def refuted(point: Point, sight: Sight) -> Finding:
    where = f"at {point.shown()}: " if point.values else ""
    beyond = " (they part beyond these digits)" if sight.left == sight.right else ""
    return different("numeric", f"{where}the gold is {sight.left}, the answer {sight.right}{beyond}")
