"""Values of what jumps: conditions, Piecewise, Heaviside, sign, floor, Max, Mod.

A jump decided by a difference that is rounding noise is taken as lying on the jump, and noted in the trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import sympy
from mpmath import mp
from sympy import Basic, Expr
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler, Evaluate, added
from scientific_math_critpt_env.grading.equality.frame import (
    SNAP_BITS,
    Frame,
    NoValue,
    Number,
    Trace,
    Undefined,
    cleaned,
    is_complex,
    magnitude,
    simplest,
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
    branches = [(_lazy(compiler, part.args[0]), condition(compiler, part.args[1])) for part in node.args]

    def value(frame: Frame) -> Number:
        for branch, holds in branches:
            if holds(frame):
                return branch(frame)
        raise Undefined("no branch of the Piecewise holds")

    return value


def _lazy(compiler: Compiler, node: Basic) -> Evaluate:
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


def _real(value: Number, trace: Trace) -> Number:
    """A number that something orders: raises `NoValue` where it is complex."""
    value = cleaned(value, trace)
    if is_complex(value):
        raise NoValue("an order between complex numbers")
    return value


def _heaviside(compiler: Compiler, node: Basic) -> Evaluate:
    argument = compiler.compile(node.args[0])
    middle = _lazy(compiler, node.args[1])

    def value(frame: Frame) -> Number:
        x = _real(argument(frame), frame.trace)
        return middle(frame) if not x else mp.one if x > 0 else mp.zero

    return value


def _sign(compiler: Compiler, node: Basic) -> Evaluate:
    argument = compiler.compile(node.args[0])

    def value(frame: Frame) -> Number:
        x = cleaned(argument(frame), frame.trace)
        return mp.zero if not x else x / abs(x)

    return value


def _extreme(compiler: Compiler, node: Basic) -> Evaluate:
    arguments = [compiler.compile(argument) for argument in node.args]
    choose = max if isinstance(node, sympy.Max) else min

    def value(frame: Frame) -> Number:
        return choose(_real(argument(frame), frame.trace) for argument in arguments)

    return value


def _rounded(compiler: Compiler, node: Basic) -> Evaluate:
    argument = compiler.compile(node.args[0])
    rounding = _fraction if isinstance(node, sympy.frac) else mp.floor
    rounding = mp.ceil if isinstance(node, sympy.ceiling) else rounding

    def value(frame: Frame) -> Number:
        x = cleaned(argument(frame), frame.trace)
        re = rounding(_settled_integer(mp.re(x), frame.trace))
        im = rounding(_settled_integer(mp.im(x), frame.trace)) if is_complex(x) else 0
        return mp.mpc(re, im) if im else re

    return value


def _fraction(x: Number) -> Number:
    return x - mp.floor(x)


def _settled_integer(x: Number, trace: Trace) -> Number:
    """x, or the integer it misses by no more than rounding noise."""
    nearest = mp.nint(x)
    gap = x - nearest
    if gap and magnitude(gap) < max(magnitude(x), 0) - mp.prec + 2 * SNAP_BITS:
        trace.boundary = True
        return nearest
    return x


def _modulo(compiler: Compiler, node: Basic) -> Evaluate:
    dividend, divisor = (compiler.compile(argument) for argument in node.args)
    truncates = not isinstance(node, sympy.Mod)

    def value(frame: Frame) -> Number:
        a, b = _real(dividend(frame), frame.trace), _real(divisor(frame), frame.trace)
        if not b:
            raise NoValue("modulo zero")
        quotient = _settled_integer(a / b, frame.trace)
        whole = mp.floor(quotient) if not truncates or quotient >= 0 else mp.ceil(quotient)
        return added([a, -b * whole], frame.trace)

    return value


def _atan2(compiler: Compiler, node: Basic) -> Evaluate:
    above, beside = (compiler.compile(argument) for argument in node.args)
    symbolic = bool(node.free_symbols)

    def value(frame: Frame) -> Number:
        y, x = cleaned(above(frame), frame.trace), cleaned(beside(frame), frame.trace)
        if not x and not y:
            raise NoValue("atan2(0, 0)")
        if not is_complex(x) and not is_complex(y):
            return mp.atan2(y, x)
        direction = cleaned((x + mp.j * y) / mp.sqrt(x * x + y * y), frame.trace)
        if symbolic and not is_complex(direction) and direction < 0:
            frame.trace.on_cut = True
        return simplest(-mp.j * mp.log(direction))

    return value


SPECIAL[sympy.Piecewise] = _piecewise
SPECIAL[sympy.Heaviside] = _heaviside
SPECIAL[sympy.sign] = _sign
SPECIAL[sympy.Max] = _extreme
SPECIAL[sympy.Min] = _extreme
SPECIAL[sympy.floor] = _rounded
SPECIAL[sympy.ceiling] = _rounded
SPECIAL[sympy.frac] = _rounded
SPECIAL[sympy.Mod] = _modulo
SPECIAL[sympy.Rem] = _modulo
SPECIAL[sympy.atan2] = _atan2
