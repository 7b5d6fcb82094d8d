"""Whether two scalar expressions are the same function of their symbols.

Not covered: containers, relations, sets and matrices (`grading.structures`), and names (`grading.names`).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from sympy import Expr, Float, I, Rational, Symbol

from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context

__all__ = ["decide"]


def decide(left: Expr, right: Expr, context: Context) -> Finding:
    """Relation of two scalars whose symbols are already unified by name; the same in both orders."""
    if left == right:
        return equal("structural")
    difference = left - right
    if difference.is_Rational:
        return equal("exact") if difference == 0 else different("exact", f"the difference is {difference}")
    symbols = sorted(difference.free_symbols, key=lambda s: s.name)
    source = random.Random(0)
    tolerance = context.policy.float_rtol if left.has(Float) or right.has(Float) else 1e-35
    for _ in range(12):
        point = {s: _value(s, source) for s in symbols}
        a, b = left.evalf(40, subs=point), right.evalf(40, subs=point)
        if not (a.is_number and b.is_number and a.is_finite and b.is_finite):
            return undecided("no value at a probe point")
        if abs(a - b) > tolerance * max(abs(a), abs(b), 1):
            return different("numeric", f"the sides differ at {point}")
    return equal("numeric")


def _value(symbol: Symbol, source: random.Random) -> Expr:
    if symbol.is_integer:
        return Rational(source.randint(1, 9))
    size = Rational(source.randint(1, 3000), 1000)
    if symbol.is_positive or symbol.is_real:
        return size
    return size + I * Rational(source.randint(-2000, 2000), 1000)
