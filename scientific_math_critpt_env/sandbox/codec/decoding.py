"""From bytes to a value. Runs in a confined checker; the bytes are a candidate's and may be anything.

Every node is checked before it is built, and built by a SymPy constructor from parts that were built before
it, so that decoding is one pass over at most `limits.nodes` nodes. Construction evaluates as SymPy always
does, with one exception: what somebody left unevaluated because its value is astronomically large
(`Pow(10, 10**8, evaluate=False)`, `factorial(10**9)`) stays unevaluated, and so does what contains it.
That guard is a kindness to honest values. Against dishonest ones stand the limits of the process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import mpmath.libmp
import sympy
from sympy.core.assumptions import StdFactKB
from sympy.core.function import UndefinedFunction
from sympy.core.symbol import Str

from scientific_math_critpt_env.sandbox.codec import heads
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.names import allowed

EVALUATED_BITS = 1 << 15
"""Powers of integers whose value would be longer than this (about 9,900 digits) are kept as powers."""
EVALUATED_ARGUMENT = 10_000
"""Functions in `heads.COSTLY` of an integer beyond this are kept as they are."""


class DecodeError(Exception):
    """The bytes are not a value: a forged or damaged encoding, or arguments SymPy does not accept."""


def decode(data: bytes, limits: Limits = Limits()) -> object:
    """The value that `encode` wrote; raises DecodeError for anything it could not have written."""
    if len(data) > limits.output_bytes:
        raise DecodeError("more bytes than the limit")
    try:
        nodes = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DecodeError("not JSON") from error
    if type(nodes) is not list or not 0 < len(nodes) <= limits.nodes:
        raise DecodeError("not a list of nodes, or more than the limit")
    reader = _Reader(limits)
    for node in nodes:
        reader.read(node)
    return reader.values[-1]


class _Reader:
    """Values built so far, each with its height and whether something in it was left unevaluated."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.values: list[Any] = []
        self.heights: list[int] = []
        self.lazy: list[bool] = []

    def read(self, node: object) -> None:
        _check(type(node) is list and node and type(node[0]) is str, "a node is a tag and its fields")
        assert isinstance(node, list)
        tag, fields = node[0], node[1:]
        build = _BUILDERS.get(tag)
        leaf_fields, children = self._split(tag, fields, *_SHAPES.get(tag, (0,)))
        values = [self.values[child] for child in children]
        height = 1 + max((self.heights[child] for child in children), default=0)
        _check(height <= self.limits.depth, "deeper than the limit")
        lazy = any(self.lazy[child] for child in children)
        try:
            if build is not None:
                value = build(self, leaf_fields, values)
            elif tag in heads.HEADS:
                value, lazy = _apply(tag, values, lazy)
            else:
                raise DecodeError("an unknown tag")
        except (DecodeError, MemoryError):
            raise
        except Exception as error:
            raise DecodeError(f"{tag} does not accept these arguments: {type(error).__name__}") from error
        self.values.append(value)
        self.heights.append(height)
        self.lazy.append(lazy)

    def _split(self, tag: str, fields: list[Any], leaves: int) -> tuple[list[Any], list[int]]:
        """The fields proper and the references, which must point backwards."""
        if tag == "array":
            _check(-1 in fields, "an array without a shape")
            leaves = fields.index(-1)
            fields = [*fields[:leaves], *fields[leaves + 1 :]]
        _check(len(fields) >= leaves, "too few fields")
        children = fields[leaves:]
        _check(all(type(child) is int and 0 <= child < len(self.values) for child in children), "a reference")
        return fields[:leaves], children

    def integer(self, text: object) -> int:
        _check(type(text) is str and _HEX.fullmatch(text) is not None, "an integer")
        assert isinstance(text, str)
        _check(4 * len(text) <= self.limits.bits + 8, "an integer over the limit")
        return int(text, 16)


def _apply(tag: str, arguments: list[Any], lazy: bool) -> tuple[Any, bool]:
    """`head(*arguments)`, unevaluated where its value would be too large; and whether that was so."""
    _check(all(isinstance(argument, sympy.Basic) for argument in arguments), "an argument outside SymPy")
    head: Any = heads.HEADS[tag]
    if issubclass(head, sympy.Rel) or head is sympy.Piecewise:
        return head(*arguments, evaluate=False), lazy  # they would simplify, and say no more than before
    lazy = lazy or _explodes(head, arguments)
    if lazy and issubclass(head, (sympy.Add, sympy.Mul, sympy.Pow, sympy.Function)):
        return head(*arguments, evaluate=False), True
    return head(*arguments), lazy


def _explodes(head: Any, arguments: list[Any]) -> bool:
    if head is sympy.Pow:
        base, exponent = arguments
        if not (isinstance(base, sympy.Rational) and isinstance(exponent, sympy.Rational)):
            return False
        size = max(abs(base.p).bit_length(), base.q.bit_length())
        return size > 1 and size * abs(exponent.p) > EVALUATED_BITS * exponent.q
    if head.__name__ in heads.COSTLY:
        return any(
            isinstance(part, sympy.Rational) and abs(part.p) > EVALUATED_ARGUMENT for part in arguments
        )
    if head is sympy.exp:  # exp(n*log(b)) is b**n
        (power,) = arguments
        return isinstance(power, sympy.Mul) and any(
            isinstance(part, sympy.Integer) and abs(part.p) > EVALUATED_BITS for part in power.args
        )
    return False


_Build = Callable[[_Reader, list[Any], list[Any]], Any]
_HEX = re.compile(r"-?[0-9a-f]+")
_FLOAT = re.compile(r"-?0x[01]\.?[0-9a-f]{0,13}p[+-]\d{1,4}|-?inf|nan")


def _float(text: object) -> float:
    _check(type(text) is str and _FLOAT.fullmatch(text) is not None, "a float")
    assert isinstance(text, str)
    return float.fromhex(text)


def _build_bool(reader: _Reader, fields: list[Any], values: list[Any]) -> bool:
    _check(type(fields[0]) is int and fields[0] in (0, 1), "a bool")
    return bool(fields[0])


def _build_str(reader: _Reader, fields: list[Any], values: list[Any]) -> str:
    _check(type(fields[0]) is str and not re.search("[\ud800-\udfff]", fields[0]), "a string")
    return str(fields[0])


def _build_dict(reader: _Reader, fields: list[Any], values: list[Any]) -> dict[Any, Any]:
    _check(len(values) % 2 == 0, "a dict without the value of a key")
    built = dict(zip(values[::2], values[1::2], strict=True))
    _check(len(built) * 2 == len(values), "a dict with the same key twice")
    return built


def _build_rational(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    denominator = reader.integer(fields[1])
    _check(denominator > 1, "a denominator")
    return sympy.Rational(reader.integer(fields[0]), denominator)


def _build_real(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    mantissa, (exponent, precision) = reader.integer(fields[0]), fields[1:]
    _check(type(exponent) is int and abs(exponent) < 1 << 62, "an exponent")
    _check(type(precision) is int and 0 < precision <= reader.limits.bits, "a precision")
    return sympy.Float._new(
        mpmath.libmp.from_man_exp(mantissa, exponent, precision, "n"), precision, zero=False
    )


def _name(text: object, *, callable_name: bool = False) -> str:
    _check(allowed(text, callable_name=callable_name), "a name")
    assert isinstance(text, str)
    return text


_FACTS = frozenset(StdFactKB({}).rules.defined_facts) | {"commutative"}


def _assumptions(text: object) -> dict[str, bool]:
    _check(type(text) is str and len(text) < 2000, "assumptions")
    assert isinstance(text, str)
    known = {part[1:]: part[0] == "+" for part in text.split()}
    _check(known.keys() <= _FACTS and all(part[0] in "+-" for part in text.split()), "an assumption")
    return known


def _build_symbol(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Symbol(_name(fields[0]), **_assumptions(fields[1]))


def _build_dummy(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Dummy(_name(fields[0]), **_assumptions(fields[1]))  # its own index, so that none collides


def _build_wild(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Wild(_name(fields[0]), exclude=values, **_assumptions(fields[1]))


def _build_function(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    return UndefinedFunction(_name(fields[0], callable_name=True), **_assumptions(fields[1]))


def _build_applied(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    _check(all(isinstance(value, sympy.Basic) for value in values), "an argument outside SymPy")
    return _build_function(reader, fields, [])(*values)


def _build_matrix(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    rows, columns = fields
    _check(
        all(type(size) is int and size >= 0 for size in fields) and rows * columns == len(values), "a shape"
    )
    return sympy.ImmutableDenseMatrix(rows, columns, [sympy.sympify(value, strict=True) for value in values])


def _build_array(reader: _Reader, fields: list[Any], values: list[Any]) -> Any:
    _check(all(type(size) is int and size >= 0 for size in fields) and len(fields) <= 32, "a shape")
    return sympy.ImmutableDenseNDimArray(
        [sympy.sympify(value, strict=True) for value in values], tuple(fields)
    )


def _check(true: object, what: str) -> None:
    if not true:
        raise DecodeError(f"malformed: {what}")


_SHAPES: dict[str, tuple[int]] = {
    "int": (1,), "bool": (1,), "float": (1,), "complex": (2,), "str": (1,), "integer": (1,), "rational": (2,),
    "real": (3,), "constant": (1,), "unit": (1,), "symbol": (2,), "dummy": (3,), "wild": (2,), "text": (1,),
    "function": (2,), "apply": (2,), "matrix": (2,),
}  # fmt: skip
"""How many of a node's fields are its own; the others are references."""

_BUILDERS: dict[str, _Build] = {
    "int": lambda reader, fields, values: reader.integer(fields[0]),
    "bool": _build_bool,
    "float": lambda reader, fields, values: _float(fields[0]),
    "complex": lambda reader, fields, values: complex(_float(fields[0]), _float(fields[1])),
    "str": _build_str,
    "list": lambda reader, fields, values: values,
    "tuple": lambda reader, fields, values: tuple(values),
    "set": lambda reader, fields, values: set(values),
    "frozenset": lambda reader, fields, values: frozenset(values),
    "dict": _build_dict,
    "integer": lambda reader, fields, values: sympy.Integer(reader.integer(fields[0])),
    "rational": _build_rational,
    "real": _build_real,
    "constant": lambda reader, fields, values: heads.CONSTANTS[_name(fields[0])],
    "unit": lambda reader, fields, values: heads.UNITS[_name(fields[0])],
    "symbol": _build_symbol,
    "dummy": _build_dummy,
    "wild": _build_wild,
    "text": lambda reader, fields, values: Str(_name(fields[0])),
    "function": _build_function,
    "apply": _build_applied,
    "matrix": _build_matrix,
    "array": _build_array,
}
