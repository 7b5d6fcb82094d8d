"""mpmath numbers and matrices: sums with multiples of the identity, and the ways from and to SymPy."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Expr, Float, I, Integer

Value = Any
"""An mpmath number or matrix."""

EVALUATION_DIGITS = 50


def total(values: list[Value]) -> Value:
    """A sum in which a number beside matrices stands for that multiple of the identity."""
    matrices = [value for value in values if isinstance(value, mpmath.matrix)]
    numbers = mpmath.fsum(value for value in values if not isinstance(value, mpmath.matrix))
    if not matrices:
        return numbers
    summed = matrices[0].copy()
    for matrix in matrices[1:]:
        summed += matrix
    return summed + mpmath.eye(summed.rows) * numbers if numbers else summed


def kronecker_product(left: Value, right: Value) -> Value:
    """The block matrix of left[i, j] * right."""
    rows, columns = right.rows, right.cols
    product = mpmath.zeros(left.rows * rows, left.cols * columns)
    for i in range(product.rows):
        for j in range(product.cols):
            product[i, j] = left[i // rows, j // columns] * right[i % rows, j % columns]
    return product


def number_of(expression: Expr) -> Value:
    """The value of a constant; raises NotImplementedError where it has none that is finite."""
    real, imaginary = expression.evalf(EVALUATION_DIGITS).as_real_imag()
    value = mpmath.mpc(mpmath.mpmathify(real), mpmath.mpmathify(imaginary))
    if not mpmath.isfinite(value):
        raise NotImplementedError("no finite value")
    return value


def exact(value: Value) -> Expr:
    """An mpmath number as SymPy's, with all its digits."""
    real, imaginary = mpmath.re(value), mpmath.im(value)
    return Float(real, EVALUATION_DIGITS) + I * Float(imaginary, EVALUATION_DIGITS)


def nearest_integer(value: Value) -> Integer:
    """An index or exponent that was computed; raises NotImplementedError where it is no integer."""
    nearest = int(mpmath.nint(mpmath.re(value)))
    if abs(value - nearest) > mpmath.mpf(10) ** -20:
        raise NotImplementedError("the index or exponent is not an integer")
    return Integer(nearest)
