"""Expressions that are nearly the gold: the mistakes that people and models make.

Each rule gives the mutants it can and nothing where it does not apply. Some are equal to the gold by accident
(-0, the conjugate of a real number); `accidents` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from sympy import (
    Add,
    Basic,
    Expr,
    Float,
    I,
    Integer,
    Integral,
    Limit,
    Mul,
    Number,
    Order,
    Pow,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    conjugate,
    cos,
    cosh,
    exp,
    log,
    pi,
    preorder_traversal,
    sin,
    sinh,
    sqrt,
    tan,
)

T = TypeVar("T")

NEARBY = Rational(1, 10**6)
"""Relative distance of the nearby float to an exact gold: a thousand times what a float answer may have."""

NEARBY_EXACT, NEARBY_UNEVALUATED = Rational(1, 10**15), Rational(1, 10**8)
"""Relative distance of a wrong exact number; integrals without closed form have fewer sure digits."""

BEYOND_TOLERANCE = 20
"""Times the tolerance of a float gold: what a tolerance is there to reject."""

_SWAPPED_FUNCTIONS: dict[type, type] = {
    sin: cos,
    cos: sin,
    tan: sin,
    sinh: cosh,
    cosh: sinh,
    exp: cosh,
    log: sqrt,
}


def scalar_mutants(gold: Expr, rtol: float) -> Iterator[tuple[str, Expr]]:
    """(name, mutant) pairs; `rtol` is the tolerance that a float gold is compared with."""
    yield "sign", -gold
    yield "factor 2", 2 * gold
    yield "off by one", gold + 1
    yield "factor 10", 10 * gold
    yield from _nearby(gold, rtol)
    for rule in _RULES:
        yield from as_far_as_possible(rule(gold))


def as_far_as_possible(values: Iterator[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """What an iterator gives before SymPy refuses to build a mutant (an ordering of complex numbers, say)."""
    while True:
        try:
            yield next(values)
        except StopIteration:
            return
        except (
            TypeError,
            ValueError,
            AttributeError,
            NotImplementedError,
            ZeroDivisionError,
            RecursionError,
        ):
            return  # this mutant cannot be written down; the other rules go on


def _nearby(gold: Expr, rtol: float) -> Iterator[tuple[str, Expr]]:
    if gold.has(Float):
        yield "nearby float", gold * Float(1 + BEYOND_TOLERANCE * max(rtol, 1e-9))
        return
    yield "nearby float", gold * Float(1 + NEARBY, 17)
    if gold.is_number:
        unevaluated = gold.has(Integral, Sum, Product, Limit)
        yield "nearby exact", gold * (1 + (NEARBY_UNEVALUATED if unevaluated else NEARBY_EXACT))


def _dropped(gold: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(gold, Add | Mul) and len(gold.args) > 1:
        what = "term" if isinstance(gold, Add) else "factor"
        kept = [arg for arg in gold.args if not isinstance(arg, Order)]
        for index in {0, len(kept) - 1}:
            yield f"dropped {what}", gold.func(*(a for a in gold.args if a != kept[index]))


def _turned_term(gold: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(gold, Add):
        last = gold.args[-1] if not isinstance(gold.args[-1], Order) else gold.args[0]
        yield "sign of a term", Add(*(a for a in gold.args if a != last), -last)


def _inverse(gold: Expr) -> Iterator[tuple[str, Expr]]:
    if gold != 0:
        yield "inverse", 1 / gold
    yield "square", gold**2


def _conjugate(gold: Expr) -> Iterator[tuple[str, Expr]]:
    if gold.has(I):
        yield "conjugate", conjugate(gold)


def _coefficient(gold: Expr) -> Iterator[tuple[str, Expr]]:
    yield from _changed(gold, "coefficient", lambda n: isinstance(n, Rational) and n.q == 1, lambda n: n + 1)
    yield from _changed(gold, "fraction", lambda n: isinstance(n, Rational) and n.q > 1, lambda n: 1 - n)


def _function(gold: Expr) -> Iterator[tuple[str, Expr]]:
    for node in preorder_traversal(gold):
        if type(node) in _SWAPPED_FUNCTIONS:
            yield "other function", gold.xreplace({node: _SWAPPED_FUNCTIONS[type(node)](*node.args)})
            return


def _branch(gold: Expr) -> Iterator[tuple[str, Expr]]:
    for node in preorder_traversal(gold):
        if isinstance(node, Pow) and isinstance(node.exp, Rational) and node.exp.q > 1:
            root_of_unity = exp(2 * pi * I * node.exp)
            yield "other branch of a root", gold.xreplace({node: root_of_unity * node})
            return
        if isinstance(node, log):
            yield "other branch of a logarithm", gold.xreplace({node: node + 2 * pi * I})
            return


def _symbols(gold: Expr) -> Iterator[tuple[str, Expr]]:
    symbols = sorted((s for s in gold.free_symbols if isinstance(s, Symbol)), key=lambda s: s.name)
    if len(symbols) > 1:
        first, second = symbols[:2]
        yield "swapped symbols", gold.xreplace({first: second, second: first})
    if symbols:
        yield "renamed symbol", gold.xreplace({symbols[0]: Symbol(symbols[0].name + "_other")})
        yield "dropped symbol", gold.xreplace({symbols[0]: S.One}).doit(deep=False)


def _rounded(gold: Expr) -> Iterator[tuple[str, Expr]]:
    if gold.is_number and not isinstance(gold, Integer) and gold.is_finite:
        yield "rounded to 3 digits", gold.evalf(3).evalf(15) if not gold.is_Float else Float(gold, 3)


def _exponent(gold: Expr) -> Iterator[tuple[str, Expr]]:
    for node in preorder_traversal(gold):
        if isinstance(node, Pow) and isinstance(node.exp, Number) and not node.base.is_Number:
            yield "exponent", gold.xreplace({node: node.base ** (node.exp + 1)})
            return


def _changed(
    gold: Expr, name: str, chosen: Callable[[Basic], bool], change: Callable[[Basic], Basic]
) -> Iterator[tuple[str, Expr]]:
    """The first number that is a factor of its own, changed in its place only."""
    for node in preorder_traversal(gold):
        if isinstance(node, Mul) and node.args and chosen(node.args[0]):
            yield name, gold.xreplace({node: Mul(change(node.args[0]), *node.args[1:])})
            return
        if isinstance(node, Add) and node.args and chosen(node.args[0]):
            yield name, gold.xreplace({node: Add(change(node.args[0]), *node.args[1:])})
            return


_RULES = (
    _dropped,
    _turned_term,
    _inverse,
    _conjugate,
    _coefficient,
    _function,
    _branch,
    _symbols,
    _rounded,
    _exponent,
)
