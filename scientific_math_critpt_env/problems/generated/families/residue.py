"""Residue of P(z) exp(cz) / ((z-a)^m (z-b)) at its pole of order m."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import evaluated, multiplied, shifted
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import (
    polynomial_tex,
    shifted_tex,
    sum_source,
    sum_tex,
)


@dataclass(frozen=True)
class Parameters:
    numerator: tuple[int, ...]
    pole: int
    order: int
    other: int
    rate: int


@register
class Residue(Family[Parameters]):
    name = "residue"
    topic = "contour-integrals"
    route = "trapezoidal rule on a circle round the pole"

    def draw(self, draw: Draw, level: int) -> Parameters:
        pole, other = draw.distinct(-2 - level, 2 + level, 2)
        numerator = (*draw.integers(-4, 4, min(level, 4)), draw.nonzero(-4, 4))
        rate = draw.nonzero(-4, 4) if level > 1 else 0
        if evaluated(numerator, pole) == 0:
            raise Degenerate  # the pole would be of lower order
        return Parameters(numerator, pole, 2 + level // 3, other, rate)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        residue = _residue(p)
        if residue == 0:
            raise Degenerate
        exponential = f"e^{{{sum_tex([(p.rate, 'z')])}}}" if p.rate else ""
        below = f"{_power(shifted_tex('z', p.pole), p.order)}{_power(shifted_tex('z', p.other), 1)}"
        above = polynomial_tex(p.numerator, "z")
        above = rf"\left({above}\right)" if exponential and ("+" in above or "-" in above) else above
        f = (
            rf"f(z)=\dfrac{{{above}\,{exponential}}}{{{below}}}"
            if exponential
            else rf"f(z)=\dfrac{{{above}}}{{{below}}}"
        )
        opening = wording.choice(
            [
                f"Find the residue of ${f}$ at $z={p.pole}$, a pole of order ${p.order}$.",
                f"Let ${f}$. What is its residue at the point $z={p.pole}$?",
                f"Compute $\\operatorname{{Res}}_{{z={p.pole}}}f(z)$ for ${f}$.",
            ]
        )
        factor = f"exp({p.rate * p.pole})" if p.rate * p.pole else ""
        return Posed(
            prompt=f"{opening} Return an exact SymPy number.", answer_fn=sum_source([(residue, factor)])
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        nodes, radius = 160, mp.mpf(1) / 2
        total = mp.mpf(0)
        for k in range(nodes):
            step = radius * mp.expjpi(mp.mpf(2 * k) / nodes)
            z = p.pole + step
            value = mp.polyval(list(reversed(p.numerator)), z) * mp.exp(p.rate * z)
            total += value / (step**p.order * (z - p.other)) * step
        same(total / nodes, gold.at(), digits=15)


def _residue(p: Parameters) -> Fraction:
    """Without the factor exp(rate pole): the coefficient of (z - pole)^(order-1) in the rest."""
    exponential = [Fraction(p.rate**n, factorial(n)) for n in range(p.order)]
    distance = p.other - p.pole
    geometric = [-Fraction(1, distance ** (n + 1)) for n in range(p.order)]
    series = multiplied(multiplied(shifted(p.numerator, p.pole), exponential), geometric)
    return series[p.order - 1]


def _power(base: str, power: int) -> str:
    written = f"({base})" if len(base) > 1 else base
    return written if power == 1 else f"{written}^{{{power}}}"
