"""Points of several kinds inside the domains of the symbols: five numbers below 3 see very little.

Strata: unit (around 1e-1..1), middle (1..5), large (log-uniform to 1e3), tiny (1e-6..1e-2), scaled (by the
numbers of the expressions, so that `exp(-x/10**6)` is met where it changes), and for complex symbols also
the axes. Integers: consecutive small ones, middle and large. Seeded by the content of both sides.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy import Expr, Rational, Symbol, preorder_traversal

from scientific_math_critpt_env.grading.equality.domains import Domain

STRATA: tuple[str, ...] = ("unit", "middle", "large", "tiny")

PLANNED = 100
"""Points of one plan: two dozen must agree, and some have no value or are not resolved."""

LARGE_EXPONENTS = (1.0, 3.0)
"""Large values are 10**u with u in this range: beyond, exponentials only compare their largest term."""

LARGE_INTEGER_EXPONENTS = (1.8, 4.0)

COMPOSITES = (
    12,
    24,
    30,
    36,
    60,
    64,
    81,
    97,
    100,
    101,
    120,
    210,
    256,
    360,
    625,
    720,
    1001,
    1260,
    2310,
    2520,
    5040,
)
"""Integers divisible by much, and some by nothing: conditions modulo m are met from both sides."""

SCALES = 4
"""Numbers of the expressions that are tried as scales of the symbols."""

SMALL_INDICES = {"middle": (7, 25), "large": (26, 120)}
"""Bounds of sums and indices; in the other strata they run over 0..6, so that two of them often coincide."""

DENOMINATORS = (9973, 10007, 7919)

_TRIES = 60

Coordinate = tuple[Fraction, Fraction]
"""Real and imaginary part, exactly: the same point at every precision."""


@dataclass(frozen=True, slots=True)
class Point:
    """Values of all symbols, and the stratum they come from."""

    values: dict[Symbol, Coordinate]
    stratum: str

    def shown(self) -> str:
        """As said in a reason."""
        return ", ".join(f"{symbol.name} = {_shown(value)}" for symbol, value in self.values.items())


def plan(domains: dict[Symbol, Domain], scales: Sequence[Fraction], seed: int) -> Iterator[Point]:
    """The points in the order in which they are tried: generic ones first."""
    source = random.Random(seed)
    strata = [*STRATA, "scaled"] if scales else list(STRATA)
    if any(domain.kind == "complex" for domain in domains.values()):
        strata += ["axis"]
    order = ["unit", "middle", "unit", "middle", *strata * 25]
    for index in range(PLANNED):
        stratum = order[index]
        mixed = index % 3 == 2 and len(domains) > 1
        values = {}
        for position, (symbol, domain) in enumerate(domains.items()):
            own = source.choice(strata) if mixed and position else stratum
            values[symbol] = _coordinate(domain, own, scales, source, index)
        yield Point(values, "mixed" if mixed else stratum)


def neighbours(points: Sequence[Point], domains: dict[Symbol, Domain], seed: int) -> Iterator[Point]:
    """More points near those given, for expressions that have values on a part of the domain only."""
    source = random.Random(seed + 2)
    for round_number in range(3):
        for point in points:
            values = {
                symbol: _moved(value, domains[symbol], source, round_number + 1)
                for symbol, value in point.values.items()
            }
            yield Point(values, point.stratum)


def _moved(value: Coordinate, domain: Domain, source: random.Random, steps: int) -> Coordinate:
    re, im = value
    if domain.kind == "integer":
        moved = re + source.choice((-1, 0, 1)) * steps
        return (moved, im) if domain.admits(moved) else value
    factor = _digits(source.uniform(0.75, 1.2))
    return re * factor, im * _digits(source.uniform(0.8, 1.25))


def seed_of(left: Expr, right: Expr) -> int:
    """A seed from the content of both sides, the same in both orders."""
    return (_fingerprint(left) + _fingerprint(right)) & 0xFFFFFFFF


def scales_of(expressions: Iterable[Expr]) -> list[Fraction]:
    """Numbers in the expressions that are far from 1, as positive fractions; all where integers vary."""
    expressions = list(expressions)
    whole = any(symbol.is_integer for e in expressions for symbol in e.free_symbols)
    found: set[Fraction] = set()
    for expression in expressions:
        for atom in expression.atoms(sympy.Rational, sympy.Float):
            number = Rational(atom)
            if number and (whole or not Rational(1, 20) < abs(number) < 20) and abs(number) != 1:
                found.add(abs(Fraction(int(number.p), int(number.q))))
    return sorted(found, key=lambda f: (abs(f.numerator.bit_length() - f.denominator.bit_length()), f))[
        :SCALES
    ]


def _fingerprint(expression: Expr) -> int:
    total = 0
    for node in preorder_traversal(expression):
        if isinstance(node, Rational):
            text = f"{int(node.p) & 0xFFFFFFFF}/{int(node.q) & 0xFFFFFFFF}"
        elif isinstance(node, Symbol):
            text = node.name
        else:
            text = type(node).__name__
        total = zlib.crc32(text.encode(), total)
    return total


def _coordinate(
    domain: Domain, stratum: str, scales: Sequence[Fraction], source: random.Random, index: int
) -> Coordinate:
    zero = Fraction(0)
    if domain.kind == "complex":
        return _complex(stratum, scales, source, real_axis=not domain.declared)
    for attempt in range(_TRIES):
        if domain.kind == "integer":
            value = _integer(domain, stratum, scales, source, index + attempt)
        else:
            value = _size(stratum, scales, source) * (domain.sign or source.choice((1, -1)))
        if domain.admits(value):
            return (zero, value) if domain.kind == "imaginary" else (value, zero)
    return _fallback(domain), zero


def _fallback(domain: Domain) -> Fraction:
    """The first whole number that satisfies rare facts (a prime, an even number); 0 for zero itself."""
    for number in range(500):
        for value in (Fraction(number), Fraction(-number)):
            if domain.admits(value):
                return value
    return Fraction(domain.sign or 1)


def _complex(
    stratum: str, scales: Sequence[Fraction], source: random.Random, *, real_axis: bool
) -> Coordinate:
    size = _size("middle" if stratum == "axis" else stratum, scales, source)
    if stratum == "axis":
        size *= source.choice((1, -1))
        return (size, Fraction(0)) if real_axis and source.random() < 0.7 else (Fraction(0), size)
    slant = _digits(source.uniform(0.15, 0.95))
    other = size * slant
    re, im = (size, other) if source.random() < 0.5 else (other, size)
    return re * source.choice((1, -1)), im * source.choice((1, -1))


def _size(stratum: str, scales: Sequence[Fraction], source: random.Random) -> Fraction:
    """A positive number of the stratum with four digits."""
    if stratum == "large":
        return _short(10 ** source.uniform(*LARGE_EXPONENTS), source)
    if stratum == "tiny":
        return _short(10 ** source.uniform(-6, -2), source)
    if stratum == "scaled":
        scale = source.choice(scales)
        return _short(source.uniform(0.3, 2.5), source) * (scale if source.random() < 0.5 else 1 / scale)
    return _short(source.uniform(0.08, 1.0) if stratum == "unit" else source.uniform(1.0, 5.0), source)


def _short(value: float, source: random.Random) -> Fraction:
    """A number with four digits, or a fraction: `sin(10**4*pi*x)` is 0 at every short decimal."""
    if source.random() < 0.5:
        return _digits(value)
    denominator = source.choice(DENOMINATORS)
    return Fraction(max(1, round(value * denominator)), denominator)


def _digits(value: float) -> Fraction:
    return Fraction(f"{value:.3e}")


def _integer(
    domain: Domain, stratum: str, scales: Sequence[Fraction], source: random.Random, index: int
) -> Fraction:
    if domain.small:
        return Fraction(
            source.randint(*SMALL_INDICES.get(stratum, (0, 6))) * (domain.sign or source.choice((1, -1)))
        )
    sign = domain.sign or source.choice((1, -1))
    if stratum == "large":
        return sign * Fraction(int(10 ** source.uniform(*LARGE_INTEGER_EXPONENTS)))
    if stratum == "middle":
        return sign * Fraction(source.randint(13, 63))
    if stratum == "scaled" and source.random() < 0.5:
        return sign * Fraction(
            int(source.choice(scales) * Fraction(source.randint(1, 5), 2)) + source.randint(-1, 1)
        )
    if stratum == "tiny":
        return sign * Fraction(source.choice(COMPOSITES))
    # Consecutive small numbers, so that what depends on n modulo 2, 3, 4, 6 is met in every class.
    return sign * Fraction(index // 2 % 32)


def _shown(value: Coordinate) -> str:
    re, im = (_decimal(part) for part in value)
    if not value[1]:
        return re
    return f"{im}*I" if not value[0] else f"{re} + {im}*I"


def _decimal(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator) if value.numerator.bit_length() < 200 else "a large integer"
    short = f"{float(value):.12g}"
    return short if Fraction(short) == value or value.denominator > 10**9 else str(value)
