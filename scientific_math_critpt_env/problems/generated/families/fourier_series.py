"""Fourier coefficients of a cubic polynomial on a symmetric interval."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    coefficients: tuple[int, ...]
    half_period: int
    """In units of pi where `pi` is True, else a plain number."""
    pi: bool


@register
class FourierSeries(Family[Parameters]):
    name = "fourier_series"
    topic = "fourier"
    answer_type = "tuple"
    route = "quadrature of the coefficients' integrals"

    def draw(self, draw: Draw, level: int) -> Parameters:
        degree = 1 if level == 1 else 2 if level < 3 else 3
        coefficients = (*draw.integers(-9, 9, degree), draw.nonzero(-6, 6))
        return Parameters(coefficients, draw.integer(1, 2 + level), pi=level < 3 or bool(draw.integer(0, 1)))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        c = [*p.coefficients, 0, 0, 0]
        # With y = n pi/L: a_n = 4 c2 L/(n pi)^2 L ... all integrals by parts, written in L and n pi/L = w.
        half = sum_tex([(p.half_period, r"\pi")]) if p.pi else str(p.half_period)
        length = sum_source([(p.half_period, "pi")]) if p.pi else str(p.half_period)
        over = Fraction(1, p.half_period)
        frequency = sum_source([(over, "n" if p.pi else "n*pi")])
        mean = sum_source([(2 * c[0], ""), (Fraction(2 * c[2], 3), f"({length})**2")])
        even = f"{4 * c[2]}*(-1)**n/({frequency})**2"
        odd = f"2*(-1)**(n + 1)*(({sum_source([(c[1], ''), (c[3], f'({length})**2')])})/({frequency})"
        odd += (
            f" - {6 * c[3]}/({frequency})**3)"
            if c[3] > 0
            else f" + {-6 * c[3]}/({frequency})**3)"
            if c[3]
            else ")"
        )
        if not c[2]:
            even = "0"
        if not (c[1] or c[3]):
            raise Degenerate
        if even == "0" and len(p.coefficients) > 2:
            raise Degenerate
        f = polynomial_tex(p.coefficients, "x")
        angle = r"\frac{n\pi x}{L}"
        prompt = wording.choice(
            [
                f"The function $f$ has the period $2L$ with $L={half}$, and $f(x)={f}$ for $-L<x<L$.",
                f"Let $L={half}$, and let $f$ be the function of period $2L$ that equals ${f}$ on $(-L,L)$.",
                f"Continue $f(x)={f}$, $-L<x<L$ with $L={half}$, to a function of period $2L$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Its Fourier series is "
            f"$$\\frac{{a_0}}2+\\sum_{{n=1}}^\\infty\\left(a_n\\cos{angle}+b_n\\sin{angle}\\right).$$ "
            "Return the tuple $(a_0,a_n,b_n)$ with $a_n$ and $b_n$, $n\\ge1$, as SymPy expressions in the "
            "positive integer `n`, with the value of $L$ put in.",
            answer_fn=f"({mean}, {even}, {odd})",
            symbols={"n": {"integer": True, "positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        half = p.half_period * (mp.pi if p.pi else mp.mpf(1))
        with mp.workdps(15):
            for n in (1, 2, 3):
                mean, even, odd = gold.at(n=n)
                for factor, expected in (
                    (lambda x: 1, mean),
                    (lambda x, n=n: mp.cos(n * mp.pi * x / half), even),
                    (lambda x, n=n: mp.sin(n * mp.pi * x / half), odd),
                ):
                    integral = mp.quad(
                        lambda x, factor=factor: mp.polyval(list(reversed(p.coefficients)), x) * factor(x),
                        [-half, 0, half],
                        method="gauss-legendre",
                    )
                    same(integral / half, expected, digits=9, scale=1)
