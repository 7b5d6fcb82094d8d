"""Mixed moment of two jointly normal variables."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import matrix_tex, monomial_tex, source


@dataclass(frozen=True)
class Parameters:
    means: tuple[int, int]
    covariance: tuple[int, int, int]
    """var X, cov, var Y."""
    powers: tuple[int, int]


@register
class NormalMoment(Family[Parameters]):
    name = "normal_moment"
    topic = "probability"
    route = "power series of the moment generating function"

    def draw(self, draw: Draw, level: int) -> Parameters:
        top = 4 + level
        xx, yy, xy = draw.integer(1, top), draw.integer(1, top), draw.integer(-top, top)
        if xy * xy >= xx * yy or xy == 0:
            raise Degenerate
        powers = (draw.integer(1, 1 + (level + 1) // 2), draw.integer(2, 2 + level // 2))
        means = draw.integers(-4, 4, 2) if level > 1 else (0, 0)
        if means == (0, 0) and sum(powers) % 2:
            raise Degenerate
        return Parameters((means[0], means[1]), (xx, xy, yy), powers)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        value = _moment(p, *p.powers)
        if value == 0:
            raise Degenerate
        (mx, my), (xx, xy, yy), (m, n) = p.means, p.covariance, p.powers
        moment = monomial_tex([("X", m), ("Y", n)])
        prompt = wording.choice(
            [
                f"$X$ and $Y$ are jointly normal with means ${mx}$ and ${my}$, variances ${xx}$ and ${yy}$ "
                f"and covariance ${xy}$. Find $\\mathrm E[{moment}]$.",
                f"The pair $(X,Y)$ has a bivariate normal distribution with mean $({mx},{my})$ and "
                f"covariance matrix ${matrix_tex([[xx, xy], [xy, yy]])}$. Compute the moment $\\mathrm "
                f"E[{moment}]$.",
            ]
        )
        return Posed(prompt=f"{prompt} Return the exact integer.", answer_fn=source(value))

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        (mx, my), (xx, xy, yy), (m, n) = p.means, p.covariance, p.powers
        # exp(mx s + my t + xx s^2/2 + xy s t + yy t^2/2) is a product of five series.
        total = Fraction(0)
        for i in range(m // 2 + 1):
            for j in range(n // 2 + 1):
                for k in range(min(m - 2 * i, n - 2 * j) + 1):
                    a, b = m - 2 * i - k, n - 2 * j - k
                    below = factorial(i) * factorial(j) * factorial(k) * factorial(a) * factorial(b)
                    term = Fraction(xx, 2) ** i * Fraction(yy, 2) ** j * xy**k
                    total += term * mx**a * my**b / below
        same(total * factorial(m) * factorial(n), gold.at(), digits=20)


def _moment(p: Parameters, m: int, n: int) -> int:
    """Stein's recursion: E[X g] = mean E[g] + var E[g_x] + cov E[g_y]."""
    if m == 0 and n == 0:
        return 1
    (mx, my), (xx, xy, yy) = p.means, p.covariance
    if m:
        value = mx * _moment(p, m - 1, n)
        value += xx * (m - 1) * _moment(p, m - 2, n) if m > 1 else 0
        return value + (xy * n * _moment(p, m - 1, n - 1) if n else 0)
    return my * _moment(p, 0, n - 1) + (yy * (n - 1) * _moment(p, 0, n - 2) if n > 1 else 0)
