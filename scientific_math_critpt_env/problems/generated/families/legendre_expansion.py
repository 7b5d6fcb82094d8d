"""Expansion of a polynomial in Legendre polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import (
    added,
    differentiated,
    evaluated,
    integrated,
    multiplied,
    scaled,
)
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, source


@dataclass(frozen=True)
class Parameters:
    polynomial: tuple[int, ...]
    argument: int
    """The polynomial's argument is this times x."""


@register
class LegendreExpansion(Family[Parameters]):
    name = "legendre_expansion"
    topic = "special-functions"
    answer_type = "list"
    route = "exact projection on the Legendre polynomials"

    def draw(self, draw: Draw, level: int) -> Parameters:
        polynomial = (*draw.integers(-8, 8, 2 + level // 2), draw.nonzero(-8, 8))
        return Parameters(polynomial, draw.integer(1, 3) if level > 2 else 1)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        rest = [Fraction(c) * p.argument**n for n, c in enumerate(p.polynomial)]
        f = polynomial_tex(rest, "x")
        degree = len(rest) - 1
        coefficients = [Fraction(0)] * (degree + 1)
        # From the highest power down: the leading coefficient settles the highest coefficient.
        for n in range(degree, -1, -1):
            legendre = _legendre(n)
            coefficients[n] = rest[n] / legendre[n]
            rest = added(rest, scaled(legendre, -coefficients[n]))
        prompt = wording.choice(
            [
                f"Expand ${f}$ in Legendre polynomials, $\\sum_{{n=0}}^{{{degree}}}c_nP_n(x)$.",
                f"Write ${f}=\\sum_{{n=0}}^{{{degree}}}c_nP_n(x)$ with the Legendre polynomials $P_n$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the list $[c_0,\\dots,c_{{{degree}}}]$ of exact rational numbers.",
            answer_fn=f"[{', '.join(source(c) for c in coefficients)}]",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        polynomial = [Fraction(c) * parameters.argument**n for n, c in enumerate(parameters.polynomial)]
        for n, expected in enumerate(gold.at()):
            # Rodrigues: the integral of f P_n is that of the n-th derivative of f times (1-x^2)^n/(2^n n!).
            derivative = polynomial
            for _ in range(n):
                derivative = differentiated(derivative)
            weight = [Fraction(1)]
            for _ in range(n):
                weight = multiplied(weight, [1, 0, -1])
            whole = integrated(multiplied(derivative, weight))
            integral = (evaluated(whole, 1) - evaluated(whole, -1)) / (2**n * factorial(n))
            same(integral * Fraction(2 * n + 1, 2), expected, digits=20)


def _legendre(n: int) -> list[Fraction]:
    previous, current = [Fraction(1)], [Fraction(0), Fraction(1)]
    if n == 0:
        return previous
    for k in range(1, n):
        following = added(
            scaled(multiplied([0, 1], current), Fraction(2 * k + 1, k + 1)),
            scaled(previous, Fraction(-k, k + 1)),
        )
        previous, current = current, following
    return current
