"""Values of what binds a variable: derivatives, sums, products, integrals, roots of polynomials.

Numerical integration and summation are done twice, in different ways, and believed to the digits in which
the two agree; a series whose terms do not fall has no value, however well it extrapolates. Limits and what
SymPy can do in closed form are the business of `unfolding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import sympy
from mpmath import mp
from sympy import Basic, Expr, Symbol, Tuple

from scientific_math_critpt_env.grading.equality.compiling import (
    NO_VALUE_ERRORS,
    SPECIAL,
    Compiler,
    Evaluate,
    added,
    compiled,
    from_sympy,
)
from scientific_math_critpt_env.grading.equality.frame import (
    Frame,
    NoValue,
    Number,
    is_complex,
    magnitude,
    simplest,
)

TRUSTED_SHARE = 0.6
"""Share of the working digits in which two evaluations of one integral or sum must agree."""

FINITE_TERMS = 3000
"""Longer sums are left to their closed forms."""

RATIO_LIMIT = 0.95
"""Terms that fall at least this fast are simply added up, to all digits."""

SERIES_TERMS = 4000
"""Terms of such a series; RATIO_LIMIT to this power is below 1e-80."""

SCALE_LIMIT = 16
"""Numbers in the terms of a series up to this leave a difference from the integral that 40 digits show."""

WHOLE_CUTS = 40
"""Longest interval that is cut at its whole numbers."""

_SPLIT = (0.3719, 0.7193)
"""Where the second evaluation of an integral cuts its interval: no special point of anything."""


def _derivative(compiler: Compiler, node: Basic) -> Evaluate:
    done = node.doit(deep=False)
    if not isinstance(done, sympy.Derivative):
        return compiled(done)
    if not all(order.is_Integer for _, order in node.variable_count) or len(node.variable_count) != 1:
        raise NoValue("a derivative that is not elementary")
    variable, order = node.variable_count[0]
    inner = compiled(node.expr)

    def value(frame: Frame) -> Number:
        frame.trace.quadrature = True
        at = frame.values.get(variable)
        if at is None:
            raise NoValue("a derivative at no point")
        return simplest(mp.diff(lambda x: inner(frame.bound(variable, x)), at, int(order)))

    return _guarded(value)


def _substitution(compiler: Compiler, node: Basic) -> Evaluate:
    inner = compiled(node.expr)
    points = [compiler.compile(point) for point in node.point]

    def value(frame: Frame) -> Number:
        values = {v: point(frame) for v, point in zip(node.variables, points, strict=True)}
        return inner(Frame({**frame.values, **values}, frame.trace))

    return value


Binder = Callable[[Evaluate, Symbol, Evaluate, Evaluate], Evaluate]


def _nested(node: Basic, compiler: Compiler, bind: Binder) -> Evaluate:
    """One binder within the other; the first limits are the innermost."""
    evaluate = compiled(node.function)
    for limit in node.limits:
        if len(limit) != 3:
            raise NoValue("an indefinite integral has no value")
        variable, low, high = limit
        evaluate = bind(evaluate, variable, _bound(low), _bound(high))
    return _guarded(evaluate)


def _bound(limit: Expr) -> Evaluate:
    if limit is sympy.oo or limit is -sympy.oo:
        infinity = mp.inf if limit is sympy.oo else mp.ninf
        return lambda frame: infinity
    return compiled(limit)


def _guarded(evaluate: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        try:
            return evaluate(frame)
        except NO_VALUE_ERRORS as error:
            raise NoValue(str(error)) from error

    return value


def _integral(compiler: Compiler, node: Basic) -> Evaluate:
    return _nested(node, compiler, _integrated)


def _integrated(integrand: Evaluate, variable: Symbol, low: Evaluate, high: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        a, b = low(frame), high(frame)
        if a == b:
            return mp.zero
        frame.trace.quadrature = True
        with mp.workdps(frame.trace.quadrature_digits):

            def function(x: Number) -> Number:
                try:
                    return integrand(frame.bound(variable, x))
                except (NoValue, ZeroDivisionError):
                    if x in (a, b):  # a node that rounding moved onto the end of the interval
                        return mp.zero
                    raise

            first = mp.quad(function, _pieces(a, b, ()))
            second = mp.quad(function, _pieces(a, b, _SPLIT))
            if abs(first - second) > max(abs(first), abs(second)) * _trusted():
                first, second = _at_whole_numbers(function, a, b) or (first, second)
            if abs(second) < 10**5 * _trusted():
                size = mp.quad(lambda x: abs(function(x)), _pieces(a, b, _SPLIT))
                if max(abs(first), abs(second)) <= size * _trusted():
                    return mp.zero
            return _confirmed(first, second)

    return value


def _at_whole_numbers(
    function: Callable[[Number], Number], a: Number, b: Number
) -> tuple[Number, Number] | None:
    """Two values with cuts at the whole numbers in between, where kinks are most often."""
    if is_complex(a) or is_complex(b) or mp.isinf(a) or mp.isinf(b) or not 0 < b - a <= WHOLE_CUTS:
        return None
    whole = [mp.mpf(k) for k in range(int(mp.floor(a)) + 1, int(mp.ceil(b)))]
    if not whole:
        return None
    cuts = [a, *whole, b]
    halves = [(low + high) / 2 for low, high in pairwise(cuts)]
    return mp.quad(function, cuts), mp.quad(function, sorted([*cuts, *halves]))


def _pieces(a: Number, b: Number, cuts: Sequence[float]) -> list[Number]:
    if mp.isinf(a) and mp.isinf(b):
        return [a, *([mp.mpf(cut) for cut in cuts] or [mp.zero]), b]
    if mp.isinf(b):
        return [a, *[a + 3 * cut for cut in cuts], b]
    if mp.isinf(a):
        return [a, *[b - 3 * cut for cut in reversed(cuts)], b]
    return [a, *[a + (b - a) * cut for cut in cuts], b]


def _trusted() -> Number:
    """The relative error that is accepted at the present working precision."""
    return mp.mpf(10) ** int(-TRUSTED_SHARE * mp.dps)


def _confirmed(first: Number, second: Number) -> Number:
    """The second value, if the first one agrees with it."""
    scale = max(abs(first), abs(second))
    if abs(first - second) > scale * _trusted():
        raise NoValue("numerical integration or summation does not converge")
    return simplest(second)


def _summation(compiler: Compiler, node: Basic) -> Evaluate:
    evaluate = _nested(node, compiler, _summed)
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
        return _confirmed(first, second)


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
    evaluate = _nested(node, compiler, _multiplied)
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
        return _confirmed(first, head * mp.nprod(at, [start + 7, mp.inf]))


def _limit(compiler: Compiler, node: Basic) -> Evaluate:
    """The limit of a sequence of values, extrapolated twice; only for limits that SymPy does not find."""
    body, variable, target, direction = node.args
    inner = compiled(body)
    at = _bound(target)
    sign = -1 if str(direction) == "-" else 1

    def value(frame: Frame) -> Number:
        def near(x: Number) -> Number:
            return inner(frame.bound(variable, x))

        end = at(frame)
        frame.trace.quadrature = True
        with mp.workdps(frame.trace.quadrature_digits):
            if mp.isinf(end):
                way = 1 if end > 0 else -1
                return _confirmed(*(mp.limit(lambda n, s=s: near(way * s * n), mp.inf) for s in (1, 3)))
            return _confirmed(*(mp.limit(lambda n, s=s: near(end + sign * s / n), mp.inf) for s in (1, 3)))

    return _guarded(value)


def _root_of(compiler: Compiler, node: Basic) -> Evaluate:
    """The root of the polynomial in the isolating interval; SymPy's own evaluation takes seconds."""
    coefficients = [int(c) for c in node.poly.all_coeffs()]
    kept: dict[int, Number] = {}

    def value(frame: Frame) -> Number:
        if mp.prec not in kept:
            roots = mp.polyroots(coefficients, maxsteps=300, extraprec=mp.prec + 200)
            kept[mp.prec] = _isolated(roots, node._get_interval())
        return kept[mp.prec]

    return _guarded(value)


def _isolated(roots: list[Number], interval: object) -> Number:
    def bound(name: str) -> Number:
        return from_sympy(sympy.sympify(getattr(interval, name)))

    if hasattr(interval, "ax"):
        left, right, below, above = (bound(name) for name in ("ax", "bx", "ay", "by"))
        inside = [r for r in roots if left <= mp.re(r) <= right and below <= mp.im(r) <= above]
    else:
        low, high = bound("a"), bound("b")
        reals = [mp.re(r) for r in roots if magnitude(mp.im(r)) < magnitude(r) - mp.prec // 2]
        inside = [r for r in reals if low <= r <= high]
    if len(inside) != 1:
        raise NoValue("a root that could not be isolated")
    return simplest(inside[0])


def _root_sum(compiler: Compiler, node: Basic) -> Evaluate:
    coefficients = [compiled(coefficient) for coefficient in node.poly.all_coeffs()]
    (variable,), body = node.fun.args
    term = compiled(body)

    def value(frame: Frame) -> Number:
        numbers = [coefficient(frame) for coefficient in coefficients]
        roots = mp.polyroots(numbers, maxsteps=200, extraprec=2 * mp.prec)
        return simplest(mp.fsum(term(frame.bound(variable, root)) for root in roots))

    return _guarded(value)


def _unevaluated(compiler: Compiler, node: Basic) -> Evaluate:
    return compiler.compile(node.args[0])


SPECIAL[sympy.Derivative] = _derivative
SPECIAL[sympy.Subs] = _substitution
SPECIAL[sympy.Integral] = _integral
SPECIAL[sympy.Sum] = _summation
SPECIAL[sympy.Product] = _product_of
SPECIAL[sympy.Limit] = _limit
SPECIAL[sympy.CRootOf] = _root_of
SPECIAL[sympy.RootSum] = _root_sum
SPECIAL[sympy.UnevaluatedExpr] = _unevaluated
SPECIAL[Tuple] = lambda compiler, node: _no_tuple()


def _no_tuple() -> Evaluate:
    raise NoValue("a tuple has no value")
