"""Integral of c x^p (a^q - x^q)^r from 0 to a, by the beta function."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import source, sum_tex


@dataclass(frozen=True)
class Parameters:
    factor: int
    end: int
    power: Fraction
    inner: int
    outer: Fraction


@register
class BetaIntegral(Family[Parameters]):
    name = "beta_integral"
    topic = "special-functions"
    route = "quadrature with the endpoint singularities substituted away"

    def draw(self, draw: Draw, level: int) -> Parameters:
        below = 1 if level == 1 else 2 if level == 2 else draw.integer(2, 4)
        power = Fraction(draw.integer(0, 6 * below), below)
        outer = Fraction(draw.nonzero(-2, 9), draw.integer(3, 5) if level > 1 else 2)
        if outer.denominator == 1:
            raise Degenerate
        return Parameters(draw.integer(1, 9), draw.integer(2, 5 + level), power, draw.integer(2, 5), outer)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        u, v = (p.power + 1) / p.inner, p.outer + 1
        scale = p.power + 1 + p.inner * p.outer
        power = "" if p.power == 0 else "x" if p.power == 1 else f"x^{{{_flat(p.power)}}}"
        integrand = rf"{power}\left({p.end**p.inner}-x^{{{p.inner}}}\right)^{{{_flat(p.outer)}}}"
        front = (
            sum_tex([(p.factor, integrand)]) if power else f"{p.factor if p.factor > 1 else ''}{integrand}"
        )
        integral = rf"\int_0^{{{p.end}}}{front}\,dx"
        prompt = wording.choice(
            [
                f"Evaluate $${integral}.$$",
                f"Compute $${integral}$$ exactly.",
                f"Find the value of $${integral}.$$",
            ]
        )
        factor = source(Fraction(p.factor, p.inner))
        return Posed(
            prompt=f"{prompt} Return an exact SymPy expression; `gamma` or `beta` of rational arguments "
            f"may stand in it.",
            answer_fn=f"Rational('{factor}')*{p.end}**({scale})*gamma({u})*gamma({v})/gamma({u + v})".replace(
                f"Rational('{factor}')", f"({factor})"
            ),
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        power, outer = (mp.mpf(f.numerator) / f.denominator for f in (p.power, p.outer))
        k = p.outer.denominator

        def transformed(s: Any) -> Any:
            # x = end (1 - s^k): x^q falls short of end^q by a polynomial in s^k, so the root comes out of it.
            t = s**k
            x = p.end * (1 - t)
            quotient = mp.fsum((1 - t) ** j for j in range(p.inner)) * mp.mpf(p.end) ** p.inner
            return x**power * quotient**outer * s ** (p.outer.numerator + k - 1) * k * p.end

        with mp.workdps(15):
            same(p.factor * mp.quad(transformed, [0, 1]), gold.at(), digits=9)


def _flat(exponent: Fraction) -> str:
    return str(exponent)
