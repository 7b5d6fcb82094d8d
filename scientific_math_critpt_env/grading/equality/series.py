"""Numerical sums, products and limits.

A series that falls geometrically is added up to all digits; a slow one is extrapolated twice, in different
ways, and believed to the digits in which the two agree. Terms that do not fall have no sum, however well
they extrapolate.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Basic, Symbol

from scientific_math_critpt_env.grading.equality.arithmetic import Evaluate, added
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler, compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, is_complex, simplest
from scientific_math_critpt_env.grading.equality.nesting import bound_value, confirmed, guarded, nested

FINITE_TERMS = 3000
"""Longer sums are left to their closed forms."""

RATIO_LIMIT = 0.95
"""Terms that fall at least this fast are simply added up, to all digits."""

SERIES_TERMS = 4000
"""Terms of such a series; RATIO_LIMIT to this power is below 1e-80."""

SCALE_LIMIT = 16
"""Numbers in the terms of a series up to this leave a difference from the integral that 40 digits show."""


def _summation(compiler: Compiler, node: Basic) -> Evaluate:
    evaluate = nested(node, _summed)
    return _never_resolved(evaluate) if _deceptive(node) else evaluate


def _deceptive(node: Basic) -> bool:
    """Whether digits of the series may agree with something else by far too many.

    Sums over smooth terms with large scales are integrals up to 1e-400 (exp(-n**2/100) over all n), sums
    over floor(n*c) rational numbers up to 1e-268 (c = tanh(pi)).
    """
    if not any(limit.has(sympy.oo, -sympy.oo) for limit in node.limits):
        return False
    bound = {limit[0] for limit in node.limits}
    rounding = node.function.atoms(sympy.floor, sympy.ceiling, sympy.frac, sympy.Mod)
    if any(part.free_symbols & bound for part in rounding):
        return True
    numbers = node.function.atoms(sympy.Rational)
    return any(max(abs(int(number.p)), int(number.q)) > SCALE_LIMIT for number in numbers)


def _never_resolved(evaluate: Evaluate) -> Evaluate:
    """The same values; agreement of them does not count."""

    def value(frame: Frame) -> Number:
        frame.trace.spread_bits = 1 << 30
        return evaluate(frame)

    return value


def _summed(term: Evaluate, variable: Symbol, low: Evaluate, high: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        def at(k: Number) -> Number:
            return term(frame.bound(variable, mp.mpf(k)))

        a, b = low(frame), high(frame)
        if mp.isinf(a) and mp.isinf(b):
            return _series(at, 0, frame) + _series(lambda k: at(-k), 1, frame)
        if mp.isinf(a):
            return _series(lambda k: at(-k), -_whole(b), frame)
        if mp.isinf(b):
            return _series(at, _whole(a), frame)
        first, last = _whole(a), _whole(b)
        if last < first - 1:  # Karr's convention, which SymPy follows
            return -_finite(at, _indices(last + 1, first - 1), frame)
        return _finite(at, _indices(first, last), frame)

    return value


def _finite(at: Callable[[Number], Number], indices: range, frame: Frame) -> Number:
    terms = [at(k) for k in indices]
    return added(terms, frame.trace) if terms else mp.zero


def _indices(first: int, last: int) -> range:
    if last - first > FINITE_TERMS:
        raise NoValue("too many terms")
    return range(first, last + 1)


def _whole(value: Number) -> int:
    if is_complex(value) or not mp.isint(value):
        raise NoValue("a sum with limits that are not integers")
    return int(value)


def _series(at: Callable[[Number], Number], start: int, frame: Frame) -> Number:
    """The sum over k >= start."""
    total = _added_up(at, start) if _falls_geometrically(at, start) else None
    if total is not None:
        return total
    probe = [abs(at(start + k)) for k in (12, 40, 150)]
    if probe[2] >= probe[1] and probe[1] >= probe[0] and probe[2]:
        raise NoValue("the terms of the series do not fall")
    frame.trace.quadrature = True
    with mp.workdps(frame.trace.quadrature_digits):
        head = mp.fsum(at(start + k) for k in range(7))
        first = mp.nsum(at, [start, mp.inf])
        second = head + mp.nsum(at, [start + 7, mp.inf])
        return confirmed(first, second)


def _falls_geometrically(at: Callable[[Number], Number], start: int) -> bool:
    near, far = (max(abs(at(start + k)) for k in (at_least, at_least + 1)) for at_least in (300, 400))
    return bool(far <= near * mp.mpf(RATIO_LIMIT) ** 100)


def _added_up(at: Callable[[Number], Number], start: int) -> Number | None:
    """The sum of a series that falls geometrically; None where it needs too many terms for that."""
    total: Number = mp.zero
    quiet = 0
    for k in range(start, start + SERIES_TERMS):
        term = at(k)
        total = total + term
        quiet = quiet + 1 if abs(term) <= abs(total) * mp.eps / 1024 else 0
        if quiet > 12 and k - start > 64:
            return simplest(total)
    return None


def _product_of(compiler: Compiler, node: Basic) -> Evaluate:
    evaluate = nested(node, _multiplied)
    return _never_resolved(evaluate) if _deceptive(node) else evaluate


def _multiplied(factor: Evaluate, variable: Symbol, low: Evaluate, high: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        def at(k: Number) -> Number:
            return factor(frame.bound(variable, mp.mpf(k)))

        a, b = low(frame), high(frame)
        if mp.isinf(a):
            raise NoValue("a product without a first factor")
        if mp.isinf(b):
            return _infinite_product(at, _whole(a), frame)
        first, last = _whole(a), _whole(b)
        if last < first - 1:
            return 1 / mp.fprod(at(k) for k in _indices(last + 1, first - 1))
        return mp.fprod(at(k) for k in _indices(first, last))

    return value


def _infinite_product(at: Callable[[Number], Number], start: int, frame: Frame) -> Number:
    far = [abs(at(start + k) - 1) for k in (50, 500)]
    if far[1] and far[1] >= far[0]:
        raise NoValue("the factors of the product do not tend to 1")
    frame.trace.quadrature = True
    with mp.workdps(frame.trace.quadrature_digits):
        head = mp.fprod(at(start + k) for k in range(7))
        first = mp.nprod(at, [start, mp.inf])
        return confirmed(first, head * mp.nprod(at, [start + 7, mp.inf]))


def _limit(compiler: Compiler, node: Basic) -> Evaluate:
    """The limit of a sequence of values, extrapolated twice; only for limits that SymPy does not find."""
    body, variable, target, direction = node.args
    inner = compiled(body)
    at = bound_value(target)
    sign = -1 if str(direction) == "-" else 1

    def value(frame: Frame) -> Number:
        def near(x: Number) -> Number:
            return inner(frame.bound(variable, x))

        end = at(frame)
        frame.trace.quadrature = True
        with mp.workdps(frame.trace.quadrature_digits):
            if mp.isinf(end):
                way = 1 if end > 0 else -1
                return confirmed(*(mp.limit(lambda n, s=s: near(way * s * n), mp.inf) for s in (1, 3)))
            return confirmed(*(mp.limit(lambda n, s=s: near(end + sign * s / n), mp.inf) for s in (1, 3)))

    return guarded(value)


SPECIAL[sympy.Sum] = _summation
SPECIAL[sympy.Product] = _product_of
SPECIAL[sympy.Limit] = _limit
