"""Values of what jumps: Heaviside, sign, floor, Max, Mod, atan2.

A jump decided by a difference that is rounding noise is taken as lying on the jump, and noted in the trace.
"""

from __future__ import annotations

import sympy
from mpmath import mp
from sympy import Basic

from scientific_math_critpt_env.grading.equality.arithmetic import Evaluate, added
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler
from scientific_math_critpt_env.grading.equality.conditions import lazy
from scientific_math_critpt_env.grading.equality.frame import (
    SNAP_BITS,
    Frame,
    NoValue,
    Number,
    Trace,
    cleaned,
    is_complex,
    magnitude,
    simplest,
)


def _real(value: Number, trace: Trace) -> Number:
    """A number that something orders: raises `NoValue` where it is complex."""
    value = cleaned(value, trace)
    if is_complex(value):
        raise NoValue("an order between complex numbers")
    return value


def _heaviside(compiler: Compiler, node: Basic) -> Evaluate:
    argument = compiler.compile(node.args[0])
    middle = lazy(compiler, node.args[1])

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
