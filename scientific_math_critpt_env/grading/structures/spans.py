"""Families linear in their constants: f0 + C1*f1 + ... is g0 + K1*g1 + ... if the spans and offsets agree.

Decided numerically, at many points of the variables with the other symbols held fixed: ranks of matrices of
values with 50 digits. A rank that grows refutes.
"""

from __future__ import annotations

from itertools import islice

import mpmath
from sympy import Expr, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, undecided
from scientific_math_critpt_env.grading.structures.composites import agreement
from scientific_math_critpt_env.grading.structures.family import Linear
from scientific_math_critpt_env.grading.structures.sampling import DIGITS, points, value_at

DRAWS = 2
"""Values of the parameters at which the spans are compared."""

EXTRA_POINTS = 6
"""Rows beyond twice the number of functions: a chance agreement would need all of them."""

SKIPPED = 4
"""Points tried for one that has a value."""

RANK_TOLERANCE = mpmath.mpf(10) ** -25
"""Relative size of a pivot that counts as zero: half of the digits of the values."""


def compare_spans(gold: Linear, answer: Linear, variables: tuple[Symbol, ...], context: Context) -> Finding:
    """Whether both have the same members."""
    columns = [*gold.parts, *answer.parts, answer.offset - gold.offset]
    fixed = sorted(set().union(*(c.free_symbols for c in columns)) - set(variables), key=str)
    for draw in range(DRAWS):
        held = next(points(fixed, seed=31 + draw, real=True))
        with mpmath.workdps(DIGITS):
            rows = value_rows([c.xreplace(held) for c in columns], variables, draw, context)
            refuted = None if rows is None else _refuted(rows, len(gold.parts), len(answer.parts))
        if rows is None:
            return undecided("too few points at which both families have values")
        if refuted:
            return different("numeric", refuted)
    return agreement(f"the same span of {len(gold.parts)} functions", context)


def _refuted(rows: list[list[mpmath.mpc]], f: int, g: int) -> str:
    """What a growing rank shows; "" where no rank grows."""
    rank = rank_of(rows, range(f))
    if rank_of(rows, range(f, f + g)) != rank or rank_of(rows, range(f + g)) != rank:
        return "the free parts of the two families span different functions"
    if rank_of(rows, [*range(f), f + g]) != rank:
        return "the fixed parts of the two families are not in one family"
    return ""


def value_rows(
    columns: list[Expr], variables: tuple[Symbol, ...], draw: int, context: Context
) -> list[list[mpmath.mpc]] | None:
    needed = 2 * len(columns) + EXTRA_POINTS
    rows = []
    for point in islice(points(variables, seed=41 + draw, real=True), SKIPPED * needed):
        row = [value_at(column, point, context) for column in columns]
        if None not in row:
            rows.append(row)
        if len(rows) == needed:
            return rows
    return None


def rank_of(rows: list[list[mpmath.mpc]], columns: range | list[int]) -> int:
    """Rank by elimination with full pivoting, rows and columns scaled to size 1 first."""
    matrix = [[row[c] for c in columns] for row in rows]
    if not columns:
        return 0
    for scale_columns in (False, True, False):
        matrix = _scaled(matrix, scale_columns)
    rank = 0
    while rank < len(matrix[0]):
        size, i, j = max(
            (abs(matrix[i][j]), i, j) for i in range(rank, len(matrix)) for j in range(rank, len(matrix[0]))
        )
        if size <= RANK_TOLERANCE:
            break
        matrix[rank], matrix[i] = matrix[i], matrix[rank]
        for row in matrix:
            row[rank], row[j] = row[j], row[rank]
        for row in matrix[rank + 1 :]:
            factor = row[rank] / matrix[rank][rank]
            for k in range(rank, len(row)):
                row[k] -= factor * matrix[rank][k]
        rank += 1
    return rank


def _scaled(matrix: list[list[mpmath.mpc]], columns: bool) -> list[list[mpmath.mpc]]:
    if columns:
        return [
            list(row)
            for row in zip(*_scaled([list(c) for c in zip(*matrix, strict=True)], False), strict=True)
        ]
    return [[value / (max(map(abs, row)) or 1) for value in row] for row in matrix]
