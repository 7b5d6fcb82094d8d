"""Partition function of a few Ising spins with couplings of different strengths."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    spins: int
    couplings: tuple[tuple[int, int, int], ...]
    """(i, j, J) for the energy -J s_i s_j."""


@register
class IsingCluster(Family[Parameters]):
    name = "ising_cluster"
    topic = "statistical-physics"
    route = "the high-temperature expansion over closed subgraphs"

    def draw(self, draw: Draw, level: int) -> Parameters:
        spins = 3 if level == 1 else 4 if level < 4 else 5
        pairs = [(i, j) for i in range(spins) for j in range(i + 1, spins)]
        bonds = sorted(draw.shuffled(pairs)[: spins + level // 2])
        couplings = tuple((i, j, draw.nonzero(-3, 3) if level > 1 else draw.nonzero(-9, 9)) for i, j in bonds)
        if {i for i, _, _ in couplings} | {j for _, j, _ in couplings} != set(range(spins)):
            raise Degenerate
        return Parameters(spins, couplings)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        weights: dict[int, int] = {}
        for state in product((1, -1), repeat=p.spins):
            energy = sum(strength * state[i] * state[j] for i, j, strength in p.couplings)
            weights[energy] = weights.get(energy, 0) + 1
        terms = [(weights[e], f"exp({sum_source([(e, 'K')])})" if e else "") for e in sorted(weights)]
        hamiltonian = sum_tex([(-strength, f"s_{i + 1}s_{j + 1}") for i, j, strength in p.couplings])
        names = ",".join(f"s_{i + 1}" for i in range(p.spins))
        prompt = wording.choice(
            [
                f"{('Three', 'Four', 'Five')[p.spins - 3]} Ising spins ${names}=\\pm1$ have the energy "
                f"$$E=J\\left({hamiltonian}\\right).$$ Find their partition function at the temperature $T$ "
                "with $K=J/(k_BT)$.",
                f"Find the canonical partition function $Z=\\sum e^{{-E/k_BT}}$ of the Ising spins "
                f"${names}=\\pm1$ with $$E/J={hamiltonian},$$ in terms of $K=J/k_BT$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a SymPy expression in `K` (a finite sum of exponentials or "
            f"hyperbolic functions).",
            answer_fn=sum_source(terms),
            symbols={"K": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        for k in (mp.mpf("0.3"), mp.mpf("-0.45")):
            # exp(K J s s') = cosh(KJ) (1 + s s' tanh(KJ)); only subgraphs with even degrees survive the sum.
            total = mp.mpf(0)
            for chosen in product((0, 1), repeat=len(p.couplings)):
                degrees = [0] * p.spins
                term = mp.mpf(1)
                for used, (i, j, strength) in zip(chosen, p.couplings, strict=True):
                    if used:
                        degrees[i] += 1
                        degrees[j] += 1
                        term *= mp.tanh(k * strength)
                total += term if all(degree % 2 == 0 for degree in degrees) else 0
            for _, _, strength in p.couplings:
                total *= mp.cosh(k * strength)
            same(total * 2**p.spins, gold.at(K=k), digits=15)
