"""Exact arithmetic of small objects: polynomials as coefficient tuples (power 0 first), linear systems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scientific_math_critpt_env.problems.generated.draws import Draw

Number = int | Fraction
Polynomial = Sequence[Number]


def evaluated(polynomial: Polynomial, at: Number) -> Fraction:
    """The value at a rational point."""
    total = Fraction(0)
    for coefficient in reversed(polynomial):
        total = total * at + coefficient
    return total


def added(left: Polynomial, right: Polynomial) -> list[Fraction]:
    """The sum."""
    size = max(len(left), len(right))
    padded = [[*p, *[0] * (size - len(p))] for p in (left, right)]
    return [Fraction(a) + b for a, b in zip(*padded, strict=True)]


def multiplied(left: Polynomial, right: Polynomial) -> list[Fraction]:
    """The product."""
    product = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += Fraction(a) * b
    return product


def scaled(polynomial: Polynomial, factor: Number) -> list[Fraction]:
    """The polynomial times a number."""
    return [Fraction(factor) * coefficient for coefficient in polynomial]


def differentiated(polynomial: Polynomial) -> list[Fraction]:
    """The derivative; [0] for a constant."""
    return [n * Fraction(c) for n, c in enumerate(polynomial)][1:] or [Fraction(0)]


def integrated(polynomial: Polynomial) -> list[Fraction]:
    """The antiderivative that is 0 at 0."""
    return [Fraction(0), *(Fraction(c) / (n + 1) for n, c in enumerate(polynomial))]


def from_roots(roots: Sequence[Number]) -> list[Fraction]:
    """The monic polynomial with these roots."""
    product = [Fraction(1)]
    for root in roots:
        product = multiplied(product, [-root, 1])
    return product


def shifted(polynomial: Polynomial, by: Number) -> list[Fraction]:
    """The coefficients in powers of (x - by)."""
    result: list[Fraction] = [Fraction(0)]
    for coefficient in reversed(polynomial):
        result = added(multiplied(result, [by, 1]), [coefficient])
    return result[: len(polynomial)]


def solved(matrix: Sequence[Sequence[Number]], right: Sequence[Number]) -> list[Fraction] | None:
    """The solution of a square linear system; None where it is singular."""
    rows = [[Fraction(e) for e in row] + [Fraction(r)] for row, r in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for r in range(size):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column], strict=True)]
    return [row[-1] for row in rows]


def determinant(matrix: Sequence[Sequence[Number]]) -> Number:
    """The determinant, by expansion along the first row: for matrices up to five rows or so."""
    if len(matrix) == 1:
        return matrix[0][0]
    total: Number = 0
    for column, entry in enumerate(matrix[0]):
        if entry:
            minor = [[*row[:column], *row[column + 1 :]] for row in matrix[1:]]
            total += (-1) ** column * entry * determinant(minor)
    return total


def matrix_product(left: Sequence[Sequence[Number]], right: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """The product of two matrices given as rows."""
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def unimodular(draw: Draw, size: int, steps: int) -> tuple[list[list[int]], list[list[int]]]:
    """A drawn matrix of integers with determinant 1, and its inverse; `steps` bounds the entries' growth."""
    matrix = [[int(i == j) for j in range(size)] for i in range(size)]
    inverse = [row[:] for row in matrix]
    for _ in range(steps):
        for i in range(size):
            for j in range(size):
                if i != j:
                    factor = draw.integer(-1, 1) if size > 2 else draw.integer(-2, 2)
                    # Row i of the matrix gains factor times row j; column j of the inverse loses column i.
                    matrix[i] = [a + factor * b for a, b in zip(matrix[i], matrix[j], strict=True)]
                    for row in inverse:
                        row[j] -= factor * row[i]
    return matrix, inverse


def square_root(number: int) -> tuple[int, int]:
    """(k, m) with sqrt(number) = k sqrt(m) and no square in m; number > 0."""
    outside, inside, divisor = 1, number, 2
    while divisor * divisor <= inside:
        while inside % (divisor * divisor) == 0:
            outside, inside = outside * divisor, inside // divisor**2
        divisor += 1
    return outside, inside
