"""Integral of a rational function round a circle that holds some of its simple poles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import evaluated
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import (
    polynomial_tex,
    shifted_tex,
    sum_source,
    tex,
)


@dataclass(frozen=True)
class Parameters:
    numerator: tuple[int, ...]
    real_poles: tuple[int, ...]
    imaginary: int
    """b of the factor z^2 + b^2; 0 where there is none."""
    centre: int
    radius: Fraction


@register
class ClosedContour(Family[Parameters]):
    name = "closed_contour"
    topic = "contour-integrals"
    route = "trapezoidal rule on the circle"

    def draw(self, draw: Draw, level: int) -> Parameters:
        poles = tuple(sorted(draw.distinct(-6, 6, 2 if level < 4 else 3, zero=False)))
        imaginary = draw.integer(1, 5) if level > 1 else 0
        centre = draw.integer(-2, 2) if level > 2 else 0
        numerator = (*draw.integers(-5, 5, 2 if level < 3 else 3), draw.nonzero(-5, 5))
        parameters = Parameters(numerator, poles, imaginary, centre, Fraction(draw.integer(2, 9) * 2 + 1, 4))
        distances = [Fraction((pole - centre) ** 2) for pole in poles]
        if imaginary:
            distances.append(Fraction(centre**2 + imaginary**2))
        inside = [distance < parameters.radius**2 for distance in distances]
        # Poles at a fair distance from the circle, at least one inside and one outside.
        if all(inside) or not any(inside):
            raise Degenerate
        if any(abs(float(d) ** 0.5 - float(parameters.radius)) < 0.2 for d in distances):
            raise Degenerate
        return parameters

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        residues = _sum_of_residues(p)
        if residues == 0:
            raise Degenerate
        below = "".join(f"({shifted_tex('z', pole)})" for pole in p.real_poles)
        below += f"(z^{{2}}+{p.imaginary**2})" if p.imaginary else ""
        integrand = rf"\frac{{{polynomial_tex(p.numerator, 'z')}}}{{{below}}}"
        circle = f"|{shifted_tex('z', p.centre)}|={tex(p.radius)}"
        prompt = wording.choice(
            [
                f"Evaluate $$\\oint_{{{circle}}}{integrand}\\,dz,$$ the circle run through once "
                f"counter-clockwise.",
                f"The circle ${circle}$ is traversed once in the positive sense. Find "
                f"$$\\oint{integrand}\\,dz$$ along it.",
                f"Let $C$ be the circle ${circle}$, taken once counter-clockwise. Compute "
                f"$$\\oint_C{integrand}\\,dz.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return an exact complex number, written with `I` and `pi`.",
            answer_fn=sum_source([(2 * residues, "pi*I")]),
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        nodes = 800
        total = 0j
        for k in range(nodes):
            step = complex(float(p.radius) * mp.expjpi(mp.mpf(2 * k) / nodes))
            z = p.centre + step
            value = sum(c * z**n for n, c in enumerate(p.numerator)) + 0j
            for pole in p.real_poles:
                value /= z - pole
            total += value / (z * z + p.imaginary**2 if p.imaginary else 1) * step
        same(2j * mp.pi * total / nodes, gold.at(), digits=10, scale=1)


def _sum_of_residues(p: Parameters) -> Fraction:
    """Over the poles inside; it is real, as the pair of imaginary poles is inside together or not at all."""
    total = Fraction(0)
    for pole in p.real_poles:
        if abs(pole - p.centre) < p.radius:
            value = evaluated(p.numerator, pole)
            for other in p.real_poles:
                value /= pole - other if other != pole else 1
            total += value / (pole**2 + p.imaginary**2 if p.imaginary else 1)
    if p.imaginary and p.centre**2 + p.imaginary**2 < p.radius**2:
        # Residues at ib and -ib are conjugate: their sum is twice the real part.
        real, imaginary = _at_imaginary(p.numerator, p.imaginary)
        for pole in p.real_poles:
            real, imaginary = _divided(real, imaginary, Fraction(-pole), Fraction(p.imaginary))
        total += 2 * _divided(real, imaginary, Fraction(0), Fraction(2 * p.imaginary))[0]
    return total


def _at_imaginary(polynomial: tuple[int, ...], b: int) -> tuple[Fraction, Fraction]:
    real, imaginary = Fraction(0), Fraction(0)
    for coefficient in reversed(polynomial):
        real, imaginary = -imaginary * b + coefficient, real * b
    return real, imaginary


def _divided(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> tuple[Fraction, Fraction]:
    size = c * c + d * d
    return (a * c + b * d) / size, (b * c - a * d) / size
