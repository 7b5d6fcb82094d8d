"""Values of the generalised hypergeometric function and of Meijer's G, whose parameters come in tuples."""

from __future__ import annotations

import sympy
from mpmath import mp
from sympy import Basic

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import SPECIAL, Compiler
from scientific_math_critpt_env.grading.equality.frame import (
    Frame,
    NoValue,
    Number,
    cleaned,
    is_complex,
    simplest,
)


def _hyper(compiler: Compiler, node: Basic) -> Evaluate:
    above = [compiler.compile(parameter) for parameter in node.ap]
    below = [compiler.compile(parameter) for parameter in node.bq]
    argument = compiler.compile(node.argument)
    cut = len(above) == len(below) + 1 and bool(node.argument.free_symbols)

    def value(frame: Frame) -> Number:
        z = cleaned(argument(frame), frame.trace)
        if cut and not is_complex(z) and z > 1:
            frame.trace.on_cut = True
        tops, bottoms = [a(frame) for a in above], [b(frame) for b in below]
        return _finite(lambda: mp.hyper(tops, bottoms, z))

    return value


def _meijer(compiler: Compiler, node: Basic) -> Evaluate:
    groups = [[compiler.compile(p) for p in group] for group in (node.an, node.aother, node.bm, node.bother)]
    argument = compiler.compile(node.argument)
    symbolic = bool(node.argument.free_symbols)

    def value(frame: Frame) -> Number:
        z = cleaned(argument(frame), frame.trace)
        if symbolic and not is_complex(z) and z < 0:
            frame.trace.on_cut = True
        an, aother, bm, bother = ([parameter(frame) for parameter in group] for group in groups)
        return _finite(lambda: mp.meijerg([an, aother], [bm, bother], z))

    return value


def _finite(call: object) -> Number:
    try:
        return simplest(call())  # type: ignore[operator]
    except NO_VALUE_ERRORS as error:
        raise NoValue(str(error)) from error


SPECIAL[sympy.hyper] = _hyper
SPECIAL[sympy.meijerg] = _meijer
