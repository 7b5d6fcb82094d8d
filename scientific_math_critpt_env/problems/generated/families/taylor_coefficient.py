"""A coefficient of the Maclaurin series of exp(ax) (p + qx)/((1-bx)^m (1-cx))."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, source, sum_tex


@dataclass(frozen=True)
class Parameters:
    rate: int
    numerator: tuple[int, int]
    pole: int
    order: int
    other: int
    index: int


@register
class TaylorCoefficient(Family[Parameters]):
    name = "taylor_coefficient"
    topic = "series"
    route = "trapezoidal rule on a circle"

    def draw(self, draw: Draw, level: int) -> Parameters:
        other = draw.nonzero(-3, 3) if level > 2 else 0
        numerator = (draw.integer(-5, 5), draw.nonzero(-5, 5)) if level > 1 else (draw.nonzero(-5, 5), 0)
        return Parameters(
            draw.nonzero(-5, 5), numerator, draw.nonzero(-4, 4), draw.integer(1, 1 + level // 2), other,
            draw.integer(2 + level // 2, 3 + level),
        )  # fmt: skip

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        size = p.index + 1
        series = [Fraction(p.rate**n, factorial(n)) for n in range(size)]
        for ratio, power in ((p.pole, p.order), (p.other, 1 if p.other else 0)):
            for _ in range(power):
                # Division by 1 - ratio x: each coefficient gains ratio times the one before.
                for n in range(1, size):
                    series[n] += ratio * series[n - 1]
        value = p.numerator[0] * series[p.index] + p.numerator[1] * series[p.index - 1]
        if value == 0:
            raise Degenerate
        above = polynomial_tex(p.numerator, "x")
        above = f"({above})" if all(p.numerator) else above
        above = {"1": "", "-1": "-"}.get(above, above)
        below = _factor(p.pole, p.order) + (_factor(p.other, 1) if p.other else "")
        f = rf"\frac{{{above}\,e^{{{sum_tex([(p.rate, 'x')])}}}}}{{{below}}}"
        prompt = wording.choice(
            [
                f"Find the coefficient of $x^{{{p.index}}}$ in the Taylor series of $${f}$$ about $x=0$.",
                f"Let $\\sum_na_nx^n$ be the Maclaurin series of $${f}.$$ Find $a_{{{p.index}}}$.",
            ]
        )
        return Posed(prompt=f"{prompt} Return an exact rational number.", answer_fn=source(value))

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        nodes = 128
        radius = mp.mpf(1) / (2 * max(abs(p.pole), abs(p.other)))
        total = mp.mpf(0)
        for k in range(nodes):
            x = radius * mp.expjpi(mp.mpf(2 * k) / nodes)
            value = (p.numerator[0] + p.numerator[1] * x) * mp.exp(p.rate * x)
            total += value / ((1 - p.pole * x) ** p.order * (1 - p.other * x)) * x**-p.index
        same(total / nodes, gold.at(), digits=12, scale=radius**-p.index / 1000)


def _factor(ratio: int, power: int) -> str:
    base = f"({sum_tex([(1, ''), (-ratio, 'x')])})"
    return base if power == 1 else f"{base}^{{{power}}}"
