"""Type of the critical point of a plane autonomous system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_tex


@dataclass(frozen=True)
class Parameters:
    matrix: tuple[int, int, int, int]
    place: tuple[int, int]
    bends: tuple[int, int]
    """Of the squares that are added to both equations; they vanish to second order at the place."""


@register
class CriticalPoint(Family[Parameters]):
    name = "critical_point"
    topic = "ordinary-differential-equations"
    answer_type = "string"
    route = "numerical eigenvalues of the Jacobian, by differences"

    def draw(self, draw: Draw, level: int) -> Parameters:
        kind = draw.integer(0, 4)
        a, b, c, d = draw.integers(-7, 7, 4)
        parameters = Parameters(
            (a, b, c, d),
            draw.integers(-4, 4, 2) if level > 1 else (0, 0),  # type: ignore[arg-type]
            (draw.nonzero(-3, 3), draw.integer(-3, 3)) if level > 2 else (0, 0),
        )
        # All five types equally often; not degenerate, not on a border between two types.
        if _kind(a + d, a * d - b * c) != _KINDS[kind]:
            raise Degenerate
        return parameters

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        a, b, c, d = p.matrix
        equations = []
        for row, bend in (((a, b), p.bends[0]), ((c, d), p.bends[1])):
            x, y = p.place
            # row.(x - x0, y - y0) + bend (x - x0)(y - y0), multiplied out
            terms = [
                (bend, "xy"),
                (row[0] - bend * y, "x"),
                (row[1] - bend * x, "y"),
                (bend * x * y - row[0] * x - row[1] * y, ""),
            ]
            equations.append(sum_tex(terms))
        system = rf"\dot x={equations[0]},\qquad\dot y={equations[1]}"
        point = f"({p.place[0]},{p.place[1]})"
        prompt = wording.choice(
            [
                f"The system $${system}$$ has a critical point at ${point}$. Of which type is it?",
                f"Classify the equilibrium ${point}$ of $${system}.$$",
            ]
        )
        names = ", ".join(f'`"{kind}"`' for kind in _KINDS)
        return Posed(
            prompt=f"{prompt} Return one of the strings {names}.",
            answer_fn=f'"{_kind(a + d, a * d - b * c)}"',
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        a, b, c, d = p.matrix

        def velocity(x: Any, y: Any) -> tuple[Any, Any]:
            u, v = x - p.place[0], y - p.place[1]
            return a * u + b * v + p.bends[0] * u * v, c * u + d * v + p.bends[1] * u * v

        x, y = p.place
        rows = [
            [mp.diff(lambda x, k=k: velocity(x, y)[k], x), mp.diff(lambda y, k=k: velocity(x, y)[k], y)]
            for k in range(2)
        ]
        values = mp.eig(mp.matrix(rows), left=False, right=False)
        real = [mp.re(value) for value in values]
        turning = abs(mp.im(values[0])) > mp.mpf("1e-6")
        if real[0] * real[1] < 0:
            found = "saddle"
        else:
            found = f"{'stable' if real[0] < 0 else 'unstable'} {'spiral' if turning else 'node'}"
        holds(found == gold.at(), f"the eigenvalues say {found}")


_KINDS = ("saddle", "stable node", "unstable node", "stable spiral", "unstable spiral")


def _kind(trace: int, determinant: int) -> str:
    discriminant = trace**2 - 4 * determinant
    if determinant < 0:
        return "saddle"
    if determinant == 0 or trace == 0 or discriminant == 0:
        return "border"
    return f"{'stable' if trace < 0 else 'unstable'} {'spiral' if discriminant < 0 else 'node'}"
