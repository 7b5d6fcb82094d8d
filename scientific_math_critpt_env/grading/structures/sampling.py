"""Points inside the declared domain of the symbols, and values there with many digits.

For structures only: relations, families with constants, sets with parameters. The scalar engine has its own,
stratified, probe.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

import mpmath
from sympy import Basic, Expr, I, Integer, Rational, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.structures.attempts import attempt

DIGITS = 50
"""Of values at points: rank decisions lose half of them and still see 1e-20."""

CANDIDATES = 80
"""Values tried for a symbol until one fits its assumptions; primes and the like need many."""

VALUE_SECONDS = 0.2
"""CPU for one value at one point."""

Point = Mapping[Basic, Expr]


def points(symbols: Iterable[Symbol], seed: int, *, real: bool = False) -> Iterator[dict[Basic, Expr]]:
    """Endless seeded points; undeclared symbols are real at every other point, or always with `real`."""
    source = random.Random(seed)
    ordered = sorted(symbols, key=lambda s: (s.name, str(s.assumptions0)))
    while True:
        yield {s: _value(s, source, real=True) for s in ordered}
        if not real:
            yield {s: _value(s, source, real=False) for s in ordered}


def value_at(expression: Expr, point: Point, context: Context, digits: int = DIGITS) -> mpmath.mpc | None:
    """The finite value of `expression` at `point`; None where there is none."""
    number = attempt(lambda: expression.xreplace(dict(point)).evalf(digits), context, VALUE_SECONDS)
    if number is None or not number.is_number or number.is_finite is False:
        return None
    with mpmath.workdps(digits):
        return attempt(lambda: _complex(number), context, VALUE_SECONDS)


def fits(symbol: Symbol, value: Expr) -> bool:
    """Whether a number has every property that is declared of the symbol."""
    return all(
        getattr(value, f"is_{name}", None) is wanted
        for name, wanted in symbol._assumptions_orig.items()
        if name != "commutative"
    )


def shown(point: Point) -> str:
    """A point as said in a reason."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items()) or "a constant"


def _complex(number: Expr) -> mpmath.mpc:
    real, imaginary = number.as_real_imag()
    value = mpmath.mpc(mpmath.mpmathify(real), mpmath.mpmathify(imaginary))
    if not mpmath.isfinite(value):
        raise ValueError("no finite value")
    return value


def _value(symbol: Symbol, source: random.Random, *, real: bool) -> Expr:
    for attempt_number in range(CANDIDATES):
        candidate = _candidate(source, real or attempt_number > CANDIDATES // 2)
        if fits(symbol, candidate):
            return candidate
    return Integer(2) if fits(symbol, Integer(2)) else Rational(3, 7)


def _candidate(source: random.Random, real: bool) -> Expr:
    number = Rational(source.randint(-4000, 4000), source.choice((1000, 1000, 997, 4000)))
    if source.random() < 0.25:
        number = Rational(source.randint(-9, 9))
    if real:
        return number
    return number + I * Rational(source.randint(-3000, 3000), 1000)
