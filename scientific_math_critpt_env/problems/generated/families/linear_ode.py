"""Initial value problem of a linear equation with constant coefficients and a right side."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import (
    differentiated,
    evaluated,
    from_roots,
    multiplied,
)
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source, sum_tex, tex


@dataclass(frozen=True)
class Parameters:
    roots: tuple[int, ...]
    """Real roots of the characteristic polynomial."""
    pair: tuple[int, int] | None
    """c, w of the roots c +- iw."""
    amplitudes: tuple[int, ...]
    """Of the solutions of the homogeneous equation, real roots first, then cosine and sine."""
    forcing: tuple[int, int, int]
    """(A, r, m) of the particular solution A x^m exp(rx)."""


@register
class LinearOde(Family[Parameters]):
    name = "linear_ode"
    topic = "ordinary-differential-equations"
    answer_type = "function"
    route = "residual of the equation and of the initial values"

    def draw(self, draw: Draw, level: int) -> Parameters:
        pair = (draw.integer(-3, 3), draw.integer(1, 4)) if level >= 3 and draw.integer(0, 2) else None
        count = {1: 2, 2: 2, 3: 2, 4: 3, 5: 3}[level] - (2 if pair else 0)
        roots = tuple(draw.distinct(-4, 4, count))
        amplitudes = tuple(draw.integer(-5, 5) for _ in range(count + (2 if pair else 0)))
        forcing = (0, 0, 0)
        if level > 1:
            resonant = level == 5 and roots
            rate = roots[0] if resonant else draw.integer(-3, 3)
            forcing = (draw.nonzero(-4, 4), rate, 1 if resonant else 0)
            if not resonant and rate in roots:
                raise Degenerate
        if not any(amplitudes):
            raise Degenerate
        return Parameters(roots, pair, amplitudes, forcing)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        characteristic = _characteristic(p)
        order = len(characteristic) - 1
        right = _right(p, characteristic)
        left = sum_tex([(c, "y" + "'" * n) for n, c in reversed(list(enumerate(characteristic)))])
        equation = f"{left}={right}"
        values = _initial(p, order)
        given = ",\\quad ".join(f"y{chr(39) * n}(0)={tex(v)}" for n, v in enumerate(values))
        prompt = wording.choice(
            [
                f"Solve the initial value problem $${equation},\\qquad {given}.$$",
                f"Find the solution $y(x)$ of ${equation}$ with ${given}$.",
                f"The function $y(x)$ satisfies $${equation}$$ and ${given}$. Determine it.",
            ]
        )
        return Posed(
            prompt=f"{prompt} The answer is the function $y$ of the one real argument `x`.",
            answer_fn=_solution(p),
            symbols={"x": {"real": True}},
            parameters=["x"],
            test_points=[{"x": "Rational(1, 3)"}, {"x": "-1"}, {"x": "Rational(5, 4)"}],
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        characteristic = _characteristic(parameters)
        order = len(characteristic) - 1
        # Derivatives from samples on a circle round 0: the solution is entire, so the rule is exact.
        derivatives = _taylor(gold, order + 8)
        amplitude, rate, power = parameters.forcing
        for n in range(8):
            left = mp.fsum(c * derivatives[n + k] for k, c in enumerate(characteristic))
            # n-th derivative at 0 of P(rate) A exp(rate x), or in resonance of P'(rate) A exp(rate x)
            slope = differentiated(characteristic) if power else characteristic
            value = amplitude * evaluated(slope, rate)
            same(left, value * Fraction(rate) ** n, digits=8, scale=1000)
        for n, value in enumerate(_initial(parameters, order)):
            same(derivatives[n], value, digits=10, scale=1)


def _taylor(gold: Any, count: int) -> list[Any]:
    nodes = 48
    values = [gold.at(x=mp.expjpi(mp.mpf(2 * j) / nodes)) for j in range(nodes)]
    return [
        mp.factorial(n)
        * mp.fsum(v * mp.expjpi(mp.mpf(-2 * j * n) / nodes) for j, v in enumerate(values))
        / nodes
        for n in range(count)
    ]


def _characteristic(p: Parameters) -> list[Fraction]:
    polynomial = from_roots(p.roots)
    if p.pair:
        c, w = p.pair
        polynomial = multiplied(polynomial, [c * c + w * w, -2 * c, 1])
    return polynomial


def _right(p: Parameters, characteristic: list[Fraction]) -> str:
    amplitude, rate, power = p.forcing
    if not amplitude:
        return "0"
    # L[x exp(rx)] = P(r) x exp(rx) + P'(r) exp(rx), and P(r) = 0 in resonance.
    value = amplitude * evaluated(differentiated(characteristic) if power else characteristic, rate)
    if value == 0:
        raise Degenerate
    return sum_tex([(value, f"e^{{{sum_tex([(rate, 'x')])}}}" if rate else "")])


def _initial(p: Parameters, order: int) -> list[Fraction]:
    """y(0), y'(0), ... from the derivatives of each part at 0."""
    amplitude, rate, power = p.forcing
    values = []
    for n in range(order):
        total = Fraction(sum(a * r**n for a, r in zip(p.amplitudes, p.roots, strict=False)))
        if p.pair:
            real, imaginary = 1, 0
            for _ in range(n):
                real, imaginary = (
                    p.pair[0] * real - p.pair[1] * imaginary,
                    p.pair[1] * real + p.pair[0] * imaginary,
                )
            total += p.amplitudes[-2] * real + p.amplitudes[-1] * imaginary
        total += amplitude * (n * Fraction(rate) ** (n - 1) if n else 0) if power else amplitude * rate**n
        values.append(total)
    return values


def _solution(p: Parameters) -> str:
    def exponential(rate: int) -> str:
        return f"exp({sum_source([(rate, 'x')])})" if rate else ""

    terms = [(a, exponential(r)) for a, r in zip(p.amplitudes, p.roots, strict=False)]
    if p.pair:
        front = f"{exponential(p.pair[0])}*" if p.pair[0] else ""
        angle = sum_source([(p.pair[1], "x")])
        terms += [(p.amplitudes[-2], f"{front}cos({angle})"), (p.amplitudes[-1], f"{front}sin({angle})")]
    amplitude, rate, power = p.forcing
    factor = exponential(rate)
    terms.append((amplitude, ("x*" + factor if factor else "x") if power else factor))
    return sum_source(terms)
