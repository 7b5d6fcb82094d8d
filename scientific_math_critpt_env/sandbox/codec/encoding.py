"""From a value to bytes. Runs in the candidate's process, after the candidate's code.

So it asks objects nothing that a class of the candidate's could answer: it looks only at exact types, and
reads expressions through accessors captured when this module was loaded. Code that has patched SymPy, this
module or `json` can only make it write other *data*, which the decoder then checks.
"""

from __future__ import annotations

import collections
import decimal
import fractions
import inspect
import json
import types
from collections.abc import Callable, Iterable
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.core.symbol import Str

from scientific_math_critpt_env.sandbox.codec import heads
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.names import allowed

Node = list[Any]


class EncodeError(Exception):
    """The value cannot leave: `limit` names the limit it exceeds, otherwise `reason` the kind of refusal."""

    def __init__(self, reason: str, *, name: str = "", limit: str = "") -> None:
        super().__init__(f"{reason} {name}".strip() if reason else f"over the limit of {limit}")
        self.reason = reason
        self.name = name
        self.limit = limit


def encode(value: object, limits: Limits = Limits()) -> bytes:
    """`value` as data; raises EncodeError where it is no value or a large one."""
    writer = _Writer(limits)
    writer.add(value, 1)
    data = json.dumps(writer.nodes, separators=(",", ":")).encode()
    if len(data) > limits.output_bytes:
        raise EncodeError("", limit="output")
    return data


class _Writer:
    """Nodes written so far, with two memories: by identity (shared objects) and by content (equal nodes)."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes: list[Node] = []
        self.heights: list[int] = []
        self._seen: dict[int, int] = {}
        self._written: dict[tuple[Any, ...], int] = {}
        self._alive: list[object] = []
        self._bits = 0

    def add(self, value: object, depth: int) -> int:
        """Position of the node of `value`, written now if it was not yet."""
        known = self._seen.get(id(value))
        if known is not None:
            return known
        if depth > self.limits.depth:
            raise EncodeError("", limit="depth")
        write = _WRITERS.get(type(value))
        if write is not None:
            position = write(self, value, depth + 1)
        else:
            position = _write_dynamic(self, value, depth + 1)
        self._seen[id(value)] = position
        self._alive.append(value)  # an id is only good while its object lives
        return position

    def node(self, tag: str, *fields: Any, children: Iterable[int] = ()) -> int:
        """Write a node, or find the same one; `fields` are strings and small integers."""
        references = tuple(children)
        key = (tag, fields, references)
        known = self._written.get(key)
        if known is not None:
            return known
        height = 1 + max((self.heights[child] for child in references), default=0)
        if height > self.limits.depth:
            raise EncodeError("", limit="depth")
        if len(self.nodes) >= self.limits.nodes:
            raise EncodeError("", limit="nodes")
        position = len(self.nodes)
        self.nodes.append([tag, *fields, *references])
        self.heights.append(height)
        self._written[key] = position
        return position

    def tree(self, tag: str, values: Iterable[object], depth: int, *fields: Any) -> int:
        return self.node(tag, *fields, children=[self.add(value, depth) for value in values])

    def integer(self, value: int) -> str:
        """Hexadecimal: decimal conversion is quadratic, and refused by Python beyond 4300 digits."""
        if value.bit_length() > self.limits.bits:
            raise EncodeError("", limit="bits")
        self._bits += value.bit_length()
        if self._bits > 4 * self.limits.output_bytes:
            raise EncodeError("", limit="output")
        return format(value, "x")

    def name(self, name: object, *, callable_name: bool = False) -> str:
        if not allowed(name, callable_name=callable_name):
            shown = name if type(name) is str and name.isidentifier() else ""
            raise EncodeError("name", name=shown)
        assert isinstance(name, str)
        return name

    def size(self, count: int) -> None:
        """Refuse an array before it is turned into Python objects."""
        if count > self.limits.nodes:
            raise EncodeError("", limit="nodes")


_Write = Callable[[_Writer, Any, int], int]


def _write_float(writer: _Writer, value: float, depth: int) -> int:
    return writer.node("float", float(value).hex())


def _write_complex(writer: _Writer, value: complex, depth: int) -> int:
    value = complex(value)
    return writer.node("complex", value.real.hex(), value.imag.hex())


def _write_str(writer: _Writer, value: str, depth: int) -> int:
    if len(value) > writer.limits.output_bytes:
        raise EncodeError("", limit="output")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise EncodeError("text", name="str")
    return writer.node("str", str(value))


def _write_dict(writer: _Writer, value: dict[Any, Any], depth: int) -> int:
    pairs = dict.items(value)
    return writer.tree("dict", (part for pair in pairs for part in pair), depth)


def _write_rational(writer: _Writer, value: Any, depth: int) -> int:
    return _ratio(writer, value.p, value.q)


def _write_fraction(writer: _Writer, value: fractions.Fraction, depth: int) -> int:
    return _ratio(writer, value.numerator, value.denominator)


def _ratio(writer: _Writer, numerator: int, denominator: int) -> int:
    numerator, denominator = int(numerator), int(denominator)
    if denominator == 1:
        return writer.node("integer", writer.integer(numerator))
    return writer.node("rational", writer.integer(numerator), writer.integer(denominator))


def _write_real(writer: _Writer, value: Any, depth: int) -> int:
    return _binary_float(writer, value._mpf_, value._prec)


def _write_mpf(writer: _Writer, value: Any, depth: int) -> int:
    value = +value  # a constant such as mpmath.pi becomes a number at the working precision
    mantissa = value._mpf_
    return _binary_float(writer, mantissa, max(int(mpmath.mp.prec), int(mantissa[3])))


def _write_mpc(writer: _Writer, value: Any, depth: int) -> int:
    real, imaginary = _write_mpf(writer, value.real, depth), _write_mpf(writer, value.imag, depth)
    unit = writer.node("constant", "ImaginaryUnit")
    return writer.node("Add", children=[real, writer.node("Mul", children=[imaginary, unit])])


def _binary_float(writer: _Writer, mpf: tuple[Any, ...], precision: int) -> int:
    sign, mantissa, exponent, _ = (int(part) for part in mpf)
    if mantissa == 0 and exponent != 0:
        special = {-456: "Infinity", -789: "NegativeInfinity"}.get(exponent, "NaN")
        return writer.node("constant", special)
    if precision > writer.limits.bits:
        raise EncodeError("", limit="bits")
    if abs(exponent) >> 62:
        raise EncodeError("", limit="bits")
    text = ("-" if sign else "") + writer.integer(mantissa)
    return writer.node("real", text, int(exponent), int(precision))


def _write_decimal(writer: _Writer, value: decimal.Decimal, depth: int) -> int:
    if not value.is_finite():
        special = "NaN" if value.is_nan() else ("Infinity" if value > 0 else "NegativeInfinity")
        return writer.node("constant", special)
    digits = max(15, len(value.as_tuple().digits))
    if digits > writer.limits.bits // 4 or abs(value.adjusted()) > writer.limits.bits // 4:
        raise EncodeError("", limit="bits")
    return writer.add(sympy.Float(str(value), digits), depth)


def _write_symbol(writer: _Writer, value: Any, depth: int) -> int:
    return writer.node("symbol", writer.name(value.name), _assumptions(writer, value._assumptions_orig))


def _write_dummy(writer: _Writer, value: Any, depth: int) -> int:
    name, index = writer.name(value.name), int(value.dummy_index)
    return writer.node("dummy", name, _assumptions(writer, value._assumptions_orig), format(index, "x"))


def _write_wild(writer: _Writer, value: Any, depth: int) -> int:
    if value.properties:
        raise EncodeError("type", name="Wild with properties")
    assumed = _assumptions(writer, value._assumptions_orig)
    return writer.tree("wild", value.exclude, depth, writer.name(value.name), assumed)


def _write_text(writer: _Writer, value: Any, depth: int) -> int:
    return writer.node("text", writer.name(value.name))


def _assumptions(writer: _Writer, assumptions: Any) -> str:
    """`+positive -zero`, sorted; None (unknown) says nothing."""
    known = sorted((name, value) for name, value in dict.items(assumptions) if value is not None)
    for name, _ in known:
        writer.name(name)
    return " ".join(("+" if value else "-") + name for name, value in known)


def _write_undefined(writer: _Writer, value: Any, depth: int) -> int:
    return writer.node("function", *_undefined(writer, value))


def _undefined(writer: _Writer, function: Any) -> tuple[str, str]:
    return writer.name(function.name, callable_name=True), _assumptions(writer, function._kwargs)


def _write_matrix(writer: _Writer, value: Any, depth: int) -> int:
    writer.size(value.rows * value.cols)
    return _rows(writer, value.rows, value.cols, value.flat(), depth)


def _rows(writer: _Writer, rows: int, columns: int, flat: Iterable[object], depth: int) -> int:
    return writer.tree("matrix", flat, depth, int(rows), int(columns))


def _write_mp_matrix(writer: _Writer, value: Any, depth: int) -> int:
    rows, columns = int(value.rows), int(value.cols)
    writer.size(rows * columns)
    return _rows(writer, rows, columns, (value[i, j] for i in range(rows) for j in range(columns)), depth)


def _write_ndim(writer: _Writer, value: Any, depth: int) -> int:
    writer.size(len(value))
    flat = value._args[0] if hasattr(value, "_args") else value._array
    return writer.node("array", *map(int, value.shape), -1, children=[writer.add(x, depth) for x in flat])


def _write_numpy(writer: _Writer, value: Any, depth: int) -> int:
    if value.dtype.kind not in "biufcOU":
        raise EncodeError("type", name=f"numpy {value.dtype.name}")
    writer.size(value.size)
    if value.dtype.kind in "fc" and value.dtype.itemsize > (8 if value.dtype.kind == "f" else 16):
        value = value.astype(float if value.dtype.kind == "f" else complex)
    if value.ndim == 0:
        return writer.add(value.item(), depth)
    if value.ndim == 1:
        return writer.tree("list", value.tolist(), depth)
    flat = value.reshape(-1).tolist()
    if value.ndim == 2:
        return _rows(writer, *value.shape, flat, depth)
    return writer.node("array", *map(int, value.shape), -1, children=[writer.add(x, depth) for x in flat])


def _write_dynamic(writer: _Writer, value: Any, depth: int) -> int:
    """Types that are made at run time: undefined functions and their applications; all else is refused."""
    kind = type(value)
    if type(kind) is UndefinedFunction and kind.__mro__[1] is AppliedUndef:
        return writer.tree("apply", _APPLIED_ARGS(value), depth, *_undefined(writer, kind))
    known = _UNITS_BY_ID.get(id(value))
    if known is not None:
        return writer.node("unit", known)
    if kind in _LAZY:
        raise EncodeError("lazy", name=kind.__name__)
    if value is None:
        raise EncodeError("none")
    raise EncodeError("type", name=type.__dict__["__name__"].__get__(kind))


def _accessor(head: type) -> Callable[[Any], tuple[Any, ...]]:
    """How to read the arguments of exact instances of `head`."""
    found = inspect.getattr_static(head, "args")
    assert isinstance(found, property)
    assert found.fget is not None
    return found.fget


def _head_writer(head: type, tag: str) -> _Write:
    arguments = _accessor(head)

    def write(writer: _Writer, value: Any, depth: int) -> int:
        return writer.tree(tag, arguments(value), depth)

    return write


def _constant_writer(name: str) -> _Write:
    return lambda writer, value, depth: writer.node("constant", name)


def _sequence_writer(tag: str) -> _Write:
    return lambda writer, value, depth: writer.tree(tag, value, depth)


_APPLIED_ARGS = _accessor(AppliedUndef)
_UNITS_BY_ID = {id(unit): name for name, unit in heads.UNITS.items()}

_LAZY = frozenset(
    (
        types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, map, filter, zip, range, enumerate,
        reversed, type(iter(())), type(iter([])), type({}.keys()), type({}.values()), type({}.items()),
    )
)  # fmt: skip
"""Things that would still have to run to become a value."""


def _writers() -> dict[type, _Write]:
    table: dict[type, _Write] = {head: _head_writer(head, tag) for head, tag in heads.TAGS.items()}
    table |= {type(value): _constant_writer(name) for name, value in heads.CONSTANTS.items()}
    integers = (int, *(np.dtype(code).type for code in "bhilqBHILQ"))
    table |= {kind: lambda w, v, d: w.node("int", w.integer(int(v))) for kind in integers}
    table |= dict.fromkeys((float, np.float16, np.float32, np.float64, np.longdouble), _write_float)
    table |= dict.fromkeys((complex, np.complex64, np.complex128, np.clongdouble), _write_complex)
    table |= {kind: lambda w, v, d: w.node("bool", int(bool(v))) for kind in (bool, np.bool_)}
    table |= dict.fromkeys((str, np.str_), _write_str)
    table |= {kind: _sequence_writer(kind.__name__) for kind in (list, tuple, set, frozenset)}
    table |= dict.fromkeys((dict, collections.OrderedDict, collections.defaultdict, collections.Counter), _write_dict)
    rationals = (
        sympy.Integer,
        sympy.Rational,
        type(sympy.S.Half),
        *map(type, map(sympy.Integer, (-1, 0, 1))),
    )
    table |= dict.fromkeys(rationals, _write_rational)
    table |= {sympy.Float: _write_real, fractions.Fraction: _write_fraction, decimal.Decimal: _write_decimal}
    table |= {mpmath.mpf: _write_mpf, type(mpmath.pi): _write_mpf, mpmath.mpc: _write_mpc}
    table |= {
        sympy.Symbol: _write_symbol,
        sympy.Dummy: _write_dummy,
        sympy.Wild: _write_wild,
        Str: _write_text,
    }
    table |= dict.fromkeys((sympy.MutableDenseMatrix, sympy.MutableSparseMatrix), _write_matrix)
    table[mpmath.matrix] = _write_mp_matrix
    table |= dict.fromkeys((sympy.MutableDenseNDimArray, sympy.MutableSparseNDimArray), _write_ndim)
    table |= dict.fromkeys((np.ndarray, np.matrix), _write_numpy)
    table[UndefinedFunction] = _write_undefined
    return table


_WRITERS = _writers()
