"""Python's containers and text."""

from __future__ import annotations

import collections
import re
from typing import Any

import numpy as np

from scientific_math_critpt_env.sandbox.codec.graph import Reader, Writer, malformed, refuse

_SURROGATE = re.compile("[\ud800-\udfff]")


def write_str(writer: Writer, value: Any, depth: int) -> int:
    writer.characters(len(value))
    if _SURROGATE.search(value):
        refuse("text")
    return writer.node("str", str(value))


def build_str(reader: Reader, fields: list[Any], values: list[Any]) -> str:
    if type(fields[0]) is not str or _SURROGATE.search(fields[0]):
        malformed("a string")
    return fields[0]


def write_list(writer: Writer, value: list[Any], depth: int) -> int:
    return writer.tree("list", value, depth)


def build_list(reader: Reader, fields: list[Any], values: list[Any]) -> list[Any]:
    return values


def write_tuple(writer: Writer, value: tuple[Any, ...], depth: int) -> int:
    return writer.tree("tuple", value, depth)


def build_tuple(reader: Reader, fields: list[Any], values: list[Any]) -> tuple[Any, ...]:
    return tuple(values)


def write_set(writer: Writer, value: Any, depth: int) -> int:
    return writer.tree("set" if type(value) is set else "frozenset", value, depth)


def build_set(reader: Reader, fields: list[Any], values: list[Any]) -> set[Any]:
    return set(values)


def build_frozenset(reader: Reader, fields: list[Any], values: list[Any]) -> frozenset[Any]:
    return frozenset(values)


def write_dict(writer: Writer, value: dict[Any, Any], depth: int) -> int:
    return writer.tree("dict", [part for pair in dict.items(value) for part in pair], depth)


def build_dict(reader: Reader, fields: list[Any], values: list[Any]) -> dict[Any, Any]:
    if len(values) % 2:
        malformed("a key without a value")
    built = dict(zip(values[::2], values[1::2], strict=True))
    if 2 * len(built) != len(values):
        malformed("a key that comes twice")
    return built


DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)

WRITERS: dict[type, Any] = {
    **dict.fromkeys((str, np.str_), write_str),
    **dict.fromkeys((set, frozenset), write_set),
    **dict.fromkeys(DICTS, write_dict),
    list: write_list,
    tuple: write_tuple,
}
BUILDERS = {
    "str": (1, build_str),
    "list": (0, build_list),
    "tuple": (0, build_tuple),
    "set": (0, build_set),
    "frozenset": (0, build_frozenset),
    "dict": (0, build_dict),
}
