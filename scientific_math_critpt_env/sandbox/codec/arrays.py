"""Arrays that are no SymPy expressions: NumPy's and mpmath's, SymPy's mutable ones, and permutations.

One dimension becomes a list, two an ImmutableDenseMatrix, more an ImmutableDenseNDimArray.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy.combinatorics import Permutation

from scientific_math_critpt_env.sandbox.codec.graph import Reader, Writer, malformed, refuse

_MOST_DIMENSIONS = 32
_KINDS = "biufcOU"
"""NumPy's kinds of numbers, objects and text; not dates, records or raw bytes."""


def write_numpy(writer: Writer, value: Any, depth: int) -> int:
    if value.dtype.kind not in _KINDS:
        refuse("type", f"numpy.{value.dtype.name}")
    writer.size(value.size)
    if value.dtype in (np.longdouble, np.clongdouble):
        value = value.astype(complex if value.dtype.kind == "c" else float)
    return _write(writer, value.shape, np.asarray(value).reshape(-1).tolist(), depth)


def write_matrix(writer: Writer, value: Any, depth: int) -> int:
    writer.size(value.rows * value.cols)
    return _write(writer, (value.rows, value.cols), value.flat(), depth)


def write_mpmath(writer: Writer, value: Any, depth: int) -> int:
    writer.size(value.rows * value.cols)
    return _write(writer, (value.rows, value.cols), list(value), depth)


def write_array(writer: Writer, value: Any, depth: int) -> int:
    writer.size(len(value))
    return _write(writer, value.shape, sympy.flatten(value.tolist()), depth)


def write_permutation(writer: Writer, value: Any, depth: int) -> int:
    writer.size(value.size)
    return writer.node("permutation", " ".join(str(int(image)) for image in value.array_form))


def build_permutation(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return Permutation(_sizes(fields[0], int(reader.limits.nodes)))


def _write(writer: Writer, shape: Sequence[int], flat: list[Any], depth: int) -> int:
    if len(shape) == 0:
        return writer.add(flat[0], depth)
    if len(shape) == 1:
        return writer.tree("list", flat, depth)
    if len(shape) == 2:
        return writer.tree("matrix", flat, depth, int(shape[0]), int(shape[1]))
    return writer.tree("array", flat, depth, " ".join(str(int(size)) for size in shape))


def build_matrix(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    rows, columns = (reader.small(size, 0, int(reader.limits.nodes)) for size in fields)
    if rows * columns != len(values):
        malformed("a shape")
    return sympy.ImmutableDenseMatrix(rows, columns, _elements(values))


def build_array(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    shape = _sizes(fields[0], _MOST_DIMENSIONS)
    if math.prod(shape) != len(values):
        malformed("a shape")
    return sympy.ImmutableDenseNDimArray(_elements(values), tuple(shape))


def _sizes(text: object, most: int) -> list[int]:
    """Small numbers with spaces between them."""
    words = text.split(" ", most) if type(text) is str and text else []
    if len(words) > most or not all(word.isdecimal() and word.isascii() and len(word) < 8 for word in words):
        malformed("a list of numbers")
    return [int(word) for word in words]


def _elements(values: list[Any]) -> list[Any]:
    return [sympy.sympify(value, strict=True) for value in values]  # numbers: strict reads no text


WRITERS: dict[type, Any] = {
    **dict.fromkeys((np.ndarray, np.matrix), write_numpy),
    **dict.fromkeys((sympy.MutableDenseMatrix, sympy.MutableSparseMatrix), write_matrix),
    **dict.fromkeys((sympy.MutableDenseNDimArray, sympy.MutableSparseNDimArray), write_array),
    mpmath.matrix: write_mpmath,
    Permutation: write_permutation,
}
BUILDERS = {"matrix": (2, build_matrix), "array": (1, build_array), "permutation": (1, build_permutation)}
