"""Matrices, arrays and nested lists: the same shape, every entry equal in its place.

A nested list or tuple is accepted for a matrix or array of its shape, and a flat one for a column (as
`Matrix([1, 2])` itself reads it) - never for a row: 1xN and Nx1 differ. Matrix expressions (`Identity`,
`MatMul`, block matrices, transposes) are written out first; what has symbolic dimensions or opaque matrix
symbols is compared in random matrices (`operators`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Integer, MatrixBase, MatrixExpr, MatrixSymbol, Symbol, prod
from sympy.matrices.expressions.matexpr import MatrixElement
from sympy.tensor.array import NDimArray

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch, whole
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.operators import compare_operators
from scientific_math_critpt_env.grading.structures.sequences import items

MAX_ENTRIES = 4_096
"""Of a matrix that is written out: 64 x 64."""

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Entries in row-major order; `flat` marks a plain list, which may stand for a column."""

    shape: Shape
    entries: tuple[object, ...]
    flat: bool = False


def compare_grids(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Entry by entry, after the shapes."""
    golds, answers = grid(gold, context), grid(answer, context)
    if golds is None or answers is None:
        if all(kind_of(value) == "matrix" for value in (gold, answer)):
            return compare_operators(gold, answer, compare, context)
        return shape_mismatch("a list that is no matrix (ragged rows) against a matrix")
    if not _same_shape(golds, answers):
        return shape_mismatch(f"shape {_shown(answers.shape)} where {_shown(golds.shape)} is asked")
    if len(golds.entries) > MAX_ENTRIES:
        return undecided(f"{len(golds.entries)} entries are more than can be compared ({MAX_ENTRIES})")
    shape = max(golds.shape, answers.shape, key=len)
    parts = [
        (f"entry {_position(index, shape)}", compare(g, a, context))
        for index, (g, a) in enumerate(zip(golds.entries, answers.entries, strict=True))
    ]
    return whole(parts, "entries")


def is_grid(value: object) -> bool:
    """Whether `value` is a matrix or array (a list is one only beside one)."""
    return kind_of(value) in ("matrix", "array")


def grid(value: object, context: Context) -> Grid | None:
    """`value` written out; None where that is not possible."""
    kind = kind_of(value)
    if kind == "matrix":
        matrix = explicit(value, context)
        return None if matrix is None else Grid(tuple(map(int, matrix.shape)), tuple(matrix.flat()))
    if isinstance(value, NDimArray):
        shape = tuple(int(n) for n in value.shape)
        return Grid(shape, tuple(_flattened(value)), flat=len(shape) == 1)
    if kind == "sequence":
        return _nested(items(value))
    return None


def explicit(value: object, context: Context) -> MatrixBase | None:
    """The matrix of a matrix expression with its entries; None for symbolic or huge dimensions."""
    if isinstance(value, MatrixBase):
        return value
    if not isinstance(value, MatrixExpr) or not all(isinstance(n, Integer) for n in value.shape):
        return None
    if prod(value.shape) > MAX_ENTRIES:
        return None
    return attempt(lambda: _with_named_entries(value.doit().as_explicit()), context)


def _with_named_entries(matrix: MatrixBase) -> MatrixBase:
    """Entries of matrix symbols as plain symbols, which scalars are made of."""
    entries = {e for e in matrix.atoms(MatrixElement) if isinstance(e.args[0], MatrixSymbol)}
    names = {e: Symbol(str(e)) for e in entries if all(isinstance(i, Integer) for i in e.args[1:])}
    return matrix.xreplace(names) if names else matrix


def _nested(rows: tuple[object, ...]) -> Grid | None:
    if not any(kind_of(row) == "sequence" for row in rows):
        plain = not any(is_grid(row) for row in rows)
        return Grid((len(rows),), rows, flat=True) if plain else None
    inner = [_nested(items(row)) if kind_of(row) == "sequence" else None for row in rows]
    grids = [g for g in inner if g is not None]
    if len(grids) < len(rows) or len({g.shape for g in grids}) != 1:
        return None
    return Grid((len(rows), *grids[0].shape), tuple(entry for g in grids for entry in g.entries))


def _flattened(array: NDimArray) -> list[object]:
    return [array[array._get_tuple_index(i)] for i in range(len(array))]


def _same_shape(left: Grid, right: Grid) -> bool:
    if left.shape == right.shape:
        return True
    return any(one.flat and other.shape == (*one.shape, 1) for one, other in ((left, right), (right, left)))


def _position(index: int, shape: Shape) -> str:
    position = []
    for size in reversed(shape):
        index, place = divmod(index, size)
        position.append(place)
    return f"({', '.join(map(str, reversed(position)))})" if len(position) > 1 else f"({position[0]})"


def _shown(shape: Shape) -> str:
    return "x".join(map(str, shape))
