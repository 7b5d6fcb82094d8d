"""First terms of the asymptotic expansion of a Laplace integral for large x."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import multiplied
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import (
    monomial_tex,
    polynomial_tex,
    sum_source,
    sum_tex,
)


@dataclass(frozen=True)
class Parameters:
    numerator: tuple[int, ...]
    scale: int
    exponent: Fraction
    power: int
    terms: int


@register
class WatsonExpansion(Family[Parameters]):
    name = "watson_expansion"
    topic = "series"
    route = "series coefficients by Cauchy's formula and quadrature at large x"

    def draw(self, draw: Draw, level: int) -> Parameters:
        exponent = Fraction(draw.integer(1, 7), draw.integer(1, 4))
        numerator = (draw.nonzero(-5, 5), draw.integer(-5, 5)) if level > 1 else (draw.integer(1, 9),)
        return Parameters(
            numerator, draw.integer(1, 5), exponent, draw.integer(0, 2) if level > 2 else 0, 3 + level // 4
        )

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        coefficients = _expansion(p, p.terms)
        if 0 in coefficients:
            raise Degenerate
        powers = [p.power + n + 1 for n in range(p.terms)]
        terms = [(c, f"x**(-{m})") for c, m in zip(coefficients, powers, strict=True)]
        above = polynomial_tex(p.numerator, "t")
        above = f"({above})" if len([c for c in p.numerator if c]) > 1 else above
        front = monomial_tex([("t", p.power)])
        above = {"1": front or "1", "-1": f"-{front or 1}"}.get(above, f"{above}{front}")
        below = f"(1+{sum_tex([(p.scale, 't')])})" + ("" if p.exponent == 1 else f"^{{{p.exponent}}}")
        integral = rf"I(x)=\int_0^\infty\frac{{{above}}}{{{below}}}\,e^{{-xt}}\,dt"
        last = powers[-1]
        prompt = wording.choice(
            [
                f"Find the asymptotic expansion of $${integral}$$ for $x\\to+\\infty$ up to and including "
                f"the term in $x^{{-{last}}}$.",
                f"Let $${integral}.$$ Give the terms of its asymptotic series in powers of $1/x$, "
                f"$x\\to+\\infty$, up to the order $x^{{-{last}}}$ (included).",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the sum of these ${p.terms}$ terms as a SymPy expression in `x` "
            f"(without an order term).",
            answer_fn=sum_source(terms),
            symbols={"x": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        exponent = mp.mpf(p.exponent.numerator) / p.exponent.denominator

        def amplitude(t: Any) -> Any:
            return mp.polyval(list(reversed(p.numerator)), t) * t**p.power * (1 + p.scale * t) ** -exponent

        # The coefficients of the amplitude by Cauchy's formula, each integrated against exp(-xt).
        nodes, radius = 128, mp.mpf(1) / (2 * p.scale)
        points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
        values = [amplitude(t) for t in points]
        for x in (mp.mpf(1), mp.mpf("2.5")):
            total = mp.mpf(0)
            for n in range(p.power + p.terms):
                mean = mp.fsum(v * t**-n for v, t in zip(values, points, strict=True)) / nodes
                total += mean * mp.factorial(n) / x ** (n + 1)
            same(total, gold.at(x=x), digits=10, scale=1)
        # And the integral itself: what is left is small beside the last term kept.
        x = mp.mpf(10) ** 5
        with mp.workdps(20):
            ends = [0, 2, 8, 20, 60]
            integral = mp.quad(lambda s: amplitude(s / x) * mp.exp(-s) / x, ends, method="gauss-legendre")
            same(integral, gold.at(x=x), digits=8)


def _expansion(p: Parameters, count: int) -> list[Fraction]:
    """Watson's lemma: the coefficient of t^m becomes m!/x^(m+1)."""
    binomial = [Fraction(1)]
    for n in range(count):
        binomial.append(binomial[-1] * (-p.exponent - n) / (n + 1) * p.scale)
    series = multiplied(p.numerator, binomial)[:count]
    return [c * factorial(p.power + n) for n, c in enumerate(series)]
