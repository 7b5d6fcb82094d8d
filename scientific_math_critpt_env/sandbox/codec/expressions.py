"""SymPy expressions: a head from the allow-list, applied to arguments.

Construction evaluates as SymPy always does, with one exception: what somebody left unevaluated because its
value is astronomically large (`Pow(10, 10**8, evaluate=False)`, `factorial(10**9)`) stays unevaluated, and so
does what contains it. That guard is a kindness to honest values; against others stand the process's limits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import sympy
from sympy.core.symbol import Str
from sympy.functions.special.hyper import TupleArg

from scientific_math_critpt_env.sandbox.codec.graph import Reader, Writer, malformed
from scientific_math_critpt_env.sandbox.codec.heads import CONSTANTS, COSTLY, HEADS, UNITS

EVALUATED_BITS = 1 << 15
"""Powers of numbers that would be longer than this (about 9,900 digits) are kept as powers."""
EVALUATED_ARGUMENT = 10_000
"""Functions in `heads.COSTLY` of an integer beyond this are kept as they are."""

_FAITHFUL = (sympy.Rel, sympy.Piecewise)
"""Built as they were written: evaluating them simplifies what they compare, at any price."""
_EVALUATING = (sympy.Add, sympy.Mul, sympy.Pow, sympy.Function)


def _accessor(head: type) -> Callable[[Any], tuple[Any, ...]]:
    """How to read the arguments of an exact instance of `head`, fixed before any foreign code runs."""
    found = inspect.getattr_static(head, "args")
    assert isinstance(found, property), head
    assert found.fget is not None, head
    return found.fget


def _head_writer(tag: str, head: type) -> Any:
    arguments = _accessor(head)

    def write(writer: Writer, value: Any, depth: int) -> int:
        return writer.tree(tag, arguments(value), depth)

    return write


def _constant_writer(name: str) -> Any:
    return lambda writer, value, depth: writer.node("constant", name)


def write_unit(writer: Writer, value: Any) -> int | None:
    """A unit of the library, known by identity; None for any other quantity."""
    name = _UNIT_NAMES.get(id(value))
    return None if name is None else writer.node("unit", name)


def build_expression(reader: Reader, tag: str, arguments: list[Any], lazy: bool) -> tuple[Any, bool]:
    """(`head(*arguments)`, whether something in it was left unevaluated on purpose)."""
    if not all(isinstance(argument, sympy.Basic) for argument in arguments):
        malformed("an argument outside SymPy")
    if tag == "MatrixSymbol" and not (arguments and type(arguments[0]) is Str):  # SymPy would take a number
        malformed("a name")
    head: Any = HEADS[tag]
    if issubclass(head, _FAITHFUL):
        return head(*arguments, evaluate=False), lazy
    lazy = lazy or _explodes(tag, arguments)
    if lazy and issubclass(head, _EVALUATING):
        return head(*arguments, evaluate=False), True
    return head(*arguments), lazy


def _explodes(tag: str, arguments: list[Any]) -> bool:
    if tag == "Pow" and len(arguments) == 2:
        base, exponent = arguments
        if not (isinstance(base, sympy.Number) and isinstance(exponent, sympy.Rational)):
            return False
        size = _bits(base)
        return size > 1 and size * abs(exponent.p) > EVALUATED_BITS * exponent.q
    if tag == "exp" and len(arguments) == 1 and isinstance(arguments[0], sympy.Mul):
        return any(_beyond(factor, EVALUATED_BITS) for factor in arguments[0].args)  # exp(n*log(b)) is b**n
    return tag in COSTLY and any(_beyond(argument, EVALUATED_ARGUMENT) for argument in arguments)


def _bits(number: Any) -> int:
    if isinstance(number, sympy.Rational):
        return max(abs(number.p).bit_length(), number.q.bit_length())
    return 1  # a Float stays as long as it is


def _beyond(value: Any, most: int) -> bool:
    return isinstance(value, sympy.Rational) and abs(value.p) > most * value.q


def build_constant(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return CONSTANTS[reader.name(fields[0])]


def build_unit(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return UNITS[reader.name(fields[0])]


_UNIT_NAMES = {id(unit): name for name, unit in UNITS.items()}

WRITERS: dict[type, Any] = {
    **{head: _head_writer(tag, head) for tag, head in HEADS.items()},
    TupleArg: _head_writer("Tuple", TupleArg),  # the parameters of hyper and meijerg, which make it again
    **{type(value): _constant_writer(name) for name, value in CONSTANTS.items()},
}
BUILDERS = {"constant": (1, build_constant), "unit": (1, build_unit)}
