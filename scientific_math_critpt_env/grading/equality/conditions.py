"""Values of conditions and of Piecewise."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import sympy
from mpmath import mp
from sympy import Basic, Expr
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

from scientific_math_critpt_env.grading.equality.arithmetic import Evaluate, added
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler
from scientific_math_critpt_env.grading.equality.frame import (
    Frame,
    NoValue,
    Number,
    Undefined,
    is_complex,
)
from scientific_math_critpt_env.grading.equality.functions import as_integer

Holds = Callable[[Frame], bool]


def condition(compiler: Compiler, node: Basic) -> Holds:
    """A function from `Frame` to whether the condition holds there."""
    if node is sympy.S.true or node is sympy.S.false:
        truth = node is sympy.S.true
        return lambda frame: truth
    if isinstance(node, Relational):
        return _relation(compiler, node)
    if isinstance(node, sympy.And | sympy.Or | sympy.Not | sympy.Xor | sympy.ITE):
        parts = [condition(compiler, part) for part in node.args]
        return _CONNECTIVES[type(node)](parts)
    if isinstance(node, sympy.Contains):
        return _contained(compiler, node)
    if isinstance(node, sympy.Symbol):  # a symbol in the place of a condition: true at odd numbers
        return lambda frame: as_integer(frame.values[node]) % 2 == 1
    raise NoValue(f"the condition {type(node).__name__} cannot be evaluated")


_CONNECTIVES: dict[type[BooleanFunction], Callable[[list[Holds]], Holds]] = {
    sympy.And: lambda parts: lambda frame: all(part(frame) for part in parts),
    sympy.Or: lambda parts: lambda frame: any(part(frame) for part in parts),
    sympy.Not: lambda parts: lambda frame: not parts[0](frame),
    sympy.Xor: lambda parts: lambda frame: sum(part(frame) for part in parts) % 2 == 1,
    sympy.ITE: lambda parts: lambda frame: parts[1](frame) if parts[0](frame) else parts[2](frame),
}


def _relation(compiler: Compiler, node: Relational) -> Holds:
    left, right = _finite_side(compiler, node.lhs), _finite_side(compiler, node.rhs)
    kind = type(node)

    def holds(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if isinstance(a, int) or isinstance(b, int):
            return _against_infinity(a, b, kind)
        gap = added([a, -b], frame.trace)
        if kind is sympy.Eq or kind is sympy.Ne:
            return (not gap) == (kind is sympy.Eq)
        if is_complex(gap):
            raise NoValue("an inequality between complex numbers")
        if kind is sympy.Lt or kind is sympy.Gt:
            return cast(bool, gap < 0 if kind is sympy.Lt else gap > 0)
        return cast(bool, gap <= 0 if kind is sympy.Le else gap >= 0)

    return holds


def _finite_side(compiler: Compiler, side: Expr) -> Evaluate:
    """The side of a relation; -1 and 1 (ints, which no number here is) stand for the infinities."""
    if side in (sympy.oo, -sympy.oo):
        sign = 1 if side is sympy.oo else -1
        return lambda frame: sign
    return compiler.compile(side)


def _against_infinity(a: Number, b: Number, kind: type[Relational]) -> bool:
    left = a if isinstance(a, int) else 0
    right = b if isinstance(b, int) else 0
    gap = left - right
    return {
        sympy.Eq: gap == 0, sympy.Ne: gap != 0, sympy.Lt: gap < 0, sympy.Le: gap <= 0,
        sympy.Gt: gap > 0, sympy.Ge: gap >= 0,
    }[kind]  # fmt: skip


def _contained(compiler: Compiler, node: sympy.Contains) -> Holds:
    element, within = node.args
    value = compiler.compile(element)
    if isinstance(within, sympy.Interval):
        return condition(compiler, within.as_relational(element))
    tests: dict[Basic, Callable[[Number], bool]] = {
        sympy.S.Integers: lambda x: not is_complex(x) and mp.isint(x),
        sympy.S.Naturals: lambda x: not is_complex(x) and mp.isint(x) and x > 0,
        sympy.S.Naturals0: lambda x: not is_complex(x) and mp.isint(x) and x >= 0,
        sympy.S.Reals: lambda x: not is_complex(x),
        sympy.S.Complexes: lambda x: True,
    }
    if within not in tests:
        raise NoValue("membership cannot be evaluated")
    test = tests[within]
    return lambda frame: test(value(frame))


def _piecewise(compiler: Compiler, node: Basic) -> Evaluate:
    branches = [(lazy(compiler, part.args[0]), condition(compiler, part.args[1])) for part in node.args]

    def value(frame: Frame) -> Number:
        for branch, holds in branches:
            if holds(frame):
                return branch(frame)
        raise Undefined("no branch of the Piecewise holds")

    return value


def lazy(compiler: Compiler, node: Basic) -> Evaluate:
    """A branch that is nan or infinite only says so when it is taken."""
    if node in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return _undefined
    try:
        return compiler.compile(node)
    except NoValue as error:
        message = str(error)

        def value(frame: Frame) -> Number:
            raise NoValue(message)

        return value


def _undefined(frame: Frame) -> Number:
    raise Undefined("nan or infinite by its own statement")


SPECIAL[sympy.Piecewise] = _piecewise
