"""Laurent coefficients of (pz + q)/((z-a)(z-b)), possibly with a double pole, in the annulus between the "
"poles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds, same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import listed, polynomial_tex, shifted_tex, source


@dataclass(frozen=True)
class Parameters:
    numerator: tuple[int, ...]
    inner: int
    outer: int
    order: int
    """Of the pole at `outer`."""
    wanted: tuple[int, ...]


@register
class LaurentSeries(Family[Parameters]):
    name = "laurent_series"
    topic = "analytic-functions"
    answer_type = "dict"
    route = "trapezoidal rule on a circle in the annulus"

    def draw(self, draw: Draw, level: int) -> Parameters:
        inner, outer = draw.nonzero(-4, 4), draw.nonzero(-4 - level, 4 + level)
        if abs(inner) >= abs(outer):
            raise Degenerate
        numerator = (draw.integer(-6, 6), draw.nonzero(-6, 6)) if level > 1 else (draw.nonzero(-9, 9),)
        wanted = sorted({-draw.integer(2, 2 + level), -1, draw.integer(0, 2), draw.integer(3, 3 + level)})
        return Parameters(numerator, inner, outer, 1 if level < 3 else 2, tuple(wanted))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        coefficients = {n: _coefficient(p, n) for n in p.wanted}
        if 0 in coefficients.values():
            raise Degenerate
        power = "" if p.order == 1 else f"^{{{p.order}}}"
        below = f"({shifted_tex('z', p.inner)})({shifted_tex('z', p.outer)}){power}"
        f = rf"f(z)=\dfrac{{{polynomial_tex(p.numerator, 'z')}}}{{{below}}}"
        annulus = f"{abs(p.inner)}<|z|<{abs(p.outer)}"
        powers = listed([str(n) for n in p.wanted])
        prompt = wording.choice(
            [
                f"Expand ${f}$ in powers of $z$ in the annulus ${annulus}$, $f(z)=\\sum_nc_nz^n$.",
                f"In the annulus ${annulus}$ the function ${f}$ has the Laurent series $\\sum_{{n}}c_nz^n$.",
                f"Let $\\sum_nc_nz^n$ be the Laurent series of ${f}$ that converges for ${annulus}$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Find $c_n$ for $n={powers}$. Return a dict with these integers $n$ as keys and "
            "the exact rational numbers $c_n$ as values.",
            answer_fn="{" + ", ".join(f"{n}: {source(c)}" for n, c in coefficients.items()) + "}",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        nodes = 400
        radius = mp.sqrt(abs(p.inner * p.outer))
        points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
        values = [
            mp.polyval(list(reversed(p.numerator)), z) / ((z - p.inner) * (z - p.outer) ** p.order)
            for z in points
        ]
        expected = gold.at()
        holds(set(expected) == set(p.wanted), "other coefficients are asked")
        for n in p.wanted:
            mean = mp.fsum(value * z**-n for value, z in zip(values, points, strict=True)) / nodes
            same(mean, expected[n], digits=8)


def _coefficient(p: Parameters, n: int) -> Fraction:
    """By partial fractions: A/(z - inner) in negative powers, the rest in a power series."""
    a, b, m = p.inner, p.outer, p.order
    total = Fraction(0)
    for power, c in enumerate(p.numerator):
        # z^power moves the coefficients of 1/((z-a)(z-b)^m) up.
        total += c * _kernel(a, b, m, n - power)
    return total


def _kernel(a: int, b: int, m: int, n: int) -> Fraction:
    """Coefficient of z^n in 1/((z-a)(z-b)^m): the product of the series of both factors, summed exactly."""
    # 1/(z-a) = sum a^j z^(-j-1); 1/(z-b)^m = (-b)^-m sum C(i+m-1, m-1) (z/b)^i. Sum over i - j - 1 = n in
    # closed form through the partial fractions with x = a/b.
    x = Fraction(a, b)
    start = max(0, n + 1)
    # sum over i >= start of C(i+m-1, m-1) x^i = total over all i minus the first terms
    whole = 1 / (1 - x) ** m
    head = sum((Fraction(comb(i + m - 1, m - 1)) * x**i for i in range(start)), Fraction(0))
    return Fraction(1, (-b) ** m) * (whole - head) * Fraction(a) ** (-n - 1)
