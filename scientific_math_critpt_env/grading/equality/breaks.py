"""Points at, next to and on both sides of the places where something jumps or bends, and between them.

`sin(x)` and `sin(x) + Heaviside(x - 50)` agree wherever one usually looks, and a density on a square far
from the origin is 0 there. So the critical values of both sides are collected along each symbol; it is moved
around each of them alone, and all symbols together through the cells that these values cut the space into.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import sympy
from sympy import Expr, Symbol

from scientific_math_critpt_env.grading.equality.critical import break_functions, zeros
from scientific_math_critpt_env.grading.equality.domains import Domain
from scientific_math_critpt_env.grading.equality.points import Coordinate, Point

FUNCTIONS_LIMIT = 16
"""Break functions that are followed; real expressions have one to four."""

CONSTANTS_LIMIT = 6
"""Whole numbers of the expressions whose multiples are tried, the smallest ones."""

CELLS_LIMIT = 64
"""Cells looked into; two symbols with seven critical values each have as many."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near to a break one looks."""

    offsets: tuple[Fraction, ...] = (Fraction("1e-1"), Fraction("1e-4"), Fraction("1e-12"))
    """Relative distances from a break at which both sides are probed."""
    at: bool = True
    """Whether the break itself is."""
    same: Fraction = Fraction(0)
    """Breaks of the two sides that are relatively closer than this count as one."""


def break_points(
    expressions: Sequence[Expr], domains: dict[Symbol, Domain], seed: int, near: Nearness | None = None
) -> Iterator[Point]:
    """Points around the breaks, then points in the cells between them."""
    near = near or Nearness()
    source = random.Random(seed + 1)
    yield from _at_constants(expressions, domains, source)
    critical: dict[Symbol, set[Fraction]] = {}
    functions = (f for f in break_functions(expressions) if f.free_symbols <= domains.keys())
    for function in itertools.islice(functions, FUNCTIONS_LIMIT):
        for symbol in sorted(function.free_symbols & domains.keys(), key=lambda s: s.name):
            if domains[symbol].kind == "imaginary":
                continue
            others = {s: _generic(d, source) for s, d in domains.items() if s != symbol}
            for zero in zeros(function, symbol, others):
                critical.setdefault(symbol, set()).add(zero)
                for value in _around(zero, domains[symbol], near):
                    yield Point({s: others.get(s, (value, Fraction(0))) for s in domains}, "break")
    yield from _in_cells(critical, domains, source, near)


def _in_cells(
    critical: dict[Symbol, set[Fraction]],
    domains: dict[Symbol, Domain],
    source: random.Random,
    near: Nearness,
) -> Iterator[Point]:
    """One point in each cell, the outermost first; where there are too many, in some of them."""
    values = {
        s: _between(sorted(found), domains[s], near, Fraction(turn, 100))
        for turn, (s, found) in enumerate(critical.items())
    }
    axes = {s: inside for s, inside in values.items() if inside}
    if not axes:
        return
    cells: Iterator[tuple[Fraction, ...]] = itertools.product(*axes.values())
    if prod(map(len, axes.values())) > CELLS_LIMIT:
        last = tuple(inside[-1] for inside in axes.values())
        cells = iter([last, *(tuple(map(source.choice, axes.values())) for _ in range(CELLS_LIMIT))])
    for cell in cells:
        place = dict(zip(axes, cell, strict=True))
        yield Point(
            {s: (place[s], Fraction(0)) if s in place else _generic(d, source) for s, d in domains.items()},
            "break",
        )


def _between(critical: list[Fraction], domain: Domain, near: Nearness, shift: Fraction) -> list[Fraction]:
    """A value below the critical ones, one between each two, and one above, inside the domain.

    `shift` is one for each symbol: where all have the same critical values, they must not be equal.
    """
    if not critical:
        return []
    low, high = critical[0], critical[-1]
    inside = [low - max(abs(low), Fraction(1)) * (Fraction("0.37") + shift)]
    inside += [
        a + (b - a) * (Fraction("0.43") + shift)
        for a, b in itertools.pairwise(critical)
        if b - a > near.same * max(abs(a), abs(b))
    ]
    inside.append(high + max(abs(high), Fraction(1)) * (Fraction("0.61") + shift))
    if domain.kind == "integer":
        inside = list(dict.fromkeys(Fraction(value.numerator // value.denominator) for value in inside))
    return [value for value in inside if domain.admits(value)]


def _at_constants(
    expressions: Sequence[Expr], domains: dict[Symbol, Domain], source: random.Random
) -> Iterator[Point]:
    """Whole numbers at and around multiples of those in the expressions: `n**12 - 1` modulo 13 at n = 13."""
    whole = [symbol for symbol, domain in domains.items() if domain.kind == "integer" and not domain.small]
    if not whole:
        return
    numbers = {abs(int(atom)) for e in expressions for atom in e.atoms(sympy.Integer)}
    for number in sorted(number for number in numbers if 1 < number < 10**6)[:CONSTANTS_LIMIT]:
        for symbol in whole:
            others = {s: _generic(d, source) for s, d in domains.items() if s != symbol}
            for value in (number, 2 * number, 3 * number, number - 1, number + 1, -number):
                if domains[symbol].admits(Fraction(value)):
                    moved = Fraction(value), Fraction(0)
                    yield Point({s: others.get(s, moved) for s in domains}, "break")


def _generic(domain: Domain, source: random.Random) -> Coordinate:
    for _ in range(60):
        value = Fraction(source.randint(-3000, 3000), 1 if domain.kind == "integer" else 1000)
        if domain.kind == "integer":
            value = Fraction(source.randint(-6, 12))
        if domain.admits(value):
            return (Fraction(0), value) if domain.kind == "imaginary" else (value, Fraction(0))
    return Fraction(domain.sign or 1), Fraction(0)


def _around(zero: Fraction, domain: Domain, near: Nearness) -> Iterator[Fraction]:
    """The break itself, and both sides of it."""
    if domain.kind == "integer":
        whole = zero.numerator // zero.denominator
        candidates = [Fraction(whole + step) for step in (0, 1, -1, 2, -2)]
    else:
        scale = abs(zero) if zero else Fraction(1)
        candidates = [zero] if near.at else []
        candidates += [zero + sign * scale * offset for offset in near.offsets for sign in (1, -1)]
    return (value for value in candidates if domain.admits(value))
