"""Minimiser of a quadratic functional with a polynomial force and fixed ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import (
    added,
    differentiated,
    evaluated,
    integrated,
    scaled,
)
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    stiffness: int
    """k of the term k^2 y^2."""
    force: tuple[int, ...]
    length: int
    ends: tuple[int, int]


@register
class QuadraticFunctional(Family[Parameters]):
    name = "quadratic_functional"
    topic = "calculus-of-variations"
    answer_type = "function"
    route = "residual of the Euler-Lagrange equation and of the ends"

    def draw(self, draw: Draw, level: int) -> Parameters:
        stiffness = draw.integer(1, 4) if level > 1 else 0
        force = (draw.integer(-6, 6), *draw.integers(-6, 6, level // 2), draw.nonzero(-6, 6))
        return Parameters(stiffness, force, draw.integer(1, 4), (draw.integer(-6, 6), draw.integer(-6, 6)))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        k, length = p.stiffness, p.length
        # y'' - k^2 y = force
        if k:
            particular = [Fraction(0)]
            rest = [Fraction(c) for c in p.force]
            while any(rest):
                particular = added(particular, scaled(rest, Fraction(-1, k * k)))
                rest = scaled(differentiated(differentiated(rest)), Fraction(1, k * k))
        else:
            particular = integrated(integrated(p.force))
        start = p.ends[0] - particular[0]
        end = p.ends[1] - evaluated(particular, length)
        powers = ["", "x", *(f"x**{n}" for n in range(2, len(particular)))]
        terms = list(zip(particular, powers, strict=True))
        if k:
            below = f"sinh({k * length})"
            terms.append((start, f"sinh({sum_source([(k * length, ''), (-k, 'x')])})/{below}"))
            terms.append((end, f"sinh({sum_source([(k, 'x')])})/{below}"))
        else:
            terms += [(start, ""), ((end - start) / length, "x")]
        square = sum_tex([(k * k, "y^2")])
        twice = polynomial_tex([2 * c for c in p.force], "x")
        force = rf"\left({twice}\right)y" if len([c for c in p.force if c]) > 1 else f"{twice}\\,y"
        force = force if force.startswith("-") else f"+{force}"
        integrand = rf"y'^2{'+' + square if k else ''}{force}"
        prompt = wording.choice(
            [
                "Find the function $y(x)$ that minimises "
                f"$$\\int_0^{{{length}}}\\left({integrand}\\right)dx$$ among all smooth functions with "
                f"$y(0)={p.ends[0]}$ and $y({length})={p.ends[1]}$.",
                f"Among the curves $y(x)$ that join $(0,{p.ends[0]})$ to $({length},{p.ends[1]})$, which "
                f"one gives $$J[y]=\\int_0^{{{length}}}\\left({integrand}\\right)dx$$ its least value?",
            ]
        )
        points = [Fraction(length, 3), Fraction(length, 2), Fraction(4 * length, 5)]
        return Posed(
            prompt=f"{prompt} The answer is the function $y$ of the one real argument `x`, $0\\le "
            f"x\\le{length}$.",
            answer_fn=sum_source(terms),
            symbols={"x": {"real": True}},
            parameters=["x"],
            test_points=[{"x": f"Rational({x.numerator}, {x.denominator})"} for x in points],
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        same([gold.at(x=0), gold.at(x=p.length)], list(p.ends), digits=20, scale=1)
        for part in ("0.2", "0.7"):
            x = p.length * mp.mpf(part)
            bend = mp.diff(lambda x: gold.at(x=x), x, 2)
            force = mp.polyval(list(reversed(p.force)), x)
            same(bend, p.stiffness**2 * gold.at(x=x) + force, digits=8, scale=1)
