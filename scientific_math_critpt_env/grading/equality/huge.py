"""Numbers that must not be computed: sized before construction, recognised where left unevaluated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Pow, Rational, preorder_traversal
from sympy.core.function import Function

LARGE_BITS = 1 << 17
"""Integers above this (some 40,000 digits) stay unevaluated: arithmetic on them is no longer instant."""

_GROWTH = {
    "factorial": lambda n, *_: n * max(n.bit_length() - 1, 1),
    "subfactorial": lambda n, *_: n * max(n.bit_length() - 1, 1),
    "factorial2": lambda n, *_: n * max(n.bit_length() - 1, 1) // 2,
    "gamma": lambda n, *_: n * max(n.bit_length() - 1, 1),
    "binomial": lambda n, k=0, *_: min(n, max(k, 0) * n.bit_length()),
    "RisingFactorial": lambda n, k=0, *_: k * (n + k).bit_length(),
    "FallingFactorial": lambda n, k=0, *_: k * n.bit_length(),
    "fibonacci": lambda n, *_: n,
    "lucas": lambda n, *_: n,
    "tribonacci": lambda n, *_: n,
    "catalan": lambda n, *_: 2 * n,
    "bernoulli": lambda n, *_: n * 40,
    "euler": lambda n, *_: n * 40,
    "bell": lambda n, *_: n * 40,
    "genocchi": lambda n, *_: n * 40,
    "harmonic": lambda n, *_: 3 * n,
}
"""Upper estimates of the bits of integer functions (for bernoulli, euler and bell: of the work)."""


def sized_power(base: Any, exponent: Any) -> Expr | None:
    """An unevaluated power where the value would have more than `LARGE_BITS`, else None."""
    if isinstance(exponent, Expr) and not isinstance(exponent, Rational) and has_huge(exponent):
        return Pow(sympy.sympify(base), exponent, evaluate=False)
    if not isinstance(exponent, (int, Integer)) or not isinstance(base, (int, Rational)):
        return None
    number = sympy.sympify(base)
    return (
        None
        if _power_bits(number, int(exponent)) <= LARGE_BITS
        else Pow(number, Integer(exponent), evaluate=False)
    )


def sized_call(function: Any, arguments: Sequence[Any]) -> Expr | None:
    """An unevaluated `function(*arguments)` where the value would be too large, else None."""
    growth = _GROWTH.get(getattr(function, "__name__", ""))
    if growth is None or not isinstance(function, type) or not arguments:
        return None
    if not all(isinstance(argument, (int, Integer)) for argument in arguments):
        return None
    numbers = [int(argument) for argument in arguments]
    if numbers[0] <= 0 or growth(*numbers) <= LARGE_BITS:
        return None
    return function(*map(Integer, numbers), evaluate=False)


def has_huge(value: Basic) -> bool:
    """Whether a number hides in the tree that is too large to be computed."""
    return any(_is_huge(node) for node in preorder_traversal(value))


def _is_huge(node: Basic) -> bool:
    if isinstance(node, Pow):
        base, exponent = node.args
        if isinstance(base, Rational) and isinstance(exponent, Integer):
            return _power_bits(base, int(exponent)) > LARGE_BITS
        return False
    if isinstance(node, Function):
        growth = _GROWTH.get(type(node).__name__)
        if growth and all(isinstance(argument, Integer) for argument in node.args):
            numbers = [int(argument) for argument in node.args]
            return numbers[0] > 0 and growth(*numbers) > LARGE_BITS
    return False


def _power_bits(base: Rational, exponent: int) -> int:
    size = max(abs(base.p).bit_length() - 1, base.q.bit_length() - 1)
    return size * abs(exponent)
