"""Numbers that compare exactly: infinities, nan, rationals."""

from __future__ import annotations

import sympy
from sympy import Expr, Rational

from scientific_math_critpt_env.grading.finding import Finding, different, equal

_NOT_FINITE = (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)

SHOWN_DIGITS = 30
"""Digits of an exact number that a reason shows."""


def not_finite(left: Expr, right: Expr) -> Finding | None:
    """Infinities match themselves only; nan and zoo match nothing: they mean that something went wrong."""
    if left in _NOT_FINITE or right in _NOT_FINITE:
        if left == right and left in (sympy.oo, -sympy.oo):
            return equal("exact")
        if left == right:
            return different("exact", f"{left} is never credited")
        name = "answer" if right in _NOT_FINITE else "gold"
        return different("exact", f"the {name} is {right if right in _NOT_FINITE else left}")
    return None


def exact_numbers(left: Expr, right: Expr) -> Finding | None:
    """Two rationals; None for anything else."""
    if isinstance(left, Rational) and isinstance(right, Rational):
        if left == right:
            return equal("exact")
        return different("exact", f"the gold is {shown(left)}, the answer {shown(right)}")
    return None


def differ_by(number: Rational) -> Finding:
    """What a difference that cancelled to a number says."""
    return equal("exact") if number == 0 else different("exact", f"the sides differ by {shown(number)}")


def shown(number: Rational) -> str:
    """A number that may be long, shortened."""
    if abs(number.p).bit_length() + number.q.bit_length() < 4 * SHOWN_DIGITS:
        return str(number)
    return f"a rational of {(abs(number.p).bit_length() + number.q.bit_length()) * 3 // 10} digits"
