"""Fourier transform of a quadratic polynomial times a shifted Gaussian."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import shifted
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, shifted_tex, sum_source


@dataclass(frozen=True)
class Parameters:
    coefficients: tuple[int, ...]
    centre: int
    width: int
    """a in exp(-a (x - centre)^2)."""
    sign: int
    """Of i k x in the exponent."""


@register
class FourierTransform(Family[Parameters]):
    name = "fourier_transform"
    topic = "fourier"
    route = "trapezoidal rule on the real line"

    def draw(self, draw: Draw, level: int) -> Parameters:
        coefficients = (*draw.integers(-7, 7, min(level, 3) - 1), draw.nonzero(-7, 7))
        centre = draw.nonzero(-4, 4) if level > 1 else 0
        return Parameters(coefficients, centre, draw.integer(1, 6 + level), draw.choice([1, -1]))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        if len(p.coefficients) > 2 and not any(p.coefficients[:2]):
            raise Degenerate
        zeros = [Fraction(0)] * 2
        c0, c1, c2 = [*shifted(p.coefficients, p.centre), *zeros][:3]
        # Moments of exp(-a y^2 + i s k y): 1, i s k/(2a), 1/(2a) - k^2/(4a^2), times the Gaussian integral.
        a = p.width
        inner = sum_source(
            [
                (c0 + Fraction(c2) / (2 * a), ""),
                (Fraction(p.sign * c1) / (2 * a), "I*k"),
                (-Fraction(c2) / (4 * a * a), "k**2"),
            ]
        )
        exponent = sum_source([(Fraction(-1, 4 * a), "k**2"), (p.sign * p.centre, "I*k")])
        distance = f"({shifted_tex('x', p.centre)})^2" if p.centre else "x^2"
        polynomial = polynomial_tex(p.coefficients, "x")
        polynomial = (
            rf"\left({polynomial}\right)" if "+" in polynomial or "-" in polynomial[1:] else polynomial
        )
        f = rf"{'' if polynomial == '1' else polynomial}\,e^{{-{distance if a == 1 else str(a) + distance}}}"
        wave = "e^{ikx}" if p.sign > 0 else "e^{-ikx}"
        prompt = wording.choice(
            [
                f"Find the Fourier transform $\\hat f(k)=\\int_{{-\\infty}}^\\infty f(x)\\,{wave}\\,dx$ "
                f"of $f(x)={f}$.",
                f"For $f(x)={f}$ compute $\\hat f(k)=\\int_{{-\\infty}}^\\infty {wave}f(x)\\,dx$, $k$ real.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a SymPy expression in the real variable `k`.",
            answer_fn=f"sqrt(pi/{a})*({inner})*exp({exponent})",
            symbols={"k": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        step = mp.mpf(1) / 16
        with mp.workdps(18):
            for k in (mp.mpf("0.7"), mp.mpf("-2.3")):
                total = mp.mpf(0)
                for j in range(-120, 121):
                    x = p.centre + j * step
                    value = mp.polyval(list(reversed(p.coefficients)), x) * mp.exp(-p.width * (j * step) ** 2)
                    total += value * mp.expj(p.sign * k * x)
                same(total * step, gold.at(k=k), digits=10, scale=mp.mpf("0.01"))
