"""Expected number of steps of a finite Markov chain until it is absorbed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import solved
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import matrix_tex, source


@dataclass(frozen=True)
class Parameters:
    weights: tuple[tuple[int, ...], ...]
    """Row i: weights of the steps from state i to states 0..n; the last state absorbs."""
    start: int


@register
class HittingTime(Family[Parameters]):
    name = "hitting_time"
    topic = "probability"
    route = "summation of the survival probabilities"

    def draw(self, draw: Draw, level: int) -> Parameters:
        size = 2 if level < 2 else 3 if level < 5 else 4
        top = 3 if level < 4 else 5
        rows = tuple(draw.integers(0, top, size + 1) for _ in range(size))
        for row in rows:
            # A fair chance to leave, so that the check converges; no dead ends, no idle states.
            if sum(row) == 0 or row[-1] * 8 < sum(row) or sum(1 for w in row if w) < 2:
                raise Degenerate
        return Parameters(rows, draw.integer(1, size))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        size = len(p.weights)
        steps = [[Fraction(w, sum(row)) for w in row] for row in p.weights]
        system = [[(i == j) - steps[i][j] for j in range(size)] for i in range(size)]
        times = solved(system, [1] * size)
        if times is None:
            raise Degenerate
        matrix = matrix_tex([*steps, [0] * size + [1]])
        last = size + 1
        prompt = wording.choice(
            [
                f"A Markov chain on the states $1,\\dots,{last}$ has the transition matrix (rows: from, "
                f"columns: to) $$P={matrix}.$$ It starts in state ${p.start}$. Find the expected number of "
                f"steps until it is in state ${last}$ for the first time.",
                f"A particle jumps among the states $1,\\dots,{last}$; the probability to go from $i$ to "
                f"$j$ in one step is $P_{{ij}}$ with $$P={matrix}.$$ How many steps does it take on average "
                f"from state ${p.start}$ to the absorbing state ${last}$?",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return an exact rational number.", answer_fn=source(times[p.start - 1])
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        size = len(parameters.weights)
        steps = [[w / sum(row) for w in row] for row in parameters.weights]
        there = [1.0 if i == parameters.start - 1 else 0.0 for i in range(size)]
        expected = 0.0
        # At least an eighth leaves in every step: after 300 steps less than 1e-17 is left.
        for _ in range(300):
            expected += sum(there)
            there = [sum(there[i] * steps[i][j] for i in range(size)) for j in range(size)]
        same(expected, gold.at(), digits=11)
