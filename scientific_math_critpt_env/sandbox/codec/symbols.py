"""Symbols, undefined functions and the other things that have a name."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.assumptions import _assume_rules
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.core.symbol import Str

from scientific_math_critpt_env.sandbox.codec.graph import Reader, Writer, malformed, refuse

_FACTS = frozenset(_assume_rules.defined_facts) | {"commutative"}
_MOST_FACTS = 64
"""SymPy knows about 30."""


def write_symbol(writer: Writer, value: Any, depth: int) -> int:
    return writer.node("symbol", writer.name(value.name), _facts(value._assumptions_orig))


def build_symbol(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Symbol(reader.name(fields[0]), **_assumptions(fields[1]))


def write_dummy(writer: Writer, value: Any, depth: int) -> int:
    """With its index, which tells it from other dummies of this value."""
    facts = _facts(value._assumptions_orig)
    return writer.node("dummy", writer.name(value.name), facts, writer.integer(int(value.dummy_index)))


def build_dummy(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    """A new one with an index of this process, so that it meets no dummy of another value."""
    return sympy.Dummy(reader.name(fields[0]), **_assumptions(fields[1]))


def write_wild(writer: Writer, value: Any, depth: int) -> int:
    if value.properties:
        refuse("type", "Wild with properties")  # they are functions
    return writer.tree("wild", value.exclude, depth, writer.name(value.name), _facts(value._assumptions_orig))


def build_wild(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Wild(reader.name(fields[0]), exclude=values, **_assumptions(fields[1]))


def write_text(writer: Writer, value: Any, depth: int) -> int:
    """The name of a matrix symbol and the like."""
    return writer.node("text", writer.name(value.name))


def build_text(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return Str(reader.name(fields[0]))


def write_function(writer: Writer, value: Any, depth: int) -> int:
    """An undefined function by itself: the class that SymPy makes for it."""
    return writer.node("function", *_function(writer, value))


def build_function(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return UndefinedFunction(reader.name(fields[0], function=True), **_assumptions(fields[1]))


def write_applied(writer: Writer, value: Any, depth: int) -> int:
    """An undefined function of something. Its type is made at run time, and checked by how it was made."""
    return writer.tree("apply", value._args, depth, *_function(writer, type(value)))


def build_applied(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    if not all(isinstance(value, sympy.Basic) for value in values):
        malformed("an argument outside SymPy")
    return build_function(reader, fields, [])(*values)


def is_applied(kind: type) -> bool:
    return type(kind) is UndefinedFunction and AppliedUndef in kind.__bases__


def _function(writer: Writer, function: Any) -> tuple[str, str]:
    return writer.name(function.name, function=True), _facts(function._kwargs)


def _facts(assumptions: Any) -> str:
    """`+positive -zero`; None (unknown) says nothing."""
    known = sorted(
        (fact, value) for fact, value in assumptions.items() if value is not None and fact in _FACTS
    )
    return " ".join(("+" if value else "-") + fact for fact, value in known)


def _assumptions(facts: object) -> dict[str, bool]:
    words = facts.split(" ", _MOST_FACTS) if type(facts) is str and facts else []
    known = {word[1:]: word[:1] == "+" for word in words}
    if not (type(facts) is str and known.keys() <= _FACTS and all(word[:1] in ("+", "-") for word in words)):
        malformed("assumptions")
    return known


WRITERS: dict[type, Any] = {
    sympy.Symbol: write_symbol,
    sympy.Dummy: write_dummy,
    sympy.Wild: write_wild,
    Str: write_text,
    UndefinedFunction: write_function,
}
BUILDERS = {
    "symbol": (2, build_symbol),
    "dummy": (3, build_dummy),
    "wild": (2, build_wild),
    "text": (1, build_text),
    "function": (2, build_function),
    "apply": (2, build_applied),
}
