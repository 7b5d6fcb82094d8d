"""Integral over the real line of (p x^2 + q) cos(kx) over a product of factors x^2 + a^2."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, sum_source


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...]
    square: int
    constant: int


@register
class CosineTransform(Family[Parameters]):
    name = "cosine_transform"
    topic = "contour-integrals"
    route = "numerical inversion of the cosine transform"

    def draw(self, draw: Draw, level: int) -> Parameters:
        widths = tuple(sorted(draw.distinct(1, 6 + 2 * level, 2 if level < 4 else 3)))
        square = draw.integer(-9, 9) if level > 1 else 0
        return Parameters(widths, square, draw.nonzero(-15, 15))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        terms = []
        for a in p.widths:
            # The residue at ia, with its mirror: pi (q - p a^2) exp(-ka) / (a times the other factors).
            below = a
            for b in p.widths:
                below *= b * b - a * a if b != a else 1
            terms.append((Fraction(p.constant - p.square * a * a, below), f"exp({sum_source([(-a, 'k')])})"))
        if any(coefficient == 0 for coefficient, _ in terms):
            raise Degenerate
        numerator = polynomial_tex((p.constant, 0, p.square), "x")
        numerator = f"({numerator})" if p.square else numerator
        numerator = {"1": "", "-1": "-"}.get(numerator, numerator)
        below_tex = "".join(f"(x^{{2}}+{a * a})" for a in p.widths)
        integral = rf"\int_{{-\infty}}^{{\infty}}\frac{{{numerator}\cos kx}}{{{below_tex}}}\,dx"
        prompt = wording.choice(
            [
                f"For $k>0$ evaluate $${integral}.$$",
                f"Find, as a function of the positive number $k$, the integral $${integral}.$$",
                f"Let $k$ be a positive number. Compute $${integral}.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a closed form as a SymPy expression in `k`.",
            answer_fn=f"pi*({sum_source(terms)})",
            symbols={"k": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        # Inverted: f(x) is 1/pi times the integral over all k > 0 of F(k) cos(kx); F decays exponentially.
        with mp.workdps(15):
            for x in (Fraction(1, 3), Fraction(7, 5)):
                f = mp.mpf(p.square) * x.numerator**2 / x.denominator**2 + p.constant
                for a in p.widths:
                    f /= mp.mpf(x.numerator) ** 2 / x.denominator**2 + a * a
                place = mp.mpf(x.numerator) / x.denominator
                ends = [mp.mpf(end) / p.widths[0] for end in (0, 3, 10, 40)]
                inverse = mp.quad(
                    lambda k, place=place: gold.at(k=k) * mp.cos(k * place), ends, method="gauss-legendre"
                )
                same(inverse / mp.pi, f, digits=9, scale=abs(gold.at(k=0)) / 1000)
