"""The Moebius map with three prescribed values."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import gaussian_source, gaussian_tex

Gaussian = tuple[int, int]


@dataclass(frozen=True)
class Parameters:
    points: tuple[Gaussian, ...]
    images: tuple[Gaussian, ...]


@register
class MobiusMap(Family[Parameters]):
    name = "mobius_map"
    topic = "analytic-functions"
    route = "cross ratios of a fourth point and its image"

    def draw(self, draw: Draw, level: int) -> Parameters:
        def one(imaginary: bool) -> Gaussian:
            return draw.integer(-3, 3), draw.integer(-3, 3) if imaginary else 0

        points = tuple(one(level > 2) for _ in range(3))
        images = tuple(one(level > 1) for _ in range(3))
        if len(set(points)) < 3 or len(set(images)) < 3:
            raise Degenerate
        return Parameters(points, images)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        a, b, c, d = _coefficients(parameters)
        if c == (0, 0):
            raise Degenerate
        pairs = [
            f"{gaussian_tex(*z)}\\mapsto {gaussian_tex(*w)}"
            for z, w in zip(parameters.points, parameters.images, strict=True)
        ]
        pairs_tex = r",\quad ".join(pairs)
        prompt = wording.choice(
            [
                f"Find the Möbius transformation $w=f(z)$ with $${pairs_tex}.$$",
                f"A Möbius transformation $f$ acts on three points as follows: $${pairs_tex}.$$ Determine "
                f"$f(z)$.",
                f"Which fractional linear map $f$ of the extended complex plane does $${pairs_tex}\\,?$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return $f(z)$ as a SymPy expression in the complex variable `z` (use `I`).",
            answer_fn=f"({_linear(a, b)})/({_linear(c, d)})",
            symbols={"z": {}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        z1, z2, z3 = (mp.mpc(*z) for z in parameters.points)
        w1, w2, w3 = (mp.mpc(*w) for w in parameters.images)
        for z in (mp.mpc("0.31", "1.7"), mp.mpc("-2.23", "-0.41")):
            w = gold.at(z=z)
            same(
                (z - z1) * (z2 - z3) * (w - w3) * (w2 - w1),
                (w - w1) * (w2 - w3) * (z - z3) * (z2 - z1),
                digits=20,
            )


def _coefficients(p: Parameters) -> tuple[Gaussian, Gaussian, Gaussian, Gaussian]:
    """a, b, c, d of (az + b)/(cz + d): the four minors of the equations a z + b - c z w - d w = 0."""
    rows = [
        (z, (1, 0), _negative(_times(z, w)), _negative(w)) for z, w in zip(p.points, p.images, strict=True)
    ]
    minors = []
    for left_out in range(4):
        m = [[row[k] for k in range(4) if k != left_out] for row in rows]
        value = (0, 0)
        for i, j, k, sign in (
            (0, 1, 2, 1),
            (1, 2, 0, 1),
            (2, 0, 1, 1),
            (0, 2, 1, -1),
            (1, 0, 2, -1),
            (2, 1, 0, -1),
        ):
            product = _times(_times(m[0][i], m[1][j]), m[2][k])
            value = (value[0] + sign * product[0], value[1] + sign * product[1])
        minors.append(value if left_out % 2 == 0 else _negative(value))
    common = gcd(*(part for minor in minors for part in minor))
    a, b, c, d = ((x // common, y // common) for x, y in minors)
    return a, b, c, d


def _linear(a: Gaussian, b: Gaussian) -> str:
    first = f"({gaussian_source(*a)})*z" if a != (0, 0) else ""
    second = f"({gaussian_source(*b)})" if b != (0, 0) else ""
    return " + ".join(part for part in (first, second) if part)


def _times(x: Gaussian, y: Gaussian) -> Gaussian:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _negative(x: Gaussian) -> Gaussian:
    return -x[0], -x[1]
