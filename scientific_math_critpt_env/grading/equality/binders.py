"""Values of derivatives, substitutions, and roots of polynomials."""

from __future__ import annotations

import sympy
from mpmath import mp
from sympy import Basic, Tuple

from scientific_math_critpt_env.grading.equality.arithmetic import Evaluate, from_sympy
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler, compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, magnitude, simplest
from scientific_math_critpt_env.grading.equality.nesting import guarded


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

    return guarded(value)


def _substitution(compiler: Compiler, node: Basic) -> Evaluate:
    inner = compiled(node.expr)
    points = [compiler.compile(point) for point in node.point]

    def value(frame: Frame) -> Number:
        values = {v: point(frame) for v, point in zip(node.variables, points, strict=True)}
        return inner(Frame({**frame.values, **values}, frame.trace))

    return value


def _root_of(compiler: Compiler, node: Basic) -> Evaluate:
    """The root of the polynomial in the isolating interval; SymPy's own evaluation takes seconds."""
    coefficients = [int(c) for c in node.poly.all_coeffs()]
    kept: dict[int, Number] = {}

    def value(frame: Frame) -> Number:
        if mp.prec not in kept:
            roots = mp.polyroots(coefficients, maxsteps=300, extraprec=mp.prec + 200)
            kept[mp.prec] = _isolated(roots, node._get_interval())
        return kept[mp.prec]

    return guarded(value)


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

    return guarded(value)


def _harmonic(compiler: Compiler, node: Basic) -> Evaluate:
    """H(n, m) = zeta(m) - zeta(m, n + 1), as a sum, so that what cancels is noticed."""
    if len(node.args) == 1 or node.args[1] == 1:
        return compiler.plain_function(node.func(node.args[0], evaluate=False))
    n, m = node.args
    return compiled(sympy.zeta(m) - sympy.zeta(m, n + 1))


def _spherical_harmonic(compiler: Compiler, node: Basic) -> Evaluate:
    """By SymPy's own expansion, in which sin(theta) keeps its sign."""
    expanded = node.expand(func=True)
    if expanded.has(type(node)):
        raise NoValue("a spherical harmonic of symbolic degree")
    return compiled(expanded)


def _unevaluated(compiler: Compiler, node: Basic) -> Evaluate:
    return compiler.compile(node.args[0])


SPECIAL[sympy.Derivative] = _derivative
SPECIAL[sympy.Subs] = _substitution
SPECIAL[sympy.CRootOf] = _root_of
SPECIAL[sympy.RootSum] = _root_sum
SPECIAL[sympy.harmonic] = _harmonic
SPECIAL[sympy.Ynm] = _spherical_harmonic
SPECIAL[sympy.Znm] = _spherical_harmonic
SPECIAL[sympy.UnevaluatedExpr] = _unevaluated
SPECIAL[Tuple] = lambda compiler, node: _no_tuple()


def _no_tuple() -> Evaluate:
    raise NoValue("a tuple has no value")
