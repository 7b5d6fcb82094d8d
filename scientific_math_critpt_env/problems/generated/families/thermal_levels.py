"""Mean energy and heat capacity of a system with a few degenerate levels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import listed, sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    levels: tuple[tuple[int, int], ...]
    """(degeneracy, energy in units of epsilon)."""


@register
class ThermalLevels(Family[Parameters]):
    name = "thermal_levels"
    topic = "statistical-physics"
    answer_type = "tuple"
    route = "numerical derivatives of the logarithm of the partition function"

    def draw(self, draw: Draw, level: int) -> Parameters:
        count = 2 if level == 1 else 3 if level < 4 else 4
        energies = sorted(draw.distinct(-5 - level, 7 + level, count))
        return Parameters(tuple((draw.integer(1, 9), energy) for energy in energies))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters

        def weighted(power: int) -> str:
            terms = [(g * e**power, f"exp({sum_source([(-e, 'x')])})" if e else "") for g, e in p.levels]
            return sum_source(terms)

        # Heat capacity without cancellation: a sum over pairs of levels.
        pairs = []
        for (g, e), (h, f) in combinations(p.levels, 2):
            exponent = sum_source([(-(e + f), "x")])
            pairs.append((g * h * (e - f) ** 2, f"exp({exponent})" if e + f else ""))
        levels = listed([f"${_times(e)}$ ($g={g}$)" for g, e in p.levels])
        prompt = wording.choice(
            [
                f"A system has the energy levels {levels}, where $g$ is the degeneracy. It is in thermal "
                f"equilibrium at "
                r"the temperature $T$; let $x=\varepsilon/(k_BT)$. Find its mean energy $U$ and its heat "
                r"capacity $C=dU/dT$.",
                f"The levels {levels} of a system ($g$: number of states) are occupied thermally, "
                "$x=\\varepsilon/k_BT$. Determine the mean energy $U$ and the heat capacity $C=dU/dT$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the tuple $(U/\\varepsilon,\\ C/k_B)$ of SymPy expressions in `x`.",
            answer_fn=f"(({weighted(1)})/({weighted(0)}), x**2*({sum_source(pairs)})/({weighted(0)})**2)",
            symbols={"x": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        def logarithm(x: Any) -> Any:
            return mp.log(mp.fsum(g * mp.exp(-e * x) for g, e in parameters.levels))

        for x in (mp.mpf("0.4"), mp.mpf("1.3")):
            energy, capacity = gold.at(x=x)
            same(-mp.diff(logarithm, x), energy, digits=9, scale=mp.mpf("0.01"))
            same(x * x * mp.diff(logarithm, x, 2), capacity, digits=8, scale=mp.mpf("0.01"))


def _times(energy: int) -> str:
    return sum_tex([(energy, r"\varepsilon")])
