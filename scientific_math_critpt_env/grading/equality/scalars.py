"""Scalars in plain form: Python numbers as SymPy ones, elements of arrays and matrices as symbols."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import sympy
from sympy import Basic, Expr, Float, I, Integer, Rational, Symbol, nan, oo
from sympy.matrices.expressions.matexpr import MatrixElement
from sympy.tensor.indexed import Idx, Indexed


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


def plain(expression: Expr) -> Expr:
    """The expression without `UnevaluatedExpr`, its indexed elements (`a[i]`, `A[0, 1]`) as symbols."""
    while held := expression.atoms(sympy.UnevaluatedExpr):
        expression = expression.xreplace({node: node.args[0] for node in held})
    for kind in (Indexed, MatrixElement, Idx):
        elements = expression.atoms(kind)
        if elements:
            expression = expression.xreplace({element: _symbol(element) for element in elements})
    return expression


def _symbol(element: Basic) -> Symbol:
    return Symbol(str(element), integer=True) if isinstance(element, Idx) else Symbol(str(element))


def _real(value: float) -> Expr:
    if value != value:
        return nan
    if value in (float("inf"), float("-inf")):
        return oo if value > 0 else -oo
    return Float(value)
