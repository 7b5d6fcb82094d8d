"""Euler's equation x^2 y'' + b x y' + c y = right side, with initial values at 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source, sum_tex, tex


@dataclass(frozen=True)
class Parameters:
    roots: tuple[Fraction, Fraction]
    amplitudes: tuple[int, int]
    power: int
    amplitude: int
    """Of the particular solution amplitude x^power."""


@register
class EulerOde(Family[Parameters]):
    name = "euler_ode"
    topic = "ordinary-differential-equations"
    route = "residual of the equation and of the initial values"

    def draw(self, draw: Draw, level: int) -> Parameters:
        below = 1 if level < 4 else 2
        first, second = (Fraction(root, below) for root in draw.distinct(-5, 6, 2))
        if level in (3, 5) and draw.integer(0, 3) == 0:
            second = first  # a double root: powers and a logarithm
        power = draw.integer(-2, 6)
        amplitude = draw.nonzero(-6, 6) if level > 1 else 0
        amplitudes = (draw.nonzero(-7, 7), draw.nonzero(-7, 7))
        if amplitude and power in (first, second):
            raise Degenerate
        return Parameters((first, second), amplitudes, power, amplitude)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        b, c = _coefficients(p)
        left = sum_tex([(1, "x^{2}y''"), (b, "xy'"), (c, "y")])
        value = p.amplitude * (p.power * (p.power - 1) + b * p.power + c)
        right = sum_tex([(value, _power_tex(p.power))])
        start, slope = _initial(p)
        prompt = wording.choice(
            [
                f"Solve ${left}={right}$ for $x>0$ with $y(1)={tex(start)}$ and $y'(1)={tex(slope)}$.",
                f"For $x>0$ let $$x^{{2}}y''{_rest(b, c)}={right},\\qquad y(1)={tex(start)},\\quad "
                f"y'(1)={tex(slope)}.$$ Find $y(x)$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return $y(x)$ as a SymPy expression in `x`.",
            answer_fn=_solution(p),
            symbols={"x": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        b, c = _coefficients(parameters)
        value = parameters.amplitude * (parameters.power * (parameters.power - 1) + b * parameters.power + c)
        for x in (mp.mpf("0.6"), mp.mpf("1.9")):
            y, first, second = (mp.diff(lambda x: gold.at(x=x), x, n) for n in range(3))
            coefficients = [mp.mpf(v.numerator) / v.denominator for v in (b, c, Fraction(value))]
            left = x * x * second + coefficients[0] * x * first + coefficients[1] * y
            same(left, coefficients[2] * x**parameters.power, digits=8, scale=abs(x * x * second) + 1)
        start, slope = _initial(parameters)
        same(gold.at(x=1), start, digits=20, scale=1)
        same(mp.diff(lambda x: gold.at(x=x), 1), slope, digits=8, scale=1)


def _coefficients(p: Parameters) -> tuple[Fraction, Fraction]:
    """b and c: the indicial polynomial is r(r-1) + br + c = (r - r1)(r - r2)."""
    first, second = p.roots
    return 1 - first - second, first * second


def _initial(p: Parameters) -> tuple[Fraction, Fraction]:
    (first, second), (one, two) = p.roots, p.amplitudes
    if first == second:
        return Fraction(one + p.amplitude), one * first + two + p.amplitude * p.power
    return Fraction(one + two + p.amplitude), one * first + two * second + p.amplitude * p.power


def _solution(p: Parameters) -> str:
    (first, second), (one, two) = p.roots, p.amplitudes
    last = _power_source(second)
    if first == second:
        last = f"{last}*log(x)" if last else "log(x)"
    return sum_source(
        [(one, _power_source(first)), (two, last), (p.amplitude, _power_source(Fraction(p.power)))]
    )


def _power_source(power: Fraction) -> str:
    if power in (0, 1):
        return "x" if power else ""
    return f"x**{power}" if power.denominator == 1 and power > 0 else f"x**({power})"


def _power_tex(power: int) -> str:
    return {0: "", 1: "x"}.get(power, f"x^{{{power}}}")


def _rest(b: Fraction, c: Fraction) -> str:
    rest = sum_tex([(b, "xy'"), (c, "y")])
    return "" if rest == "0" else rest if rest.startswith("-") else f"+{rest}"
