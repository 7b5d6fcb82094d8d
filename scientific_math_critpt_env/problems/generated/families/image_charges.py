"""Force on a charge in the corner of two grounded plates at right angles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import square_root
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import listed, sum_source


@dataclass(frozen=True)
class Parameters:
    charges: tuple[tuple[int, int, int], ...]
    """(charge, x, y); the force on the first is asked."""


@register
class ImageCharges(Family[Parameters]):
    name = "image_charges"
    topic = "classical-mechanics-electromagnetism"
    answer_type = "tuple"
    route = "gradient of the interaction energy"

    def draw(self, draw: Draw, level: int) -> Parameters:
        count = 1 if level == 1 else 2
        top = 30 if level == 1 else 4 + level
        charges = tuple(
            (draw.nonzero(-6, 6), draw.integer(1, top), draw.integer(1, top)) for _ in range(count)
        )
        if len({place[1:] for place in charges}) < count:
            raise Degenerate
        return Parameters(charges)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        q, x, y = p.charges[0]
        sides: list[list[tuple[Fraction, int]]] = [[], []]
        for index, (charge, a, b) in enumerate(p.charges):
            for sign_x, sign_y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
                if index == 0 and sign_x == sign_y == 1:
                    continue
                dx, dy = x - sign_x * a, y - sign_y * b
                square = dx * dx + dy * dy
                # q q' d/r^3 with r = sqrt(square)
                for side, distance in zip(sides, (dx, dy), strict=True):
                    amount = Fraction(q * charge * sign_x * sign_y * distance, square * square)
                    side.append((amount, square))
        places = listed([f"${charge}$ at $({a},{b},0)$" for charge, a, b in p.charges])
        noun = "A point charge" if len(p.charges) == 1 else "Point charges"
        prompt = wording.choice(
            [
                "The half planes $x=0$, $y\\ge0$ and $y=0$, $x\\ge0$ are grounded conductors and enclose "
                f"the corner $x>0$, $y>0$. {noun}, {places}, {'is' if len(p.charges) == 1 else 'are'} in it.",
                f"{noun}, {places}, {'is' if len(p.charges) == 1 else 'are'} in the corner $x>0$, $y>0$ "
                "between the grounded conducting planes $x=0$ and $y=0$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Find the force on the charge at $({x},{y},0)$ in Gaussian units (two "
            "charges $q$, $q'$ at distance $r$ repel each other with $qq'/r^2$). Return the tuple "
            "$(F_x,F_y)$ of exact SymPy numbers.",
            answer_fn=f"({_collected(sides[0])}, {_collected(sides[1])})",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters

        def energy(x: Any, y: Any) -> Any:
            places = [(p.charges[0][0], x, y), *p.charges[1:]]
            total = mp.mpf(0)
            for i, (q, a, b) in enumerate(places):
                for j, (other, c, d) in enumerate(places):
                    for sign_x, sign_y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
                        if i != j or sign_x * sign_y == -1 or sign_x == -1:
                            # Half of all pairs of a charge with another or with an image.
                            distance = mp.hypot(a - sign_x * c, b - sign_y * d)
                            total += mp.mpf(q * other * sign_x * sign_y) / (2 * distance)
            return total

        _, x, y = p.charges[0]
        force = gold.at()
        scale = max(abs(part) for part in force)
        same(-mp.diff(lambda x: energy(x, y), x), force[0], digits=9, scale=scale)
        same(-mp.diff(lambda y: energy(x, y), y), force[1], digits=9, scale=scale)


def _collected(terms: list[tuple[Fraction, int]]) -> str:
    amounts: dict[int, Fraction] = {}
    for amount, square in terms:
        outside, inside = square_root(square)
        amounts[inside] = amounts.get(inside, Fraction(0)) + amount * outside
    if not any(amounts.values()):
        raise Degenerate
    return sum_source([(amounts[m], f"sqrt({m})" if m > 1 else "") for m in sorted(amounts)])
