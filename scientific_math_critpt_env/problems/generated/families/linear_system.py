"""Solution of x' = A x with initial values, A a 2x2 or 3x3 matrix of integers with known eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import matrix_product, unimodular
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import listed, sum_source, sum_tex

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Parameters:
    matrix: Rows
    eigenvalues: tuple[int, ...]
    columns: Rows
    """Eigenvectors as columns of a matrix with determinant 1."""
    weights: tuple[int, ...]
    """The initial value in the basis of the eigenvectors."""


@register
class LinearSystem(Family[Parameters]):
    name = "linear_system"
    topic = "ordinary-differential-equations"
    answer_type = "tuple"
    route = "power series of the matrix exponential"

    def draw(self, draw: Draw, level: int) -> Parameters:
        size = 2 if level < 4 else 3
        columns, inverse = unimodular(draw, size, 1 if level == 1 else 2)
        eigenvalues = tuple(draw.distinct(-3 - level // 2, 3 + level // 2, size))
        diagonal = [[eigenvalues[i] if i == j else 0 for j in range(size)] for i in range(size)]
        matrix = matrix_product(matrix_product(columns, diagonal), inverse)
        weights = tuple(draw.nonzero(-4, 4) for _ in range(size))
        rows = tuple(tuple(int(entry) for entry in row) for row in matrix)
        if max(abs(entry) for row in rows for entry in row) > 60:
            raise Degenerate
        return Parameters(rows, eigenvalues, tuple(tuple(row) for row in columns), weights)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        size = len(p.matrix)
        names = ["x", "y", "z"][:size]
        start = [sum(row[k] * p.weights[k] for k in range(size)) for row in p.columns]
        equations = r",\quad ".join(
            f"\\dot {name}={sum_tex(list(zip(row, names, strict=True)))}"
            for name, row in zip(names, p.matrix, strict=True)
        )
        values = listed([f"${name}(0)={value}$" for name, value in zip(names, start, strict=True)])
        unknowns = ",".join(f"{name}(t)" for name in names)
        prompt = wording.choice(
            [
                f"Solve the system $${equations}$$ with {values}.",
                f"A point moves according to $${equations}$$ and starts with {values}. Find its path.",
            ]
        )
        parts = [
            sum_source(
                [
                    (
                        row[k] * p.weights[k],
                        f"exp({sum_source([(p.eigenvalues[k], 't')])})" if p.eigenvalues[k] else "",
                    )
                    for k in range(size)
                ]
            )
            for row in p.columns
        ]
        return Posed(
            prompt=f"{prompt} Return the tuple $({unknowns})$ of SymPy expressions in the real variable `t`.",
            answer_fn=f"({', '.join(parts)})",
            symbols={"t": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        for t in (mp.mpf("0.4"), mp.mpf("-0.3")):
            term = list(gold.at(t=0))
            total = list(term)
            for n in range(1, 80):
                term = [t / n * mp.fsum(a * x for a, x in zip(row, term, strict=True)) for row in p.matrix]
                total = [a + b for a, b in zip(total, term, strict=True)]
            same(total, list(gold.at(t=t)), digits=10, scale=1)
        start = [sum(c * w for c, w in zip(row, p.weights, strict=True)) for row in p.columns]
        same(list(gold.at(t=0)), start, digits=20, scale=1)
