"""Work of a polynomial field along a curve given by powers of the parameter."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import added, evaluated, integrated
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import monomial_tex, source, sum_tex


@dataclass(frozen=True)
class Parameters:
    field: tuple[tuple[tuple[int, int, int, int], ...], ...]
    """Three components, each of terms (c, i, j, k) for c x^i y^j z^k."""
    curve: tuple[tuple[int, int], ...]
    """(a, n) for a t^n, for x, y and z."""
    end: int


@register
class LineIntegral(Family[Parameters]):
    name = "line_integral"
    topic = "vector-analysis"
    route = "Gauss-Legendre quadrature along the curve"

    def draw(self, draw: Draw, level: int) -> Parameters:
        def component() -> tuple[tuple[int, int, int, int], ...]:
            powers: set[tuple[int, ...]] = set()
            while len(powers) < 1 + level // 3:
                powers.add(draw.integers(0, 1 + level // 3, 3))
            return tuple((draw.nonzero(-5, 5), i, j, k) for i, j, k in sorted(powers))

        field = tuple(component() for _ in range(3))
        curve = tuple((draw.nonzero(-3, 3), n) for n in (1, 2, 3))
        return Parameters(field, curve, draw.integer(1, 2) if level > 2 else 1)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        total: list[Fraction] = [Fraction(0)]
        for component, (a, n) in zip(p.field, p.curve, strict=True):
            for c, *powers in component:
                # c x^i y^j z^k times the component's n a t^(n-1)
                degree, factor = n - 1, Fraction(c * n * a)
                for (b, m), power in zip(p.curve, powers, strict=True):
                    degree += m * power
                    factor *= b**power
                total = added(total, [Fraction(0)] * degree + [factor])
        value = evaluated(integrated(total), p.end)
        if value == 0:
            raise Degenerate
        field = ",\\ ".join(
            sum_tex([(c, monomial_tex(list(zip("xyz", powers, strict=True)))) for c, *powers in component])
            for component in p.field
        )
        curve = ",".join(sum_tex([(a, monomial_tex([("t", n)]))]) for a, n in p.curve)
        prompt = wording.choice(
            [
                f"Find the work $\\int_C\\mathbf F\\cdot d\\mathbf r$ of the field $\\mathbf F=({field})$ "
                f"along the curve $\\mathbf r(t)=({curve})$, $0\\le t\\le{p.end}$, in the direction of "
                "increasing $t$.",
                f"Evaluate $\\int_C\\mathbf F\\cdot d\\mathbf r$ for $$\\mathbf "
                f"F(x,y,z)=\\left({field}\\right),$$ where $C$ "
                f"is given by $\\mathbf r(t)=({curve})$ as $t$ runs from $0$ to ${p.end}$.",
            ]
        )
        return Posed(prompt=f"{prompt} Return an exact rational number.", answer_fn=source(value))

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters

        def power_of_force(t: Any) -> Any:
            place = [a * t**n for a, n in p.curve]
            velocity = [a * n * t ** (n - 1) for a, n in p.curve]
            return mp.fsum(
                v * c * place[0] ** i * place[1] ** j * place[2] ** k
                for component, v in zip(p.field, velocity, strict=True)
                for c, i, j, k in component
            )

        work = mp.quad(power_of_force, [0, p.end], method="gauss-legendre", maxdegree=5)
        same(work, gold.at(), digits=12, scale=1)
