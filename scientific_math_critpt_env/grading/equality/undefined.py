"""Undefined functions become fixed smooth ones, so that `f(x)`, its derivatives and integrals have values.

An identity that holds for every f holds for these; one that does not has no reason to. Each is a polynomial
times a Gaussian of a linear form, so integrals over the line converge, with coefficients taken from its name.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from sympy import Derivative, Expr, I, Rational, exp
from sympy.core.function import AppliedUndef


def realised(expressions: Iterable[Expr]) -> list[Expr]:
    """The expressions with every application of an undefined function replaced, the same in all of them."""
    return [_replaced(e) if e.has(AppliedUndef) else e for e in expressions]


def _replaced(expression: Expr) -> Expr:
    if expression.has(Derivative):  # with respect to f(t) as well, while there is an f(t)
        expression = expression.doit(integrals=False, sums=False)
    replaced = expression.replace(lambda node: isinstance(node, AppliedUndef), _smooth)
    return replaced.doit(integrals=False, sums=False) if replaced.has(AppliedUndef) else replaced


def _smooth(call: AppliedUndef) -> Expr:
    """exp(-w**2/7)*(c + w) with w = a0 + a1*x1 + ...; complex unless the function is declared real."""
    name = call.func.__name__
    form = sum(
        (_coefficient(name, k + 1) * argument for k, argument in enumerate(call.args)),
        start=_coefficient(name, 0),
    )
    constant = _coefficient(name, 90)
    if call.is_positive:
        return constant + exp(-(form**2) / 7)
    if call.is_extended_real is None:
        constant += I * _coefficient(name, 91)
    return exp(-(form**2) / 7) * (constant + form)


def _coefficient(name: str, index: int) -> Rational:
    """Between 0.4 and 1.4, with four digits, from the name and the place."""
    return Rational(4001 + zlib.crc32(f"{name}/{index}".encode()) % 10007, 10007)
