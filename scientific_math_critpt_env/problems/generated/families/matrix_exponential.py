"""Exponential of t times a matrix of integers, diagonalisable or with one Jordan block of size 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import matrix_product, unimodular
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import matrix_source, matrix_tex, sum_source

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Parameters:
    columns: Rows
    inverse: Rows
    eigenvalues: tuple[int, ...]
    block: bool
    """Whether the first two eigenvalues are equal and form one block."""


@register
class MatrixExponential(Family[Parameters]):
    name = "matrix_exponential"
    topic = "linear-algebra"
    answer_type = "matrix"
    route = "power series of the exponential"

    def draw(self, draw: Draw, level: int) -> Parameters:
        size = 2 if level < 3 else 3
        columns, inverse = unimodular(draw, size, 2 if level == 2 else 1)
        block = level > 1 and (level > 3 or bool(draw.integer(0, 1)))
        values = draw.distinct(-4, 4, size)
        if block:
            values[1] = values[0]
        if max(abs(e) for row in (*columns, *inverse) for e in row) > 12 or columns == inverse:
            raise Degenerate
        return Parameters(_rows(columns), _rows(inverse), tuple(values), block)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        size = len(p.eigenvalues)
        if sum(entry == 0 for row in _matrix(p) for entry in row) > 2:
            raise Degenerate  # next to triangular
        entries = []
        for i in range(size):
            row = []
            for j in range(size):
                amounts: dict[int, int] = {}
                for k, value in enumerate(p.eigenvalues):
                    amounts[value] = amounts.get(value, 0) + p.columns[i][k] * p.inverse[k][j]
                terms = [(amounts[value], _exponential(value)) for value in sorted(amounts)]
                if p.block:
                    factor = _exponential(p.eigenvalues[0])
                    terms.append((p.columns[i][0] * p.inverse[1][j], f"t*{factor}" if factor else "t"))
                row.append(sum_source(terms))
            entries.append(row)
        matrix = matrix_tex(_matrix(p))
        prompt = wording.choice(
            [
                f"Let $A={matrix}$. Find the matrix exponential $e^{{tA}}$ for real $t$.",
                f"Compute $\\exp(tA)$, $t$ real, for $$A={matrix}.$$",
                f"Find the matrix $X(t)$ with $\\dot X=AX$ and $X(0)=I$ (the unit matrix), where "
                f"$$A={matrix}.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the ${size}\\times{size}$ SymPy `Matrix` with entries in `t`.",
            answer_fn=matrix_source(entries),
            symbols={"t": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        matrix = _matrix(parameters)
        size = len(matrix)
        t = mp.mpf("0.35")
        term: list[list[Any]] = [[mp.mpf(i == j) for j in range(size)] for i in range(size)]
        total = [row[:] for row in term]
        for n in range(1, 90):
            term = [
                [t / n * mp.fsum(term[i][k] * matrix[k][j] for k in range(size)) for j in range(size)]
                for i in range(size)
            ]
            total = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(total, term, strict=True)]
        same(total, gold.at(t=t), digits=12, scale=1)


def _matrix(p: Parameters) -> list[list[int]]:
    size = len(p.eigenvalues)
    jordan = [[p.eigenvalues[i] if i == j else 0 for j in range(size)] for i in range(size)]
    if p.block:
        jordan[0][1] = 1
    product = matrix_product(matrix_product(p.columns, jordan), p.inverse)
    return [[int(entry) for entry in row] for row in product]


def _exponential(rate: int) -> str:
    return f"exp({sum_source([(rate, 't')])})" if rate else ""


def _rows(matrix: list[list[int]]) -> Rows:
    return tuple(tuple(row) for row in matrix)
