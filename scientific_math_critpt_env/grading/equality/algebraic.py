"""Algebraic numbers, decided by a zero bound: a rigorous proof from enough digits.

An algebraic number that is not 0 cannot be arbitrarily small: by Burnikel, Fleischer, Mehlhorn and Schirra
|E| >= 1/(u**(D - 1)*l), where u and l bound the conjugates of numerator and denominator and D the degree.
Covered: rationals, arithmetic, roots, I, trigonometric functions and exp(I*...) of rational multiples of pi,
CRootOf, the golden ratio. Not covered: everything with a symbol or a transcendental part.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, log2

import sympy
from mpmath import mp
from sympy import Add, Basic, Expr, I, Integer, Mul, Pow, Rational, pi

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue
from scientific_math_critpt_env.grading.finding import Finding, different, equal

BITS_LIMIT = 30_000
"""Bounds below 2**-30000 are not worth their digits: 9,000 of them take a tenth of a second."""

SECONDS = 0.5
"""CPU for the evaluation; the probes take over where it is not enough."""

DEGREE_LIMIT = 1 << 14

GUARD_BITS = 200
"""Bits beyond the bound for the rounding errors of a few hundred operations."""


class _NotAlgebraic(Exception):
    """Something in the expression is not covered."""


@dataclass(frozen=True, slots=True)
class _Size:
    """Base-2 logarithms of u and l, both at least 0."""

    above: float
    below: float


def decide_algebraic(left: Expr, right: Expr, budget: Budget) -> Finding | None:
    """The relation of two algebraic numbers; None where one of them is none, or too large to be bounded."""
    if left.free_symbols or right.free_symbols:
        return None
    difference = Add(left, Mul(Integer(-1), right, evaluate=False), evaluate=False)
    try:
        bits = _zero_bound(difference)
        if bits > BITS_LIMIT:
            return None
        return budget.limited(lambda: _settled(difference, int(bits)), SECONDS)
    except (_NotAlgebraic, NoValue, OutOfTime, OverflowError, ZeroDivisionError):
        return None


def _settled(difference: Expr, bits: int) -> Finding:
    # What cancels takes its own digits with it: the largest part counts on top of the bound.
    precision = bits + _largest_part(difference) + GUARD_BITS + difference.count_ops()
    with mp.workprec(precision):
        value = compiled(difference)(Frame({}))
        if abs(value) < mp.mpf(2) ** -(bits + 1):
            return equal("exact:algebraic", f"the difference is below its zero bound 2**-{bits}")
        return different("exact:algebraic", f"the difference is {mp.nstr(value, 8)}")


def _largest_part(expression: Expr) -> int:
    """Base-2 logarithm of the largest absolute value among the parts of the expression, at least 0."""
    largest, parts = 0, [expression]
    while parts:
        part = parts.pop()
        value = compiled(part)(Frame({}))
        if value:
            largest = max(largest, int(mp.mag(value)))
        if isinstance(part, Add | Mul | Pow):
            parts.extend(part.args)
    return largest


def _zero_bound(expression: Expr) -> float:
    """Bits b with: the value is 0 or at least 2**-b."""
    bound = _Bound()
    size = bound.size(expression)
    degree = bound.degree()
    if degree > DEGREE_LIMIT:
        raise _NotAlgebraic
    return (degree - 1) * size.above + size.below


class _Bound:
    """Collects the radicals of an expression while it bounds the conjugates."""

    def __init__(self) -> None:
        self._roots: dict[Basic, int] = {}
        self._order = 1
        self._known: dict[Basic, _Size] = {}

    def degree(self) -> int:
        """A bound of the degree of the field that all parts lie in."""
        degree = int(sympy.totient(self._order))
        for order in self._roots.values():
            degree *= order
            if degree > DEGREE_LIMIT:
                raise _NotAlgebraic
        return degree

    def size(self, node: Basic) -> _Size:
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._compute(node)
        return known

    def _compute(self, node: Basic) -> _Size:
        if isinstance(node, Rational):
            return _Size(log2(max(abs(int(node.p)), 1)), log2(int(node.q)))
        if isinstance(node, Add):
            return _sum([self.size(term) for term in node.args])
        if isinstance(node, Mul):
            sizes = [self.size(factor) for factor in node.args]
            return _Size(sum(s.above for s in sizes), sum(s.below for s in sizes))
        if isinstance(node, Pow):
            return self._power(node)
        if node is I:
            self._order = lcm(self._order, 4)
            return _Size(0.0, 0.0)
        if isinstance(node, sympy.CRootOf):
            return self._polynomial_root(node)
        if node in (sympy.GoldenRatio, sympy.TribonacciConstant):
            return self.size(node._eval_expand_func())
        return self._circular(node)

    def _power(self, node: Pow) -> _Size:
        base, exponent = node.args
        if not isinstance(exponent, Rational):
            raise _NotAlgebraic
        size = self.size(base)
        if exponent < 0:
            size = _Size(size.below, size.above)
        times = abs(int(exponent.p))
        size = _Size(size.above * times, size.below * times)
        order = int(exponent.q)
        if order == 1:
            return size
        if base == -1:
            self._order = lcm(self._order, 2 * order)
            return _Size(0.0, 0.0)
        self._roots[Pow(base, Rational(1, order))] = order
        if size.above >= size.below:
            return _Size((size.above + (order - 1) * size.below) / order, size.below)
        return _Size(size.above, ((order - 1) * size.above + size.below) / order)

    def _polynomial_root(self, node: sympy.CRootOf) -> _Size:
        coefficients = [abs(int(c)) for c in node.poly.all_coeffs()]
        self._roots[node] = len(coefficients) - 1
        return _Size(log2(sum(coefficients)) + 1, log2(coefficients[0]))

    def _circular(self, node: Basic) -> _Size:
        """Functions of rational multiples of pi: sums of two roots of unity over 2, or quotients of those."""
        if not isinstance(node, (*_SINES, *_QUOTIENTS, sympy.exp)):
            raise _NotAlgebraic
        turn = node.args[0].as_coefficient(I * pi if isinstance(node, sympy.exp) else pi)
        if not isinstance(turn, Rational):
            raise _NotAlgebraic
        self._order = lcm(self._order, 4, 2 * int(turn.q))
        if isinstance(node, sympy.exp):
            return _Size(0.0, 0.0)
        return _Size(1.0, 1.0) if isinstance(node, _SINES) else _Size(2.0, 2.0)


_SINES = (sympy.sin, sympy.cos)
_QUOTIENTS = (sympy.tan, sympy.cot, sympy.sec, sympy.csc)


def _sum(sizes: list[_Size]) -> _Size:
    """u = sum of u_i times the other l_j, l = product of all l_i."""
    below = sum(size.below for size in sizes)
    return _Size(max(size.above + below - size.below for size in sizes) + log2(len(sizes)), below)
