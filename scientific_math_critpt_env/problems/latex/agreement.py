"""Whether two readings of a gold are the same: equal as SymPy builds them, else at points to many digits."""

from __future__ import annotations

from random import Random

from sympy import Expr, Float, N, Rational, Symbol, nan, zoo

from scientific_math_critpt_env.problems.latex.tokens import LatexError

POINTS = 4
"""Points at which two readings must agree; a difference of meaning shows at nearly every one."""

TRIES = 40
"""Points tried before a gold counts as one that has no values."""

DIGITS = 20
AGREEING_DIGITS = 12
"""Digits computed, and digits that must agree: integrals and cancellation cost some, a misreading all."""


def assert_same(first: Expr, second: Expr, what: str) -> None:
    """Raises LatexError unless both are one expression."""
    if first == second:
        return
    free = sorted(first.free_symbols | second.free_symbols, key=lambda symbol: symbol.name)
    if first.free_symbols != second.free_symbols:
        raise LatexError(what, "they hold different symbols")
    random = Random(1)
    agreed = 0
    for _ in range(TRIES if free else 1):
        point = {symbol: Rational(random.randint(200, 1800), 1000) for symbol in free}
        left, right = _value(first, point), _value(second, point)
        if left is None or right is None:
            continue
        if abs(left - right) > 10 ** (-AGREEING_DIGITS) * max(abs(left), abs(right)):
            raise LatexError(what, f"{first} against {second}")
        agreed += 1
        if agreed == POINTS or not free:
            return
    raise LatexError(what, "they could not be compared")


def _value(expression: Expr, point: dict[Symbol, Rational]) -> Expr | None:
    value = N(expression.subs(point), DIGITS)
    usable = value.is_number and not value.has(nan, zoo) and value.is_finite is not False
    return (
        value
        if usable and all(isinstance(part, Float) or part == 0 for part in value.as_real_imag())
        else None
    )
