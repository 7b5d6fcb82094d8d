"""Circulation of a plane polynomial field round an ellipse or a triangle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import (
    listed,
    monomial_tex,
    shifted_tex,
    sum_source,
    sum_tex,
)


@dataclass(frozen=True)
class Parameters:
    along: tuple[tuple[int, int, int], ...]
    """Terms (c, i, j) of c x^i y^j."""
    across: tuple[tuple[int, int, int], ...]
    corners: tuple[tuple[int, int], ...]
    """Of a triangle; () for the ellipse."""
    ellipse: tuple[int, int, int, int]
    """Centre and semiaxes."""


@register
class Circulation(Family[Parameters]):
    name = "circulation"
    topic = "vector-analysis"
    route = "the line integral by quadrature"

    def draw(self, draw: Draw, level: int) -> Parameters:
        pool = [(i, j) for i in range(4) for j in range(4) if 0 < i + j <= 2 + level // 3]
        count = 1 + (level + 1) // 2
        fields = [
            tuple((draw.nonzero(-6, 6), *powers) for powers in sorted(draw.shuffled(pool)[:count]))
            for _ in range(2)
        ]
        ellipse = (*draw.integers(-2, 2, 2), *draw.integers(1, 4, 2))
        corners: tuple[tuple[int, int], ...] = ()
        if level > 2 and draw.integer(0, 1):
            (a, b), (c, d), (e, f) = (draw.integers(-3, 3, 2) for _ in range(3))
            if (c - a) * (f - b) - (e - a) * (d - b) <= 0:
                raise Degenerate
            corners = ((a, b), (c, d), (e, f))
        return Parameters(fields[0], fields[1], corners, (ellipse[0], ellipse[1], ellipse[2], ellipse[3]))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        # Green: the integral of Q_x - P_y over the inside.
        curl = [(c * i, i - 1, j) for c, i, j in p.across if i] + [
            (-c * j, i, j - 1) for c, i, j in p.along if j
        ]
        moment = _triangle if p.corners else _ellipse
        total = sum((c * moment(p, i, j) for c, i, j in curl), Fraction(0))
        if total == 0:
            raise Degenerate
        form = rf"\left({_tex(p.along)}\right)dx+\left({_tex(p.across)}\right)dy"
        if p.corners:
            curve = "the triangle with the corners " + listed([f"$({x},{y})$" for x, y in p.corners])
        else:
            x, y, a, b = p.ellipse
            parts = [_square("x", x, a), _square("y", y, b)]
            curve = f"the {'circle' if a == b else 'ellipse'} ${'+'.join(parts)}=1$"
        prompt = wording.choice(
            [
                f"Evaluate $$\\oint_C{form},$$ where $C$ is {curve}, run through once counter-clockwise.",
                f"Let $C$ be {curve}, traversed once in the positive (counter-clockwise) sense. Find "
                f"$$\\oint_C{form}.$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return an exact SymPy number.",
            answer_fn=sum_source([(total, "" if p.corners else "pi")]),
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        total = mp.mpf(0)
        if p.corners:
            for (a, b), (c, d) in zip(p.corners, (*p.corners[1:], p.corners[0]), strict=True):
                total += mp.quad(
                    lambda t, a=a, b=b, c=c, d=d: (
                        _value(p.along, a + t * (c - a), b + t * (d - b)) * (c - a)
                        + _value(p.across, a + t * (c - a), b + t * (d - b)) * (d - b)
                    ),
                    [0, 1],
                    method="gauss-legendre",
                    maxdegree=4,
                )
        else:
            x, y, a, b = p.ellipse
            nodes = 24
            for k in range(nodes):
                unit = mp.expjpi(mp.mpf(2 * k) / nodes)
                place = (x + a * unit.real, y + b * unit.imag)
                total += _value(p.along, *place) * -a * unit.imag + _value(p.across, *place) * b * unit.real
            total *= 2 * mp.pi / nodes
        same(total, gold.at(), digits=12, scale=1)


def _triangle(p: Parameters, i: int, j: int) -> Fraction:
    """The integral of x^i y^j: with x, y affine in s, t, and s^m t^n over the unit triangle m! "
    "n!/(m+n+2)!."""
    (a, b), (c, d), (e, f) = p.corners
    total = Fraction(0)
    for m, n, amount in _affine(a, c - a, e - a, i):
        for k, q, other in _affine(b, d - b, f - b, j):
            below = factorial(m + k + n + q + 2)
            total += amount * other * Fraction(factorial(m + k) * factorial(n + q), below)
    return total * ((c - a) * (f - b) - (e - a) * (d - b))


def _affine(constant: int, s: int, t: int, power: int) -> list[tuple[int, int, int]]:
    """(m, n, coefficient of s^m t^n) of (constant + s S + t T)^power."""
    return [
        (m, n, factorial(power) // (factorial(m) * factorial(n) * factorial(power - m - n))
         * s**m * t**n * constant ** (power - m - n))
        for m in range(power + 1)
        for n in range(power - m + 1)
    ]  # fmt: skip


def _ellipse(p: Parameters, i: int, j: int) -> Fraction:
    """Over pi: the disc's integral of u^m v^n is 2 pi (m-1)!!(n-1)!!/((m+n)!! (m+n+2)) for even m and n."""
    x, y, a, b = p.ellipse
    total = Fraction(0)
    for m in range(0, i + 1, 2):
        for n in range(0, j + 1, 2):
            disc = Fraction(
                2 * prod(range(1, m, 2)) * prod(range(1, n, 2)), prod(range(2, m + n + 1, 2)) * (m + n + 2)
            )
            weight = comb(i, m) * comb(j, n) * x ** (i - m) * y ** (j - n)
            total += weight * disc * a ** (m + 1) * b ** (n + 1)
    return total


def _tex(terms: tuple[tuple[int, int, int], ...]) -> str:
    return sum_tex([(c, monomial_tex([("x", i), ("y", j)])) for c, i, j in terms])


def _square(name: str, centre: int, axis: int) -> str:
    above = f"({shifted_tex(name, centre)})^2" if centre else f"{name}^2"
    return above if axis == 1 else rf"\frac{{{above}}}{{{axis * axis}}}"


def _value(terms: tuple[tuple[int, int, int], ...], x: Any, y: Any) -> Any:
    return mp.fsum(c * x**i * y**j for c, i, j in terms)
