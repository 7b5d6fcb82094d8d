"""Refutation and agreement by values at stratified points.

Refutation is certain up to the digits of the witness. Agreement is evidence, not proof: it needs two dozen
points where every term of both sides is visible, in more than one stratum, and none that disagrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, islice

from sympy import Expr, Symbol

from scientific_math_critpt_env.grading.equality.breaks import break_points
from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.domains import Domain, domains, narrowed
from scientific_math_critpt_env.grading.equality.frame import NoValue
from scientific_math_critpt_env.grading.equality.points import Point, neighbours, plan, scales_of, seed_of
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

BRIEF_POINTS = 2
"""Points that check a proof."""

DEEPER_POINTS = 4
"""Agreeing points that are looked at again with twice the digits."""

POINT_SECONDS = 0.3
"""CPU for one point."""

DEEP_QUADRATURE_DIGITS = 80
"""Working digits of integrals in two numbers that agree to 15 digits."""

DEEP_QUADRATURE_SECONDS = 0.7

DEEPER_STRATA = ("unit", "middle")
"""Where special functions are cheap at any precision."""

CONSTANT_DIGITS = 110
"""Working digits for two numbers: there is only one point, so it gets more digits than 40."""

DEEPEST_DIGITS = 600
"""Digits of one last look: `cosh(exp(-200))` is 1 to 170 digits, and nothing in 40 or 110 of them tells."""

RESOLVED_DIGITS_LIMIT = 2500
"""Digits spent on a constant whose terms differ in size by hundreds of orders of magnitude."""


def probe(
    left: Expr,
    right: Expr,
    budget: Budget,
    found: dict[Symbol, Domain] | None = None,
    *,
    brief: bool = False,
) -> Finding:
    """`different` with a witness, `equal` by numeric agreement, or `undecided`.

    `found` are the domains of the symbols where they are known from an earlier form of the expressions;
    `brief`: look at a few generic points only, as a check of a proof.
    """
    try:
        pair = Pair(left, right)
    except NoValue as error:
        return undecided(f"no numerical value: {error}")
    found = domains((left, right)) if found is None else found
    if not left.free_symbols and not right.free_symbols:
        return _constants(pair, budget)
    seed, scales = seed_of(left, right), scales_of((left, right))
    if brief:
        pair.cuts_count = False
        return _visit(islice(plan(found, scales, seed), BRIEF_POINTS), pair, _Tally(), budget) or undecided(
            ""
        )
    finding = undecided("no point where both sides have a value")
    for choice in [found, *narrowed(found)]:
        pair.cuts_count = not any(domain.kind in ("complex", "imaginary") for domain in choice.values())
        tally = _Tally()
        refuted = _visit(_ordered((left, right), choice, scales, seed), pair, tally, budget)
        if refuted is None and tally.agreeing and not tally.complete:
            refuted = _visit(neighbours(tuple(tally.agreeing), choice, seed), pair, tally, budget)
        if refuted is not None:
            return refuted
        finding = tally.finding(pair, budget)
        if finding.relation != "undecided":
            break
    return finding


def _visit(points: Iterable[Point], pair: Pair, tally: _Tally, budget: Budget) -> Finding | None:
    """Look at the points until enough agree; the refutation, if there is one."""
    for point in points:
        if budget.left <= 0:
            return None
        if tally.too_slow(point) or tally.hopeless(point):
            continue
        refuted = tally.add(point, _look(pair, point, budget))
        if refuted is not None or tally.complete:
            return refuted
    return None


def _ordered(
    sides: tuple[Expr, Expr], found: dict[Symbol, Domain], scales: list, seed: int
) -> Iterator[Point]:
    """A few generic points first (they refute most of what is wrong), then the breaks, then the rest."""
    generic = plan(found, scales, seed)
    first = [next(generic) for _ in range(3)]
    return chain(first, break_points(sides, found, seed), generic)


def _look(pair: Pair, point: Point, budget: Budget, digits: int = 0, seconds: float = POINT_SECONDS) -> Sight:
    try:
        return budget.limited(lambda: pair.look(point, digits=digits), seconds)
    except OutOfTime:
        return Sight("slow", missing="both")


class _Tally:
    """What the points said so far."""

    def __init__(self) -> None:
        self.agreeing: list[Point] = []
        self.strata: Counter[str] = Counter()
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
            return _refuted(point, sight)
        if sight.look == "slow":
            self.slow[point.stratum] += 1
        elif sight.look == "undefined":
            self.undefined.append((point, sight))
            if point.stratum != "break" and len(self.undefined) > 1:
                return _refuted(point, sight)
        elif sight.look == "unclear":
            self.unclear += 1
        elif sight.look == "agrees":
            self.valid += 1
            self.quadrature |= sight.quadrature
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
            sight = _look(pair, point, budget, digits=2 * pair.digits, seconds=2 * POINT_SECONDS)
            if sight.look == "differs":
                return _refuted(point, sight)
            confirmed += sight.look == "agrees"
            slow += sight.look == "slow"
            if confirmed == DEEPER_POINTS or slow >= SLOW_POINTS:
                break
        if not confirmed:
            return undecided("agreement at 40 digits was not confirmed at 80")
        return _deepest(pair, near[0], budget)


def _deepest(pair: Pair, point: Point, budget: Budget) -> Finding | None:
    """One last look with hundreds of digits; the refutation, if it is one. Too slow a point says nothing."""
    sight = _look(pair, point, budget, digits=DEEPEST_DIGITS)
    return _refuted(point, sight) if sight.look == "differs" else None


def _extent(point: Point) -> Fraction:
    """How far out a point lies: special functions are cheaper near 0."""
    return sum((abs(re) + abs(im) for re, im in point.values.values()), start=Fraction(0))


def _sides(point: Point) -> list[tuple[tuple[Symbol, bool], tuple[Symbol, bool]]]:
    """For each symbol with a real value: (symbol, whether it is negative) and the opposite."""
    return [((symbol, re < 0), (symbol, re >= 0)) for symbol, (re, im) in point.values.items() if not im]


def _refuted(point: Point, sight: Sight) -> Finding:
    where = f"at {point.shown()}: " if point.values else ""
    beyond = " (they part beyond these digits)" if sight.left == sight.right else ""
    return different("numeric", f"{where}the gold is {sight.left}, the answer {sight.right}{beyond}")


def _constants(pair: Pair, budget: Budget) -> Finding:
    """Two numbers: as many digits as it takes to see every term, then twice as many."""
    point = Point({}, "constant")
    digits = CONSTANT_DIGITS + pair.extra_digits
    while digits <= RESOLVED_DIGITS_LIMIT:
        try:
            sight = budget.limited(lambda: pair.look(point, digits=digits), budget.left)  # noqa: B023 - called here
        except OutOfTime:
            return undecided("the probes ran out of CPU time")
        if sight.look == "differs":
            return different("numeric", f"the gold is {sight.left}, the answer {sight.right}")
        if sight.look == "undefined":
            return different("numeric", f"the gold is {sight.left}, the answer is {sight.right}")
        if sight.look != "agrees":
            return undecided(
                f"the numbers cannot be told apart or have no value ({sight.missing or 'unclear'})"
            )
        if sight.quadrature:
            return _quadrature_constants(pair, sight, budget)
        if sight.resolved:
            deepest = _deepest(pair, point, budget)
            return deepest or equal("numeric", f"both numbers agree to {int(digits * 0.8)} digits")
        digits *= 2
    return undecided("terms of the numbers differ too much in size")


def _quadrature_constants(pair: Pair, sight: Sight, budget: Budget) -> Finding:
    """Numbers that agree to 15 digits by numerical integration: once more with 70 working digits."""
    if not sight.resolved:
        return undecided("numerical integration has too few digits for the numbers involved")
    point = Point({}, "constant")
    try:
        sight = budget.limited(
            lambda: pair.look(point, quadrature_digits=DEEP_QUADRATURE_DIGITS), DEEP_QUADRATURE_SECONDS
        )
    except OutOfTime:
        sight = Sight("slow")
    if sight.look == "differs":
        return different("numeric", f"the gold is {sight.left}, the answer {sight.right}")
    if sight.look == "unclear":
        return undecided("numerical integration agrees to 15 digits, not to more")
    digits = DEEP_QUADRATURE_DIGITS // 2 if sight.look == "agrees" else 15
    return equal("numeric", f"both numbers agree to {digits} digits by numerical integration or summation")
