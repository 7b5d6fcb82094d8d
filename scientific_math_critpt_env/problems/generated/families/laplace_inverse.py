"""Inverse Laplace transform of a proper rational function with a double pole or a complex pair."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import added, evaluated, from_roots, multiplied
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex, shifted_tex, sum_source


@dataclass(frozen=True)
class Parameters:
    simple: tuple[tuple[int, int], ...]
    """(A, a) for A exp(at)."""
    double: tuple[int, int, int] | None
    """(B, C, b) for (B + C t) exp(bt)."""
    pair: tuple[int, int, int, int] | None
    """(D, E, c, w) for exp(ct) (D cos wt + E sin wt)."""


@register
class LaplaceInverse(Family[Parameters]):
    name = "laplace_inverse"
    topic = "laplace-transforms"
    route = "the Laplace integral by quadrature"

    def draw(self, draw: Draw, level: int) -> Parameters:
        a, b, c = draw.distinct(-4, 4, 3)
        # One simple pole always; what stands beside it grows with the level.
        simple = [(draw.nonzero(-6, 6), a)]
        double = (draw.integer(-5, 5), draw.nonzero(-6, 6), b) if level in (2, 3, 5) else None
        pair = (draw.integer(-6, 6), draw.nonzero(-6, 6), c, draw.integer(1, 5)) if level >= 3 else None
        if level in (1, 4):
            simple.append((draw.nonzero(-6, 6), b))
        if level == 3 and draw.integer(0, 1):
            double = None
            simple.append((draw.nonzero(-6, 6), b))
        return Parameters(tuple(simple), double, pair)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        numerator, factors = _fraction(parameters)
        below = "".join(factors)
        transform = rf"F(s)=\dfrac{{{polynomial_tex(numerator, 's')}}}{{{below}}}"
        prompt = wording.choice(
            [
                f"Find the function $f(t)$, $t>0$, whose Laplace transform is ${transform}$.",
                f"Invert the Laplace transform ${transform}$ for $t>0$.",
                f"The Laplace transform of $f$ is ${transform}$. Determine $f(t)$ for $t>0$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a SymPy expression in `t`.",
            answer_fn=sum_source(_terms(parameters)),
            symbols={"t": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        numerator, _ = _fraction(parameters)
        with mp.workdps(15):
            for s in (6, 8):
                ends = [0, 1, 3, 8, 24]
                integral = mp.quad(
                    lambda t, s=s: mp.exp(-s * t) * gold.at(t=t), ends, method="gauss-legendre"
                )
                same(
                    integral,
                    evaluated(numerator, s) / _denominator(parameters, s),
                    digits=9,
                    scale=mp.mpf("0.1"),
                )


def _terms(p: Parameters) -> list[tuple[int, str]]:
    terms = [(amplitude, _exponential(a)) for amplitude, a in p.simple]
    if p.double:
        constant, linear, b = p.double
        exponential = _exponential(b)
        terms += [(constant, exponential), (linear, f"t*{exponential}" if exponential else "t")]
    if p.pair:
        cosine, sine, c, w = p.pair
        exponential = f"{_exponential(c)}*" if c else ""
        angle = sum_source([(w, "t")])
        terms += [(cosine, f"{exponential}cos({angle})"), (sine, f"{exponential}sin({angle})")]
    return terms


def _exponential(rate: int) -> str:
    return f"exp({sum_source([(rate, 't')])})" if rate else ""


def _fraction(p: Parameters) -> tuple[list[Fraction], list[str]]:
    """Numerator over the common denominator, and the denominator's factors in LaTeX."""
    parts: list[tuple[list[int], list[Fraction], str]] = []
    for amplitude, a in p.simple:
        parts.append(([amplitude], from_roots([a]), _factor_tex(a, 1)))
    if p.double:
        constant, linear, b = p.double
        # B/(s-b) + C/(s-b)^2
        parts.append(([linear - constant * b, constant], from_roots([b, b]), _factor_tex(b, 2)))
    if p.pair:
        cosine, sine, c, w = p.pair
        below = [Fraction(c * c + w * w), Fraction(-2 * c), Fraction(1)]
        parts.append(([sine * w - cosine * c, cosine], below, f"({polynomial_tex(below, 's')})"))
    total: list[Fraction] = [Fraction(0)]
    for index, (above, _, _) in enumerate(parts):
        term = [Fraction(c) for c in above]
        for other, (_, below, _) in enumerate(parts):
            term = multiplied(term, below) if other != index else term
        total = added(total, term)
    return total, [factor for _, _, factor in parts]


def _factor_tex(root: int, power: int) -> str:
    base = f"({shifted_tex('s', root)})" if root else "s"
    return base if power == 1 else f"{base}^{{{power}}}"


def _denominator(p: Parameters, s: int) -> Fraction:
    value = Fraction(1)
    for _, a in p.simple:
        value *= s - a
    value *= (s - p.double[2]) ** 2 if p.double else 1
    return value * ((s - p.pair[2]) ** 2 + p.pair[3] ** 2 if p.pair else 1)
