"""Second-order energy shifts of a Hermitian matrix diag(E) + lambda V."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import gaussian_tex, matrix_tex, source


@dataclass(frozen=True)
class Parameters:
    energies: tuple[int, ...]
    coupling: tuple[tuple[tuple[int, int], ...], ...]
    """V as Gaussian integers (real, imaginary), upper triangle by rows: row i holds the entries i..n-1."""
    state: int


@register
class SecondOrderEnergy(Family[Parameters]):
    name = "second_order_energy"
    topic = "quantum-mechanics"
    answer_type = "tuple"
    route = "second difference of the exact eigenvalue"

    def draw(self, draw: Draw, level: int) -> Parameters:
        size = 2 if level == 1 else 3 if level < 4 else 4
        energies = tuple(sorted(draw.distinct(-7, 7, size)))
        coupling = tuple(
            tuple(
                (draw.integer(-4, 4), draw.integer(-3, 3) if level > 2 and j != i else 0)
                for j in range(i, size)
            )
            for i in range(size)
        )
        return Parameters(energies, coupling, draw.integer(0, size - 1))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        first = p.coupling[p.state][0][0]
        second = Fraction(0)
        for other in range(len(p.energies)):
            if other != p.state:
                real, imaginary = _entry(p, p.state, other)
                second += Fraction(real**2 + imaginary**2, p.energies[p.state] - p.energies[other])
        if second == 0:
            raise Degenerate
        size = len(p.energies)
        unperturbed = matrix_tex([[p.energies[i] if i == j else 0 for j in range(size)] for i in range(size)])
        perturbation = matrix_tex(
            [[gaussian_tex(*_entry(p, i, j)) for j in range(size)] for i in range(size)]
        )
        level = p.energies[p.state]
        prompt = wording.choice(
            [
                f"A quantum system has the Hamiltonian $H=H_0+\\lambda V$ with "
                f"$$H_0={unperturbed},\\qquad V={perturbation}.$$ "
                f"The level that starts from $E={level}$ at $\\lambda=0$ is $E(\\lambda)={level}+\\lambda "
                f"E_1+\\lambda^2E_2+O(\\lambda^3)$.",
                f"Let $$H_0={unperturbed},\\qquad V={perturbation},$$ and let $E(\\lambda)$ be the "
                f"eigenvalue of $H_0+\\lambda V$ with $E(0)={level}$, $E(\\lambda)=E(0)+\\lambda "
                "E_1+\\lambda^2E_2+\\dots$ for small real $\\lambda$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return the tuple $(E_1,E_2)$ of exact rational numbers.",
            answer_fn=f"({first}, {source(second)})",
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        step = mp.mpf(10) ** -9
        with mp.workdps(50):
            plus, minus = (_level(p, sign * step) for sign in (1, -1))
            first, second = gold.at()
            same((plus - minus) / (2 * step), first, digits=10, scale=1)
            same(
                (plus + minus - 2 * p.energies[p.state]) / (2 * step**2),
                second,
                digits=10,
                scale=mp.mpf("0.01"),
            )


def _entry(p: Parameters, i: int, j: int) -> tuple[int, int]:
    if j >= i:
        return p.coupling[i][j - i]
    real, imaginary = p.coupling[j][i - j]
    return real, -imaginary


def _level(p: Parameters, strength: Any) -> Any:
    """The eigenvalue near the unperturbed one: Newton's method on the characteristic polynomial's "
    "determinant."""
    size = len(p.energies)
    matrix = mp.matrix(size, size)
    for i in range(size):
        for j in range(size):
            matrix[i, j] = strength * mp.mpc(*_entry(p, i, j)) + (p.energies[i] if i == j else 0)
    energy = mp.mpf(p.energies[p.state])
    for _ in range(4):
        # det(E - H) and its derivative det(E - H) tr (E - H)^-1; the trace diverges at the eigenvalue.
        shifted_energy = energy + mp.mpf(10) ** -45
        inverse = mp.inverse(shifted_energy * mp.eye(size) - matrix)
        energy = shifted_energy - 1 / mp.fsum(inverse[i, i] for i in range(size)).real
    return energy
