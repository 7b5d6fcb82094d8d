"""Eccentric anomaly from Kepler's equation, as a decimal number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_tex, tex


@dataclass(frozen=True)
class Parameters:
    eccentricity: Fraction
    mean_anomaly: Fraction
    """In units of pi."""


@register
class KeplerEquation(Family[Parameters]):
    name = "kepler_equation"
    topic = "classical-mechanics-electromagnetism"
    answer_type = "numeric"
    route = "Fourier series in Bessel functions"

    def draw(self, draw: Draw, level: int) -> Parameters:
        below = draw.integer(10, 60 + 20 * level)
        low, high = (below // 20, below // 3) if level < 3 else (below // 5, below // 2)
        eccentricity = Fraction(draw.integer(max(low, 1), high), below)
        anomaly = Fraction(draw.integer(1, 11), 12) if level < 2 else Fraction(draw.integer(1, 59), 60)
        if level > 2:
            parts = draw.integer(7, 90)
            anomaly = Fraction(draw.integer(1, parts - 1), parts)
        return Parameters(eccentricity, anomaly)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        with mp.workdps(40):
            e = mp.mpf(p.eccentricity.numerator) / p.eccentricity.denominator
            mean = mp.pi * p.mean_anomaly.numerator / p.mean_anomaly.denominator
            anomaly = mean
            for _ in range(8):
                anomaly -= (anomaly - e * mp.sin(anomaly) - mean) / (1 - e * mp.cos(anomaly))
            radius = 1 - e * mp.cos(anomaly)
            value = mp.nstr(anomaly if p.eccentricity.denominator % 2 else radius, 18, strip_zeros=False)
        wanted = (
            "the eccentric anomaly $E$ (in radians)"
            if p.eccentricity.denominator % 2
            else "the ratio $r/a$ of its distance from the focus to the semi-major axis"
        )
        prompt = wording.choice(
            [
                f"A planet moves on a Kepler ellipse of eccentricity $e={tex(p.eccentricity)}$. The time "
                f"since the pericentre, times $2\\pi$ over the period, is $M={_pi(p.mean_anomaly)}$. Find "
                f"{wanted} at this time.",
                f"On an elliptic orbit with eccentricity ${tex(p.eccentricity)}$ the mean anomaly is "
                f"$M={_pi(p.mean_anomaly)}$. Find {wanted}.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a number correct to at least 10 significant digits (compared to "
            f"relative $10^{{-9}}$).",
            answer_fn=value,
            rtol=1e-9,
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        with mp.workdps(18):
            e = mp.mpf(p.eccentricity.numerator) / p.eccentricity.denominator
            mean = mp.pi * p.mean_anomaly.numerator / p.mean_anomaly.denominator
            # E = M + sum 2/n J_n(ne) sin(nM)
            terms = (2 * mp.besselj(n, n * e) / n * mp.sin(n * mean) for n in range(1, 120))
            anomaly = mean + mp.fsum(terms)
            value = anomaly if p.eccentricity.denominator % 2 else 1 - e * mp.cos(anomaly)
            same(value, gold.at(), digits=11)


def _pi(multiple: Fraction) -> str:
    return sum_tex([(multiple, r"\pi")])
