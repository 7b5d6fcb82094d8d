"""Interval of convergence of a power series, with its ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import source, sum_tex


@dataclass(frozen=True)
class Parameters:
    slope: int
    shift: int
    base: int
    power: Fraction
    """s of n^s in the denominator."""
    alternating: bool


@register
class ConvergenceInterval(Family[Parameters]):
    name = "convergence_interval"
    topic = "series"
    answer_type = "interval"
    route = "terms inside, outside and at the ends, numerically"

    def draw(self, draw: Draw, level: int) -> Parameters:
        return Parameters(
            draw.integer(1, 3 + level),
            draw.integer(-15, 15),
            draw.integer(1, 12 + level),
            draw.choice([Fraction(s, 2) for s in (-2, 0, 1, 2, 3, 4)]),
            bool(draw.integer(0, 1)),
        )

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        low = Fraction(-p.base - p.shift, p.slope)
        high = Fraction(p.base - p.shift, p.slope)
        # At the ends the terms are (+-1)^n/n^s: with signs they converge for s > 0, without for s > 1.
        same_sign, changing = p.power > 1, p.power > 0
        low_in, high_in = (same_sign, changing) if p.alternating else (changing, same_sign)
        below = f"{p.base}^n" if p.base > 1 else ""
        size = abs(p.power)
        growth = (
            r"\sqrt n" if size == Fraction(1, 2) else "n" if size == 1 else f"n^{{{size}}}" if size else ""
        )
        above = f"({sum_tex([(p.slope, 'x'), (p.shift, '')])})^n"
        above = ("(-1)^n" if p.alternating else "") + (growth if p.power < 0 else "") + above
        below = (growth if p.power > 0 else "") + (r"\," if growth and below and p.power > 0 else "") + below
        series = (
            rf"\sum_{{n=1}}^\infty\frac{{{above}}}{{{below}}}" if below else rf"\sum_{{n=1}}^\infty {above}"
        )
        prompt = wording.choice(
            [
                f"Find all real $x$ for which the series $${series}$$ converges.",
                f"Determine the interval of convergence of $${series}$$ for real $x$, with its ends.",
            ]
        )
        ends = f"{source(low)}, {source(high)}, {not low_in}, {not high_in}"
        return Posed(
            prompt=f"{prompt} Return a SymPy `Interval`, with each end included or not as it must be.",
            answer_fn=f"Interval({ends})",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        power = mp.mpf(p.power.numerator) / p.power.denominator

        def term(x: Any, n: int) -> Any:
            sign = -1 if p.alternating else 1
            return (sign * (p.slope * x + p.shift) / p.base) ** n / mp.mpf(n) ** power

        low, high, low_open, high_open = gold.at()
        middle, margin = (low + high) / 2, (high - low) / 100
        for end, outwards, is_open in ((low, -margin, low_open), (high, margin, high_open)):
            holds(abs(term(end - outwards, 3000)) < 1e-20, "the terms do not vanish inside")
            holds(abs(term(end + outwards, 3000)) > 1e10, "the terms vanish outside")
            changes = term(end, 1001) * term(end, 1000) < 0
            # Terms of one sign: the sums of blocks n..2n shrink as n grows only for s > 1.
            if changes:
                converges = abs(term(end, 4000)) < 0.9 * abs(term(end, 1000))
            else:
                first, second = (mp.fsum(term(end, n) for n in range(m, 2 * m)) for m in (64, 256))
                converges = abs(second) < 0.7 * abs(first)
            holds(converges is not is_open, "an end is wrong")
        holds(low < middle < high, "the interval is empty")
