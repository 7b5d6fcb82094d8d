"""Newton iterates of a cubic or quartic polynomial as exact rational numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import differentiated, evaluated
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, source


@dataclass(frozen=True)
class Parameters:
    polynomial: tuple[int, ...]
    start: int
    steps: int


@register
class NewtonStep(Family[Parameters]):
    name = "newton_step"
    topic = "numerical-methods"
    route = "slopes by differences over five points"

    def draw(self, draw: Draw, level: int) -> Parameters:
        degree = 2 if level == 1 else 3 if level < 5 else 4
        polynomial = (draw.nonzero(-9, 9), *draw.integers(-6, 6, degree - 1), draw.integer(1, 5))
        return Parameters(polynomial, draw.nonzero(-4, 4), 1 if level < 3 else 2)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        x = Fraction(p.start)
        for _ in range(p.steps):
            slope = evaluated(differentiated(p.polynomial), x)
            if slope == 0:
                raise Degenerate
            step = evaluated(p.polynomial, x) / slope
            if step == 0:
                raise Degenerate
            x -= step
        f = polynomial_tex(p.polynomial, "x")
        prompt = wording.choice(
            [
                f"Newton's method is applied to $f(x)={f}$ with the starting value $x_0={p.start}$. Find "
                f"$x_{p.steps}$.",
                f"Starting from $x_0={p.start}$, make {('one step', 'two steps')[p.steps - 1]} of Newton's "
                f"method for the equation ${f}=0$. What is $x_{p.steps}$?",
            ]
        )
        return Posed(prompt=f"{prompt} Return an exact rational number.", answer_fn=source(x))

    def check(self, parameters: Parameters, gold: Any) -> None:
        x = mp.mpf(parameters.start)

        def f(x: Any) -> Any:
            return mp.polyval(list(reversed(parameters.polynomial)), x)

        for _ in range(parameters.steps):
            # The derivative of a cubic or quartic, exact from differences with five points.
            slope = (8 * (f(x + 1) - f(x - 1)) - (f(x + 2) - f(x - 2))) / 12
            x -= f(x) / slope
        same(x, gold.at(), digits=20)
