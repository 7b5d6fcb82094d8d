"""Integral over a period of (p + q cos(n theta)) / (a + b cos(theta)) or with a sine below."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_tex


@dataclass(frozen=True)
class Parameters:
    constant: int
    harmonic: int
    order: int
    a: int
    b: int


@register
class TrigonometricIntegral(Family[Parameters]):
    name = "trigonometric_integral"
    topic = "contour-integrals"
    route = "trapezoidal rule over the period"

    def draw(self, draw: Draw, level: int) -> Parameters:
        a = draw.integer(2, 6 + 3 * level)
        b = draw.nonzero(1 - a, a - 1)
        order = draw.integer(1, 1 + level)
        constant = draw.integer(-6, 6) if level > 1 else 0
        parameters = Parameters(constant, draw.nonzero(-9, 9), order, a, b)
        # Below 9/10, so that the rule of the check converges fast.
        if abs(b) * 10 > a * 9:
            raise Degenerate
        return parameters

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        root = f"sqrt({p.a**2 - p.b**2})"
        # The integral of cos(n theta)/(a + b cos theta) is 2 pi r^n/root, with r = (root - a)/b.
        ratio = f"(({root} - {p.a})/{p.b})" if p.b > 0 else f"(({p.a} - {root})/{-p.b})"
        power = f"**{p.order}" if p.order > 1 else ""
        inner = f"{p.harmonic}*{ratio}{power}"
        inner = f"({p.constant} + {inner})" if p.constant else f"({inner})"
        cosine = r"\cos\theta" if p.order == 1 else rf"\cos {p.order}\theta"
        above = sum_tex([(p.constant, ""), (p.harmonic, cosine)])
        below = sum_tex([(p.a, ""), (p.b, r"\cos\theta")])
        integral = rf"\int_0^{{2\pi}}\frac{{{above}}}{{{below}}}\,d\theta"
        prompt = wording.choice(
            [
                f"Evaluate $${integral}.$$",
                f"Compute the integral $${integral}$$ over a full period.",
                f"With the substitution $z=e^{{i\\theta}}$ or otherwise, find $${integral}.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return its exact value as a SymPy number.", answer_fn=f"2*pi*{inner}/{root}"
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        nodes = 256
        total = mp.mpf(0)
        for k in range(nodes):
            angle = 2 * mp.pi * k / nodes
            above = p.constant + p.harmonic * mp.cos(p.order * angle)
            total += above / (p.a + p.b * mp.cos(angle))
        same(2 * mp.pi * total / nodes, gold.at(), digits=14, scale=Fraction(abs(p.harmonic), p.a))
