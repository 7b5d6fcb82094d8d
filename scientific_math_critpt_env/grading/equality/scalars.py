"""Python numbers as SymPy ones, without loss."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from sympy import Expr, Float, I, Integer, Rational, nan, oo


def as_scalar(value: object) -> Expr | None:
    """The value as an expression; None for containers, booleans, strings and whatever else is no scalar."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, float):
        return _real(value)
    if isinstance(value, complex):
        return _real(value.real) + I * _real(value.imag) if value.imag else _real(value.real)
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Decimal):
        return Float(str(value)) if value.is_finite() else _real(float(value))
    return None


def _real(value: float) -> Expr:
    if value != value:
        return nan
    if value in (float("inf"), float("-inf")):
        return oo if value > 0 else -oo
    return Float(value)
