"""Expansion of a polynomial in Hermite polynomials, as a dict of the coefficients other than zero."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import added, multiplied, scaled
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds, same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, source


@dataclass(frozen=True)
class Parameters:
    polynomial: tuple[int, ...]
    physicists: bool


@register
class HermiteExpansion(Family[Parameters]):
    name = "hermite_expansion"
    topic = "special-functions"
    answer_type = "dict"
    route = "exact projection with Gaussian moments"

    def draw(self, draw: Draw, level: int) -> Parameters:
        polynomial = (*draw.integers(-9, 9, 2 + (level + 1) // 2), draw.nonzero(-9, 9))
        return Parameters(polynomial, bool(draw.integer(0, 1)))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        # x^m = sum of m!/(2^k k! (m-2k)!) He_(m-2k); for the physicists' H_n there is 2^-m in front, no 2^-k.
        amounts: dict[int, Fraction] = {}
        for m, c in enumerate(p.polynomial):
            for k in range(m // 2 + 1):
                below = factorial(k) * factorial(m - 2 * k) * (2**m if p.physicists else 2**k)
                amounts[m - 2 * k] = amounts.get(m - 2 * k, Fraction(0)) + Fraction(c * factorial(m), below)
        kept = {n: amounts[n] for n in sorted(amounts) if amounts[n]}
        if len(kept) < 2:
            raise Degenerate
        letter, weight = ("H", "e^{-x^{2}}") if p.physicists else (r"\mathrm{He}", "e^{-x^{2}/2}")
        second = "4x^{2}-2" if p.physicists else "x^{2}-1"
        prompt = wording.choice(
            [
                f"Expand ${polynomial_tex(p.polynomial, 'x')}$ in the Hermite polynomials ${letter}_n$",
                f"Write ${polynomial_tex(p.polynomial, 'x')}$ as a sum $\\sum_nc_n{letter}_n(x)$ of "
                f"Hermite polynomials",
            ]
        )
        return Posed(
            prompt=f"{prompt} that are orthogonal with the weight ${weight}$, ${letter}_2(x)={second}$. "
            f"Return a dict $\\{{n:c_n\\}}$ with the integers $n$ as keys and the rational coefficients "
            f"$c_n\\ne0$ of ${letter}_n$ as values; leave out those that vanish.",
            answer_fn="{" + ", ".join(f"{n}: {source(c)}" for n, c in kept.items()) + "}",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        expected = gold.at()
        holds(set(expected) <= set(range(len(p.polynomial))), "a degree does not occur")
        for n in range(len(p.polynomial)):
            hermite = _hermite(n, p.physicists)
            product = multiplied(hermite, [Fraction(c) for c in p.polynomial])
            norm = 2**n * factorial(n) if p.physicists else factorial(n)
            projection = (
                sum((c * _moment(m, p.physicists) for m, c in enumerate(product)), Fraction(0)) / norm
            )
            same(projection, expected.get(n, 0), digits=20)


def _hermite(n: int, physicists: bool) -> list[Fraction]:
    previous, current = [Fraction(0)], [Fraction(1)]
    factor = 2 if physicists else 1
    for k in range(n):
        previous, current = current, added(multiplied([0, factor], current), scaled(previous, -factor * k))
    return current


def _moment(m: int, physicists: bool) -> Fraction:
    """Mean of x^m: the variance is 1/2 or 1."""
    if m % 2:
        return Fraction(0)
    return Fraction(prod(range(1, m, 2)), 2 ** (m // 2) if physicists else 1)
