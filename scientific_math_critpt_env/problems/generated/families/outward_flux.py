"""Flux of a cubic polynomial field out of an ellipsoid or a box."""

from __future__ import annotations

import cmath
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import monomial_tex, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    field: tuple[tuple[tuple[int, int, int, int], ...], ...]
    """Three components, each of terms (c, i, j, k) for c x^i y^j z^k."""
    axes: tuple[int, int, int]
    box: bool
    """The box [0,a] x [0,b] x [0,c]; else the ellipsoid with these semiaxes."""


@register
class OutwardFlux(Family[Parameters]):
    name = "outward_flux"
    topic = "vector-analysis"
    route = "quadrature over the surface itself"

    def draw(self, draw: Draw, level: int) -> Parameters:
        box = level < 3

        def component(own: int) -> tuple[tuple[int, int, int, int], ...]:
            found: list[tuple[int, int, int, int]] = []
            while len(found) < 1 + (level + 1) // 3:
                i, j, k = powers = draw.integers(0, 3, 3)
                # One term at least must count: odd in its own direction, even in the others.
                counts = all(power % 2 == (axis == own) for axis, power in enumerate(powers))
                if 0 < sum(powers) <= 3 and (found or counts) and powers not in [f[1:] for f in found]:
                    found.append((draw.nonzero(-6, 6), i, j, k))
            return tuple(found)

        axes = draw.integers(1, 3, 3) if level != 3 else (draw.integer(1, 4),) * 3
        return Parameters(tuple(component(own) for own in range(3)), (axes[0], axes[1], axes[2]), box)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        total = Fraction(0)
        for own, component in enumerate(p.field):
            for c, *powers in component:
                if powers[own]:
                    lowered = [power - (axis == own) for axis, power in enumerate(powers)]
                    total += (
                        c * powers[own] * (_box(lowered, p.axes) if p.box else _ellipsoid(lowered, p.axes))
                    )
        if total == 0:
            raise Degenerate
        a, b, c = p.axes
        field = ",\\ ".join(
            sum_tex([(c, monomial_tex(list(zip("xyz", powers, strict=True)))) for c, *powers in component])
            for component in p.field
        )
        if p.box:
            surface = f"the surface of the box $0\\le x\\le{a}$, $0\\le y\\le{b}$, $0\\le z\\le{c}$"
        elif a == b == c:
            surface = f"the sphere $x^2+y^2+z^2={a * a}$"
        else:
            squares = [
                f"{name}^2" if axis == 1 else rf"\frac{{{name}^2}}{{{axis * axis}}}"
                for name, axis in zip("xyz", p.axes, strict=True)
            ]
            surface = f"the ellipsoid ${'+'.join(squares)}=1$"
        prompt = wording.choice(
            [
                f"Find the outward flux of $\\mathbf F=({field})$ through {surface}.",
                f"Let $S$ be {surface}, with the normal pointing outwards. Evaluate "
                f"$$\\iint_S\\mathbf F\\cdot d\\mathbf S,\\qquad\\mathbf F(x,y,z)=\\left({field}\\right).$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return an exact SymPy number.",
            answer_fn=sum_source([(total, "" if p.box else "pi")]),
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        flux = _flux_box(p) if p.box else _flux_ellipsoid(p)
        same(flux, gold.at(), digits=9, scale=1)


def _box(powers: list[int], axes: tuple[int, int, int]) -> Fraction:
    value = Fraction(1)
    for power, axis in zip(powers, axes, strict=True):
        value *= Fraction(axis ** (power + 1), power + 1)
    return value


def _ellipsoid(powers: list[int], axes: tuple[int, int, int]) -> Fraction:
    """Over pi: the ball's integral of x^i y^j z^k is 4 pi (i-1)!!(j-1)!!(k-1)!!/((n+1)!! (n+3)), n = "
    "i+j+k."""
    if any(power % 2 for power in powers):
        return Fraction(0)
    n = sum(powers)
    value = Fraction(4, prod(range(1, n + 2, 2)) * (n + 3))
    for power, axis in zip(powers, axes, strict=True):
        value *= axis ** (power + 1) * prod(range(1, power, 2))
    return value


def _flux_box(p: Parameters) -> float:
    nodes = [(0.5 * (1 + x), 0.5 * w) for x, w in _LEGENDRE]
    total = 0.0
    for own in range(3):
        first, second = (axis for axis in range(3) if axis != own)
        for u, weight in nodes:
            for v, other in nodes:
                place = [0.0, 0.0, 0.0]
                place[first], place[second] = u * p.axes[first], v * p.axes[second]
                area = weight * other * p.axes[first] * p.axes[second]
                for end, sign in ((float(p.axes[own]), 1), (0.0, -1)):
                    place[own] = end
                    total += sign * area * _component(p, own, place)
    return total


def _flux_ellipsoid(p: Parameters) -> float:
    a, b, c = p.axes
    total = 0.0
    steps = 12
    for height, weight in _LEGENDRE:
        ring = (1 - height * height) ** 0.5
        for k in range(steps):
            point = cmath.exp(2j * cmath.pi * k / steps)
            x, y, z = ring * point.real, ring * point.imag, height
            normal = (x * b * c, y * a * c, z * a * b)
            place = [a * x, b * y, c * z]
            flux = sum(_component(p, own, place) * normal[own] for own in range(3))
            total += flux * weight * 2 * cmath.pi / steps
    return total


def _component(p: Parameters, own: int, place: list[float]) -> float:
    return sum(c * place[0] ** i * place[1] ** j * place[2] ** k for c, i, j, k in p.field[own])


_LEGENDRE = (
    (-0.9061798459386640, 0.2369268850561891), (-0.5384693101056831, 0.4786286704993665),
    (0.0, 0.5688888888888889),
    (0.5384693101056831, 0.4786286704993665), (0.9061798459386640, 0.2369268850561891),
)  # fmt: skip
"""Nodes and weights of the rule with five nodes, exact up to degree 9."""
