"""All solutions of (z - z0)^n = w for a w with a handsome argument."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds, same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import (
    gaussian_source,
    gaussian_tex,
    sum_source,
    sum_tex,
)

_UNITS = {
    Fraction(0): ("1", ""), Fraction(1, 6): (r"\sqrt{3}", "1"), Fraction(1, 4): ("1", "1"),
    Fraction(1, 3): ("1", r"\sqrt{3}"), Fraction(1, 2): ("", "1"), Fraction(2, 3): ("-1", r"\sqrt{3}"),
    Fraction(3, 4): ("-1", "1"), Fraction(5, 6): (r"-\sqrt{3}", "1"), Fraction(1): ("-1", ""),
}  # fmt: skip
"""Argument over pi -> real and imaginary part of a number with it, of modulus 1, 2 or sqrt(2)."""


@dataclass(frozen=True)
class Parameters:
    order: int
    modulus: int
    """Of the roots, before the factor that comes from `_UNITS`."""
    angle: Fraction
    """Argument of w over pi, -1 < angle <= 1."""
    centre: tuple[int, int]


@register
class ComplexRoots(Family[Parameters]):
    name = "complex_roots"
    topic = "complex-numbers"
    answer_type = "set"
    route = "substitution into the equation and count of the solutions"

    def draw(self, draw: Draw, level: int) -> Parameters:
        angle = draw.choice(sorted(_UNITS)) * draw.choice([1, -1])
        if angle == -1:
            raise Degenerate
        size = min(level, 4) + 2
        centre = (draw.integer(-size, size), draw.integer(-size, size) if level > 1 else 0)
        return Parameters(draw.integer(3, 3 + level), draw.integer(1, 2 + level), angle, centre)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        left = rf"\left({sum_tex([(1, 'z')])}{_minus(p.centre)}\right)" if p.centre != (0, 0) else "z"
        equation = f"{left}^{{{p.order}}}={_right_tex(p)}"
        prompt = wording.choice(
            [
                f"Find all complex solutions of ${equation}$.",
                f"Solve ${equation}$ for the complex number $z$.",
                f"Determine every complex $z$ with ${equation}$.",
            ]
        )
        roots = [_root_source(p, k) for k in range(p.order)]
        return Posed(
            prompt=f"{prompt} Return the set of its ${p.order}$ solutions as exact SymPy numbers "
            "(any exact form, such as `2*exp(I*pi/7)`).",
            answer_fn="{" + ", ".join(roots) + "}",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        roots = list(gold.at())
        real, imaginary = (_read(part) for part in _UNITS[abs(p.angle)])
        w = mp.mpf(p.modulus) ** p.order * mp.mpc(real, imaginary if p.angle >= 0 else -imaginary)
        holds(len(roots) == p.order, "the number of solutions is wrong")
        for index, root in enumerate(roots):
            same((root - mp.mpc(*p.centre)) ** p.order, w, digits=20)
            holds(all(abs(root - other) > 0.1 for other in roots[:index]), "a solution is listed twice")


def _right_tex(p: Parameters) -> str:
    scale = p.modulus**p.order
    real, imaginary = _UNITS[abs(p.angle)]
    signed = [(real, ""), (imaginary, "i")]
    terms: list[tuple[int, str]] = []
    for part, unit in signed:
        if part:
            sign = -1 if part.startswith("-") != (unit == "i" and p.angle < 0) else 1
            radical = part.removeprefix("-").removeprefix("1")
            terms.append((sign * scale, radical + (r"\," if radical and unit else "") + unit))
    return sum_tex(terms)


def _root_source(p: Parameters, k: int) -> str:
    """modulus times exp(i pi (angle + 2k)/n), and the n-th root of the modulus of the unit."""
    angle = (p.angle + 2 * k) / p.order
    angle = angle - 2 if angle > 1 else angle
    if p.angle.denominator <= 2 and angle in (0, 1):
        return gaussian_source(p.centre[0] + (p.modulus if angle == 0 else -p.modulus), p.centre[1])
    factors = [str(p.modulus)] if p.modulus > 1 else []
    twos = Fraction(1, 2 * p.order) if p.angle.denominator == 4 else Fraction(1, p.order)
    if p.angle.denominator in (3, 4, 6):
        factors.append(f"2**Rational({twos.numerator}, {twos.denominator})")
    if angle:
        factors.append(f"exp({sum_source([(angle, 'I*pi')])})")
    root = "*".join(factors) or "1"
    return f"{gaussian_source(*p.centre)} + {root}" if p.centre != (0, 0) else root


def _minus(centre: tuple[int, int]) -> str:
    written = gaussian_tex(-centre[0], -centre[1])
    return written if written.startswith("-") else f"+{written}"


def _read(part: str) -> Any:
    sign = -1 if part.startswith("-") else 1
    bare = part.removeprefix("-")
    return sign * (mp.sqrt(3) if "sqrt" in bare else mp.mpf(bare or 0))
