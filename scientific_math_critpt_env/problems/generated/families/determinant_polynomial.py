"""Determinant of a matrix whose entries are linear in x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import determinant, solved
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import matrix_tex, polynomial_source, sum_tex

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Parameters:
    constant: Rows
    linear: Rows


@register
class DeterminantPolynomial(Family[Parameters]):
    name = "determinant_polynomial"
    topic = "linear-algebra"
    route = "numerical determinants at several points"

    def draw(self, draw: Draw, level: int) -> Parameters:
        size = 3 if level < 3 else 4 if level < 5 else 5
        constant = tuple(draw.integers(-4, 4, size) for _ in range(size))
        linear = tuple(
            tuple(draw.nonzero(-2, 2) if i == j or draw.integer(0, 5) == 0 else 0 for j in range(size))
            for i in range(size)
        )
        return Parameters(constant, linear)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        size = len(p.constant)
        # Interpolated from exact values at size + 1 points.
        points = list(range(-(size // 2), size - size // 2 + 1))
        values = [determinant(_at(p, x)) for x in points]
        coefficients = solved([[x**n for n in range(size + 1)] for x in points], values)
        if coefficients is None or not any(coefficients[1:]):
            raise Degenerate
        entries = [
            [sum_tex([(a, ""), (b, "x")]) for a, b in zip(*rows, strict=True)]
            for rows in zip(p.constant, p.linear, strict=True)
        ]
        prompt = wording.choice(
            [
                f"Compute the determinant $$\\det{matrix_tex(entries)}.$$",
                f"Find $\\det A(x)$ for $$A(x)={matrix_tex(entries)}.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a polynomial in `x` as a SymPy expression.",
            answer_fn=polynomial_source(coefficients, "x"),
            symbols={"x": {}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        size = len(parameters.constant)
        for x in (mp.mpf("0.37"), mp.mpf("-1.21"), mp.mpf("5.5"), mp.mpf("-7.25")):
            matrix = mp.matrix(
                [
                    [parameters.constant[i][j] + parameters.linear[i][j] * x for j in range(size)]
                    for i in range(size)
                ]
            )
            same(mp.det(matrix), gold.at(x=x), digits=12, scale=1)


def _at(p: Parameters, x: int) -> list[list[int]]:
    return [
        [a + b * x for a, b in zip(*rows, strict=True)] for rows in zip(p.constant, p.linear, strict=True)
    ]
