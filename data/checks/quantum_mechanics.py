"""Checks of data/quantum-mechanics.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("qm.001", route="quadrature of the probability density")
def _(gold: Gold) -> Iterator[Comparison]:
    for t, width, mass, hbar in [(0, 1, 1, 1), (0.25, 1, 2, 1), (1.5, 2, 0.75, 0.5)]:

        def wave(x: Any, t: float = t, width: float = width, mass: float = mass, hbar: float = hbar) -> Any:
            total = mp.mpf(0)
            for k, weight in ((1, 1), (2, mp.mpc(0, 1))):
                energy = (hbar * mp.pi * k / width) ** 2 / (2 * mass)
                total += weight * mp.sin(k * mp.pi * x / width) * mp.expj(-energy * t / hbar)
            return total / mp.sqrt(width)

        mean = mp.quad(lambda x, wave=wave: x * abs(wave(x)) ** 2, [0, width / 2, width])
        yield same(mean, gold.at(t=t, L=width, m=mass, hbar=hbar))


@check("qm.002", route="diagonalisation of the truncated Hamiltonian, extrapolated to zero coupling")
def _(gold: Gold) -> Iterator[Comparison]:
    size = 80
    root = np.sqrt(np.arange(1, size))
    ladder = np.diag(root, 1) + np.diag(root, -1)
    for mass, omega, hbar in [(1, 1, 1), (2, 1.5, 0.75)]:
        x = ladder * np.sqrt(hbar / (2 * mass * omega))
        free, cubic = np.diag(hbar * omega * (np.arange(size) + 0.5)), x @ x @ x

        def shift(coupling: float, n: int, free: Any = free, cubic: Any = cubic) -> float:
            level = np.linalg.eigvalsh(free + coupling * cubic)[n]
            return float(level - free[n, n]) / coupling**2

        for n in (0, 1, 3):
            coarse, middle, fine = (shift(0.02 / 2**k, n) for k in range(3))
            first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
            second = (16 * first[1] - first[0]) / 15
            expected = gold.at(n=n, lam=0.5, m=mass, omega=omega, hbar=hbar) * 4
            yield same(second, expected, rtol=1e-6)


@check("qm.003", route="power series of the exponential of the ladder-operator matrix")
def _(gold: Gold) -> Iterator[Comparison]:
    raising = mp.zeros(3)
    for column, m in ((1, 0), (2, -1)):
        raising[column - 1, column] = mp.sqrt(2 - m * (m + 1))
    generator = -(raising - raising.T) / 2  # -i S_y / hbar, with S_y = (S_+ - S_-) / (2i)
    for theta in (0.5, 2, -4):
        total, term = mp.eye(3), mp.eye(3)
        for k in range(1, 60):
            term = term * generator * (mp.mpf(theta) / k)
            total += term
        yield same(total.tolist(), gold.at(theta=theta))


@check("qm.004", route="enumeration of the microstates")
def _(gold: Gold) -> Iterator[Comparison]:
    orbitals = [(m, spin) for spin in (1, -1) for m in range(-3, 4)]
    states = [
        (sum(spin for _, spin in filled), sum(m for m, _ in filled)) for filled in combinations(orbitals, 9)
    ]
    twice_spin = max(spin for spin, _ in states)
    orbital = max(m for spin, m in states if spin == twice_spin)
    total = orbital + Fraction(twice_spin, 2)  # more than half full: the largest J lies lowest
    yield same(f"{twice_spin + 1}{'SPDFGHIKLMN'[orbital]}{total}", gold.at())
