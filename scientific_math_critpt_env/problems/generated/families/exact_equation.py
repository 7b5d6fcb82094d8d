"""Exact equation M dx + N dy = 0: the integral curve through a point, as an equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import monomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    terms: tuple[tuple[int, int, int], ...]
    """(c, i, j) for c x^i y^j of the potential."""
    point: tuple[int, int]


@register
class ExactEquation(Family[Parameters]):
    name = "exact_equation"
    topic = "ordinary-differential-equations"
    answer_type = "equation"
    route = "the equation's slope against the curve's, by differences"

    def draw(self, draw: Draw, level: int) -> Parameters:
        pool = [(i, j) for i in range(4) for j in range(4) if 0 < i + j <= 2 + min(level, 3)]
        powers = sorted(draw.shuffled(pool)[: 2 + level // 2])
        terms = tuple((draw.nonzero(-5, 5), i, j) for i, j in powers)
        if not any(i and j for _, i, j in terms):
            raise Degenerate
        return Parameters(terms, (draw.integer(-3, 3), draw.integer(-3, 3)))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        along = [(c * i, monomial_tex([("x", i - 1), ("y", j)])) for c, i, j in p.terms if i]
        across = [(c * j, monomial_tex([("x", i), ("y", j - 1)])) for c, i, j in p.terms if j]
        x, y = p.point
        # The gradient must not vanish at the point, or the curve is not unique there.
        if not any(
            sum(part) != 0
            for part in (
                [c * i * x ** (i - 1) * y**j for c, i, j in p.terms if i],
                [c * j * x**i * y ** (j - 1) for c, i, j in p.terms if j],
            )
        ):
            raise Degenerate
        value = sum(c * x**i * y**j for c, i, j in p.terms)
        potential = sum_source([(c, _monomial(i, j)) for c, i, j in p.terms])
        prompt = wording.choice(
            [
                f"Solve the differential equation $$({sum_tex(along)})\\,dx+({sum_tex(across)})\\,dy=0$$ "
                f"for the integral curve through the point $({x},{y})$.",
                f"Which curve through $({x},{y})$ satisfies "
                f"$$({sum_tex(along)})\\,dx+({sum_tex(across)})\\,dy=0\\,?$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return its equation as a SymPy `Eq` between polynomials in `x` and `y` "
            "(in implicit form, not solved for $y$).",
            answer_fn=f"Eq({potential}, {value})",
            symbols={"x": {"real": True}, "y": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        same(gold.at(x=parameters.point[0], y=parameters.point[1]), 0, digits=20, scale=1)
        for x, y in ((mp.mpf("0.7"), mp.mpf("-1.3")), (mp.mpf("1.9"), mp.mpf("0.4"))):
            along = mp.fsum(c * i * x ** (i - 1) * y**j for c, i, j in parameters.terms if i)
            across = mp.fsum(c * j * x**i * y ** (j - 1) for c, i, j in parameters.terms if j)
            slope_x = mp.diff(lambda x, y=y: gold.at(x=x, y=y), x)
            slope_y = mp.diff(lambda y, x=x: gold.at(x=x, y=y), y)
            same(slope_x * across, slope_y * along, digits=8, scale=1)


def _monomial(i: int, j: int) -> str:
    powers = [name if power == 1 else f"{name}**{power}" for name, power in (("x", i), ("y", j)) if power]
    return "*".join(powers)
