"""The least solution of linear congruences, and a power in a ring of residues."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import gcd, lcm
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_tex


@dataclass(frozen=True)
class Parameters:
    moduli: tuple[int, ...]
    factors: tuple[int, ...]
    residues: tuple[int, ...]


@register
class Congruences(Family[Parameters]):
    name = "congruences"
    topic = "combinatorics-number-theory"
    answer_type = "tuple"
    route = "search through all residues"

    def draw(self, draw: Draw, level: int) -> Parameters:
        count = 2 if level < 3 else 3
        top = (15, 30, 24, 36, 40)[level - 1]
        moduli = tuple(sorted(draw.distinct(5, top, count)))
        factors = tuple(draw.integer(2, m - 1) for m in moduli) if level > 1 else (1,) * count
        residues = tuple(draw.integer(1, m - 1) for m in moduli)
        if any(gcd(a, m) > 1 for a, m in zip(factors, moduli, strict=True)):
            raise Degenerate
        if any(gcd(m, n) > (1 if level < 4 else 4) for m, n in combinations(moduli, 2)):
            raise Degenerate
        return Parameters(moduli, factors, residues)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        solution, period = 0, 1
        for m, a, r in zip(p.moduli, p.factors, p.residues, strict=True):
            wanted = r * pow(a, -1, m) % m
            shared = gcd(period, m)
            if (wanted - solution) % shared:
                raise Degenerate  # the congruences contradict each other
            step = (wanted - solution) // shared * pow(period // shared, -1, m // shared) % (m // shared)
            solution, period = solution + period * step, lcm(period, m)
        system = r",\qquad ".join(
            rf"{sum_tex([(a, 'x')])}\equiv{r}\pmod{{{m}}}"
            for m, a, r in zip(p.moduli, p.factors, p.residues, strict=True)
        )
        prompt = wording.choice(
            [
                f"Solve the system $${system}$$ in integers.",
                f"Which integers $x$ satisfy $${system}\\,?$$",
            ]
        )
        return Posed(
            prompt=f"{prompt} The solutions are $x\\equiv a\\pmod N$ with a smallest period $N>0$. Return "
            "the tuple $(a,N)$ of integers with $0\\le a<N$.",
            answer_fn=f"({solution}, {period})",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        rows = list(zip(p.moduli, p.factors, p.residues, strict=True))
        m, a, r = rows[-1]
        first = next(x for x in range(m) if (a * x - r) % m == 0)
        found: list[int] = []
        x = first
        # The largest modulus is stepped through; two solutions in a row give the period.
        while len(found) < 2:
            if all((b * x - s) % n == 0 for n, b, s in rows):
                found.append(x)
            x += m
        same([found[0], found[1] - found[0]], list(gold.at()), digits=20)
