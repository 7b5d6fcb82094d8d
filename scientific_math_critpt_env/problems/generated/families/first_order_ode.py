"""Linear equation of first order x y' + p y = polynomial, with one value given."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import evaluated
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    p: Fraction
    right: tuple[int, ...]
    start: int
    value: int


@register
class FirstOrderOde(Family[Parameters]):
    name = "first_order_ode"
    topic = "ordinary-differential-equations"
    route = "residual of the equation and the given value"

    def draw(self, draw: Draw, level: int) -> Parameters:
        p = Fraction(draw.nonzero(-7, 9), 1 if level < 3 else draw.integer(1, 3))
        right = (*draw.integers(-6, 6, min(level, 4)), draw.nonzero(-6, 6))
        if any(coefficient and power + p == 0 for power, coefficient in enumerate(right)):
            raise Degenerate  # a logarithm
        start = 1 if level < 4 else draw.choice([1, 2, 4])
        return Parameters(p, right, start, draw.integer(-9, 9))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        particular = [Fraction(c) / (n + p.p) if c else Fraction(0) for n, c in enumerate(p.right)]
        constant = p.value - evaluated(particular, p.start)
        if constant == 0:
            raise Degenerate
        decay = (
            f"({sum_source([(Fraction(1, p.start), 'x')])})**({-p.p})"
            if p.start != 1
            else f"x**{-p.p}"
            if p.p < 0 and p.p.denominator == 1
            else f"x**({-p.p})"
        )
        powers = ["", "x", *(f"x**{n}" for n in range(2, len(particular)))]
        terms = [*zip(particular, powers, strict=True), (constant, decay)]
        right = polynomial_tex(p.right, "x")
        over_x = sum_tex([(c, _power_tex(n - 1)) for n, c in reversed(list(enumerate(p.right)))])
        prompt = wording.choice(
            [
                f"Solve $xy'{_signed(p.p, 'y')}={right}$ for $x>0$ with $y({p.start})={p.value}$.",
                f"For $x>0$ the function $y$ satisfies $$y'{_signed(p.p, 'y', over=True)}={over_x},\\qquad "
                f"y({p.start})={p.value}.$$ Find $y(x)$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return $y(x)$ as a SymPy expression in `x`.",
            answer_fn=sum_source(terms),
            symbols={"x": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = mp.mpf(parameters.p.numerator) / parameters.p.denominator
        same(gold.at(x=parameters.start), parameters.value, digits=20, scale=1)
        for x in (mp.mpf("0.7"), mp.mpf("2.2")):
            slope = mp.diff(lambda x: gold.at(x=x), x)
            right = mp.polyval(list(reversed(parameters.right)), x)
            same(x * slope + p * gold.at(x=x), right, digits=9, scale=abs(x * slope) + 1)


def _signed(coefficient: Fraction, factor: str, *, over: bool = False) -> str:
    size = abs(coefficient)
    if over:
        below = f"{size.denominator}x" if size.denominator > 1 else "x"
        written = rf"\frac{{{size.numerator}}}{{{below}}}{factor}"
    else:
        written = sum_tex([(size, factor)])
    return f"{'-' if coefficient < 0 else '+'}{written}"


def _power_tex(power: int) -> str:
    return {0: "", 1: "x", -1: r"x^{-1}"}.get(power, f"x^{{{power}}}")
