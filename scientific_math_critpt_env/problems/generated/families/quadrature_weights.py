"""Weights of the interpolatory quadrature rule on given nodes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import (
    evaluated,
    integrated,
    multiplied,
    scaled,
    solved,
)
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import monomial_tex, source, tex


@dataclass(frozen=True)
class Parameters:
    nodes: tuple[Fraction, ...]
    ends: tuple[int, int]
    weight: int
    """The integral is of x^weight f(x)."""


@register
class QuadratureWeights(Family[Parameters]):
    name = "quadrature_weights"
    topic = "numerical-methods"
    answer_type = "list"
    route = "integration of Lagrange's polynomials"

    def draw(self, draw: Draw, level: int) -> Parameters:
        below = draw.integer(1, 4) if level < 3 else draw.integer(2, 12)
        low = draw.integer(-6, 6)
        ends = (low, low + draw.integer(1, 4))
        count = 3 if level < 4 else 4
        numerators = range(ends[0] * below, ends[1] * below + 1)
        if len(numerators) < count:
            raise Degenerate
        nodes = sorted(draw.shuffled(numerators)[:count])
        weight = draw.integer(0, 2) if level > 2 else 0
        return Parameters(tuple(Fraction(n, below) for n in nodes), ends, weight)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        count = len(p.nodes)
        low, high = p.ends
        powers = [n + p.weight + 1 for n in range(count)]
        moments = [Fraction(high**m - low**m, m) for m in powers]
        weights = solved([[x**n for x in p.nodes] for n in range(count)], moments)
        if weights is None or 0 in weights:
            raise Degenerate
        front = monomial_tex([("x", p.weight)])
        total = "+".join(rf"w_{i + 1}f\left({tex(x)}\right)" for i, x in enumerate(p.nodes))
        front += r"\," if front else ""
        integral = rf"\int_{{{low}}}^{{{high}}}{front}f(x)\,dx"
        prompt = wording.choice(
            [
                f"Find the weights for which $${integral}\\approx {total}$$ is exact for all polynomials "
                f"$f$ of degree at most ${count - 1}$.",
                f"The rule $${integral}\\approx {total}$$ shall integrate every polynomial $f$ up to degree "
                f"${count - 1}$ exactly. Determine its weights.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the list $[w_1,\\dots,w_{count}]$ of exact rational numbers.",
            answer_fn=f"[{', '.join(source(w) for w in weights)}]",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        for i, expected in enumerate(gold.at()):
            lagrange = [Fraction(0)] * p.weight + [Fraction(1)]
            for j, node in enumerate(p.nodes):
                if j != i:
                    lagrange = scaled(multiplied(lagrange, [-node, 1]), 1 / (p.nodes[i] - node))
            whole = integrated(lagrange)
            same(evaluated(whole, p.ends[1]) - evaluated(whole, p.ends[0]), expected, digits=20)
