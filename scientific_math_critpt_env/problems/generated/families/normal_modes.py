"""Squares of the normal frequencies of two masses between springs, or of three on a line with free ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import square_root
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds, zero
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source


@dataclass(frozen=True)
class Parameters:
    masses: tuple[int, ...]
    springs: tuple[int, ...]
    """Two masses: wall, between, wall. Three masses: between first and second, second and third."""


@register
class NormalModes(Family[Parameters]):
    name = "normal_modes"
    topic = "classical-mechanics-electromagnetism"
    answer_type = "list"
    route = "determinant of the equations of motion"

    def draw(self, draw: Draw, level: int) -> Parameters:
        top = 6 + 2 * level
        if level < 4:
            return Parameters(draw.integers(1, top, 2), draw.integers(1, top, 3))
        return Parameters(draw.integers(1, top, 3), draw.integers(1, top, 2))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        if len(p.masses) == 2:
            (m, n), (a, b, c) = p.masses, p.springs
            total = Fraction(a + b, m) + Fraction(b + c, n)
            rest = Fraction((a + b) * (b + c) - b * b, m * n)
            system = (
                f"Two masses ${_m(m)}$ and ${_m(n)}$ move on a line between two fixed walls: a spring with "
                f"constant ${_k(a)}$ joins the first to the left wall, one with ${_k(b)}$ joins the two "
                f"masses, one with ${_k(c)}$ joins the second to the right wall."
            )
            wanted = r"$[\omega_1^2,\omega_2^2]$ of the squares of both normal frequencies"
        else:
            (m, n, q), (a, b) = p.masses, p.springs
            total = Fraction(a, m) + Fraction(a + b, n) + Fraction(b, q)
            rest = Fraction(a * b * (m + n + q), m * n * q)
            system = (
                f"Three masses ${_m(m)}$, ${_m(n)}$ and ${_m(q)}$ lie in this order on a straight line, on "
                f"which they move freely; springs with constants ${_k(a)}$ and ${_k(b)}$ join the first to "
                "the second and the second to the third."
            )
            wanted = r"$[\omega_1^2,\omega_2^2]$ of the squares of the two normal frequencies other than zero"
        # x^2 - total x + rest = 0
        half, root = total / 2, total**2 / 4 - rest
        ask = wording.choice(
            ["Find the normal frequencies.", "Determine the frequencies of small oscillations."]
        )
        below = root.denominator
        outside, inside = square_root(root.numerator * below)
        radical = f"sqrt({inside})" if inside > 1 else ""
        parts = [sum_source([(half, ""), (Fraction(sign * outside, below), radical)]) for sign in (-1, 1)]
        return Posed(
            prompt=f"{system} {ask} Return the list {wanted}, the smaller first, in units of $k/m$ (exact "
            f"numbers).",
            answer_fn=f"[{parts[0]}, {parts[1]}]",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        smaller, larger = gold.at()
        holds(0 < smaller < larger, "the frequencies are not in order")
        for square in (smaller, larger):
            if len(p.masses) == 2:
                (m, n), (a, b, c) = p.masses, p.springs
                rows = [[a + b - m * square, -b], [-b, b + c - n * square]]
            else:
                (m, n, q), (a, b) = p.masses, p.springs
                rows = [[a - m * square, -a, 0], [-a, a + b - n * square, -b], [0, -b, b - q * square]]
            # The determinant at the frequency against its size a little beside it.
            value = mp.det(mp.matrix(rows))
            zero(value, scale=1 + abs(mp.fprod(sum(map(abs, row)) for row in rows)), digits=18)


def _m(count: int) -> str:
    return "m" if count == 1 else f"{count}m"


def _k(count: int) -> str:
    return "k" if count == 1 else f"{count}k"
