"""Whether a quadratic congruence modulo a prime can be solved."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import holds
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import polynomial_tex


@dataclass(frozen=True)
class Parameters:
    prime: int
    coefficients: tuple[int, int, int]
    """a, b, c of a x^2 + b x + c."""


@register
class QuadraticResidue(Family[Parameters]):
    name = "quadratic_residue"
    topic = "combinatorics-number-theory"
    answer_type = "boolean"
    route = "search through all residues"

    def draw(self, draw: Draw, level: int) -> Parameters:
        low, high = ((11, 60), (60, 300), (300, 1000), (1000, 2500), (2500, 6000))[level - 1]
        prime = draw.integer(low, high)
        if any(prime % d == 0 for d in range(2, isqrt(prime) + 1)):
            raise Degenerate
        a, b, c = draw.integer(1, 9), draw.integer(-20, 20), draw.nonzero(-30, 30)
        if (b * b - 4 * a * c) % prime == 0 or a % prime == 0:
            raise Degenerate
        return Parameters(prime, (a, b, c))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        a, b, c = p.coefficients
        left = polynomial_tex((c, b, a), "x")
        prompt = wording.choice(
            [
                f"Is there an integer $x$ with ${left}\\equiv0\\pmod{{{p.prime}}}$? (${p.prime}$ is a "
                f"prime.)",
                f"Does the prime ${p.prime}$ divide ${left}$ for some integer $x$?",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return `True` or `False`.",
            answer_fn=str(_jacobi((b * b - 4 * a * c) % p.prime, p.prime) == 1),
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        a, b, c = parameters.coefficients
        solvable = any((a * x * x + b * x + c) % parameters.prime == 0 for x in range(parameters.prime))
        holds(gold.at() is solvable, "the search finds the opposite")


def _jacobi(a: int, n: int) -> int:
    """Jacobi's symbol (a/n), by reciprocity."""
    sign = 1
    while a:
        while a % 2 == 0:
            a //= 2
            sign = -sign if n % 8 in (3, 5) else sign
        a, n = n, a
        sign = -sign if a % 4 == 3 and n % 4 == 3 else sign
        a %= n
    return sign if n == 1 else 0
