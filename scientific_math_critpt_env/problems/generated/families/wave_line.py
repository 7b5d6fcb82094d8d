"""Wave equation on the whole line with polynomial initial values and a polynomial source."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import differentiated
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    speed: int
    shape: tuple[int, ...]
    velocity: tuple[int, ...]
    source: tuple[int, ...]
    """Coefficients of the source's powers of x; () for none."""


@register
class WaveLine(Family[Parameters]):
    name = "wave_line"
    topic = "partial-differential-equations"
    route = "residuals of the equation and of the initial values"

    def draw(self, draw: Draw, level: int) -> Parameters:
        shape = (*draw.integers(-5, 5, 1 + level // 2), draw.nonzero(-5, 5))
        velocity = (*draw.integers(-5, 5, 1 + level // 3), draw.nonzero(-5, 5))
        source = (draw.nonzero(-6, 6), *draw.integers(-4, 4, level - 4)) if level > 3 else ()
        return Parameters(draw.integer(1, 5), shape, velocity, source)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        # u = sum over n of c^(2n) t^(2n)/(2n)! shape^(2n) + the same for the velocity, one power of t higher;
        # the source is a velocity given anew at every time, hence two powers higher.
        amounts: dict[tuple[int, int], Fraction] = {}
        for polynomial, first in ((p.shape, 0), (p.velocity, 1), (p.source, 2)):
            current = [Fraction(c) for c in polynomial] or [Fraction(0)]
            power, factor = first, Fraction(1, factorial(first))
            while any(current):
                for n, c in enumerate(current):
                    amounts[n, power] = amounts.get((n, power), Fraction(0)) + c * factor
                current = differentiated(differentiated(current))
                power += 2
                factor *= Fraction(p.speed**2, power * (power - 1))
        terms = [(amounts[key], _monomial(*key)) for key in sorted(amounts, key=lambda key: (-sum(key), key))]
        right = sum_tex([(p.speed**2, "u_{xx}")])
        if p.source:
            extra = polynomial_tex(p.source, "x")
            right += extra if extra.startswith("-") else f"+{extra}"
        prompt = wording.choice(
            [
                f"Solve $u_{{tt}}={right}$ on the whole line with $u(x,0)={polynomial_tex(p.shape, 'x')}$ "
                f"and $u_t(x,0)={polynomial_tex(p.velocity, 'x')}$.",
                f"An infinite string obeys $$u_{{tt}}={right},\\qquad "
                f"u(x,0)={polynomial_tex(p.shape, 'x')},\\quad "
                f"u_t(x,0)={polynomial_tex(p.velocity, 'x')}.$$ Find its displacement $u(x,t)$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return $u(x,t)$ as a SymPy expression in `x` and `t`.",
            answer_fn=sum_source(terms),
            symbols={"x": {"real": True}, "t": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        for x, t in ((mp.mpf("0.7"), mp.mpf("0.4")), (mp.mpf("-1.6"), mp.mpf("1.1"))):
            in_time = mp.diff(lambda t, x=x: gold.at(x=x, t=t), t, 2)
            in_space = mp.diff(lambda x, t=t: gold.at(x=x, t=t), x, 2)
            source = mp.fsum(c * x**n for n, c in enumerate(p.source))
            same(in_time, p.speed**2 * in_space + source, digits=7, scale=1)
            same(gold.at(x=x, t=0), mp.polyval(list(reversed(p.shape)), x), digits=20, scale=1)
            slope = mp.diff(lambda t, x=x: gold.at(x=x, t=t), 0)
            same(slope, mp.polyval(list(reversed(p.velocity)), x), digits=8, scale=1)


def _monomial(x: int, t: int) -> str:
    powers = [name if power == 1 else f"{name}**{power}" for name, power in (("x", x), ("t", t)) if power]
    return "*".join(powers)
