"""Number of lattice paths that avoid some points."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import listed

Point = tuple[int, int]


@dataclass(frozen=True)
class Parameters:
    end: Point
    holes: tuple[Point, ...]


@register
class LatticePaths(Family[Parameters]):
    name = "lattice_paths"
    topic = "combinatorics-number-theory"
    route = "dynamic programming over the lattice"

    def draw(self, draw: Draw, level: int) -> Parameters:
        end = (draw.integer(4, 6 + level), draw.integer(4, 6 + level))
        count = 1 + (level + 1) // 2
        holes = {(draw.integer(1, end[0]), draw.integer(1, end[1])) for _ in range(count)}
        if end in holes or len(holes) < count:
            raise Degenerate
        return Parameters(end, tuple(sorted(holes)))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        # Paths to each hole that meet no earlier one, then the same for the end.
        reached: list[tuple[Point, int]] = []
        for place in (*p.holes, p.end):
            ways = _ways((0, 0), place)
            for hole, count in reached:
                ways -= count * _ways(hole, place)
            reached.append((place, ways))
        total = reached[-1][1]
        if total == 0:
            raise Degenerate
        m, n = p.end
        holes = listed([f"$({x},{y})$" for x, y in p.holes])
        one = len(p.holes) == 1
        prompt = wording.choice(
            [
                f"A path leads from $(0,0)$ to $({m},{n})$ in unit steps right or upwards. How many such "
                f"paths do not pass through {'the point' if one else 'any of the points'} {holes}?",
                f"Count the lattice paths from the origin to $({m},{n})$ with steps $(1,0)$ and $(0,1)$ that "
                f"avoid {'the point' if one else 'all of the points'} {holes}.",
            ]
        )
        return Posed(prompt=f"{prompt} Return the exact integer.", answer_fn=str(total))

    def check(self, parameters: Parameters, gold: Any) -> None:
        (m, n), holes = parameters.end, set(parameters.holes)
        row = [0] * (n + 1)
        row[0] = 1
        for x in range(m + 1):
            for y in range(n + 1):
                below = row[y - 1] if y else 0
                row[y] = 0 if (x, y) in holes else row[y] + below
        same(row[n], gold.at(), digits=20)


def _ways(start: Point, end: Point) -> int:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return comb(dx + dy, dx) if dx >= 0 and dy >= 0 else 0
