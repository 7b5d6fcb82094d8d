"""Laplace transform of t^n exp(at) (p cos bt + q sin bt), from higher levels on switched on late."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import monomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    power: int
    rate: int
    frequency: int
    cosine: int
    sine: int
    delay: int


@register
class LaplaceTransform(Family[Parameters]):
    name = "laplace_transform"
    topic = "laplace-transforms"
    answer_type = "function"
    route = "the Laplace integral by quadrature"

    def draw(self, draw: Draw, level: int) -> Parameters:
        return Parameters(
            power=draw.integer(0, (level + 1) // 2),
            rate=draw.integer(-6, 5),
            frequency=draw.integer(1, 7),
            cosine=draw.integer(-9, 9),
            sine=draw.nonzero(-9, 9),
            delay=draw.integer(1, 6) if level > 2 else 0,
        )

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        time = f"(t-{p.delay})" if p.delay else "t"
        factors = monomial_tex([(time, p.power)])
        factors += rf"e^{{{sum_tex([(p.rate, time)])}}}" if p.rate else ""
        angle = sum_tex([(p.frequency, time)])
        oscillation = sum_tex([(p.cosine, rf"\cos {angle}"), (p.sine, rf"\sin {angle}")])
        f = rf"{factors}\left({oscillation}\right)" if factors else oscillation
        where = (
            f"f(t)=0$ for $t<{p.delay}$ and $f(t)={f}$ for $t\\ge{p.delay}"
            if p.delay
            else f"f(t)={f}$ for $t\\ge0"
        )
        prompt = wording.choice(
            [
                f"Find the Laplace transform $F(s)=\\int_0^\\infty e^{{-st}}f(t)\\,dt$ of the function "
                f"with ${where}$.",
                f"Let ${where}$. Determine its Laplace transform $F(s)=\\int_0^\\infty f(t)e^{{-st}}\\,dt$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} The answer is a function of the real argument `s`, $s>{max(p.rate, 0)}$.",
            answer_fn=_transform(p),
            symbols={"s": {"real": True}},
            parameters=["s"],
            test_points=[
                {"s": str(max(p.rate, 0) + 1)},
                {"s": f"Rational({2 * max(p.rate, 0) + 5}, 2)"},
                {"s": "9"},
            ],
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters

        def f(u: Any) -> Any:
            oscillation = p.cosine * mp.cos(p.frequency * u) + p.sine * mp.sin(p.frequency * u)
            return u**p.power * mp.exp(p.rate * u) * oscillation

        with mp.workdps(15):
            for s in (p.rate + 3, p.rate + 5):
                ends = [0, 1, 2, 4, 8, 16]
                integral = mp.quad(lambda u, s=s: mp.exp(-s * u) * f(u), ends, method="gauss-legendre")
                same(
                    mp.exp(-s * p.delay) * integral, gold.at(s=s), digits=9, scale=mp.exp(-s * p.delay) / 100
                )


def _transform(p: Parameters) -> str:
    """n! Re((cosine - i sine)(x + ib)^(n+1)) / (x^2 + b^2)^(n+1) with x = s - rate, multiplied out in x."""
    shifted_s = sum_source([(1, "s"), (-p.rate, "")])
    x = f"({shifted_s})" if p.rate else "s"
    n = p.power + 1
    terms = []
    for k in range(n + 1):
        # (ib)^k: 1, i, -1, -i; the real part of (cosine - i sine) i^k is cosine, sine, -cosine, -sine.
        part = (p.cosine, p.sine, -p.cosine, -p.sine)[k % 4]
        power = n - k
        factor = x if power == 1 else f"{x}**{power}" if power else ""
        terms.append((factorial(p.power) * comb(n, k) * p.frequency**k * part, factor))
    late = f"*exp({sum_source([(-p.delay, 's')])})" if p.delay else ""
    below = f"({x}**2 + {p.frequency**2})" + (f"**{n}" if n > 1 else "")
    above = sum_source(terms)
    above = f"({above})" if " " in above else above
    return f"{above}{late}/{below}"
