"""Checks of data/quantum-mechanics.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm

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


def _spin(twice: int) -> tuple[Any, Any, Any]:
    """S_x, S_y, S_z in units of hbar for the spin twice/2, from the highest projection down."""
    spin = twice / 2
    m = spin - np.arange(twice + 1)
    raising = np.diag(np.sqrt(spin * (spin + 1) - m[1:] * (m[1:] + 1)), 1)
    return (raising + raising.T) / 2, (raising - raising.T) / 2j, np.diag(m)


@check("qm.005", route="numerical diagonalisation")
def _(gold: Gold) -> Iterator[Comparison]:
    spin, one = _spin(1), np.eye(2)
    first, second = [np.kron(s, one) for s in spin], [np.kron(one, s) for s in spin]
    exchange = sum(a @ b for a, b in zip(first, second, strict=True))
    for coupling, field in [(1, 0.5), (0.75, 2), (3, 0.25)]:
        values = np.linalg.eigvalsh(coupling * exchange + field * (first[2] - second[2]))
        yield same(values.tolist(), gold.at(J=coupling, B=field))


@check("qm.006", route="narrow square wells, extrapolated to zero width")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, strength, mass, hbar in [(1, 1, 1, 1), (0.5, 2, 0.75, 1.5)]:

        def transmission(
            width: Any, k: float = k, s: float = strength, m: float = mass, h: float = hbar
        ) -> Any:
            """Transfer of value and slope through a well of depth s/width."""
            inner = mp.sqrt(mp.mpf(k) ** 2 + 2 * m * s / (width * mp.mpf(h) ** 2))
            cosine, sine = mp.cos(inner * width), mp.sin(inner * width)
            # unit outgoing wave at the right end, followed back to the left one
            value, slope = cosine - mp.mpc(0, k) / inner * sine, inner * sine + mp.mpc(0, k) * cosine
            incoming = (value + slope / mp.mpc(0, k)) / 2
            return 1 / abs(incoming) ** 2

        values = [transmission(mp.mpf("1e-3") / 2**i) for i in range(5)]
        for order in range(1, 5):
            values = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(values)]
        yield same(values[0], gold.at(k=k, alpha=strength, m=mass, hbar=hbar))


@check("qm.007", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for charge, a in [(1, 1), (2, 0.5), (3, 1.75)]:

        def moment(power: int, charge: int = charge, a: float = a) -> Any:
            density = lambda r: r ** (power + 2) * (r * mp.exp(-charge * r / (2 * a))) ** 2  # noqa: E731
            return mp.quad(density, mp.linspace(0, 100 * a / charge, 9))

        yield same(moment(2) / moment(0), gold.at(Z=charge, a=a))


@check("qm.008", route="numerical integration of the von Neumann equation")
def _(gold: Gold) -> Iterator[Comparison]:
    sx, _, sz = _spin(1)
    along_x = np.linalg.eigh(sx)[1][:, 1]
    start = np.outer(along_x, along_x) / 3 + 2 / 3 * np.diag([0, 1])
    for omega, t in [(1, 0.5), (2.5, 1.25)]:

        def flow(_: float, state: Any, omega: float = omega) -> Any:
            rho = state.reshape(2, 2)
            return (-1j * omega * (sz @ rho - rho @ sz)).ravel()

        path = solve_ivp(flow, (0, t), start.astype(complex).ravel(), method="DOP853", rtol=1e-12, atol=1e-13)
        rho = path.y[:, -1].reshape(2, 2)
        yield same([[complex(v) for v in row] for row in rho], gold.at(omega=omega, t=t), atol=1e-10)


@check("qm.009", route="diagonalisation in oscillator functions")
def _(gold: Gold) -> Iterator[Comparison]:
    lowest = []
    for size, width in ((90, 2.5), (120, 3.0)):
        root = np.sqrt(np.arange(1, size + 8))
        ladder = np.diag(root, 1)
        x = (ladder + ladder.T) / np.sqrt(2 * width)
        kinetic = -width / 2 * np.linalg.matrix_power(ladder - ladder.T, 2)
        matrix = (kinetic + np.linalg.matrix_power(x, 4))[:size, :size]
        lowest.append(float(np.linalg.eigvalsh(matrix)[0]))
    yield same(lowest[0], lowest[1], rtol=1e-11)
    yield same(lowest[1], gold.at(), rtol=1e-10)


@check("qm.010", route="root finding on the quadrature of the action")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, m, g, hbar in [(1, 1, 1, 1), (3, 0.5, 9.75, 0.75)]:

        def action(energy: Any, m: float = m, g: float = g) -> Any:
            top = energy / (m * g)
            return mp.quad(
                lambda s: 2 * top * s * mp.sqrt(2 * m * energy) * s, [0, 1]
            )  # z = top (1 - s**2) turns the root into s

        target = (n - mp.mpf(1) / 4) * mp.pi * hbar
        energy = mp.findroot(lambda e, f=action, target=target: f(e) - target, (0.5, 30), solver="anderson")
        yield same(energy, gold.at(n=n, m=m, g=g, hbar=hbar))


@check("qm.011", route="eigenvalues of the squared total angular momentum")
def _(gold: Gold) -> Iterator[Comparison]:
    total = [np.kron(a, np.eye(3)) + np.kron(np.eye(4), b) for a, b in zip(_spin(3), _spin(2), strict=True)]
    squares = np.linalg.eigvalsh(sum(part @ part for part in total))
    values = {round(float(np.sqrt(value + 0.25) - 0.5), 9) for value in squares}
    yield same(values, gold.at())


@check("qm.012", route="quadrature of the overlap")
def _(gold: Gold) -> Iterator[Comparison]:
    for before, after in [(1, 2), (3, 0.5)]:

        def norm(rate: Any) -> Any:
            return mp.quad(lambda x: mp.exp(-rate * x**2), [-14, 0, 14])

        overlap = norm(mp.mpf(before + after) / 2) ** 2 / (norm(before) * norm(after))
        yield same(overlap, gold.at(omega=before, omega1=after))


@check("qm.013", route="truncated oscillator matrices")
def _(gold: Gold) -> Iterator[Comparison]:
    ladder = np.diag(np.sqrt(np.arange(1, 70)), 1)
    x, p = (ladder + ladder.T) / np.sqrt(2), 1j * (ladder.T - ladder) / np.sqrt(2)
    dilation, theta = x @ p + p @ x, 0.25
    turned = expm(-0.5j * theta * dilation) @ x @ expm(0.5j * theta * dilation)
    low = slice(0, 6)
    factor = turned[0, 1] / x[0, 1]
    yield same(bool(np.allclose(turned[low, low], factor * x[low, low], atol=1e-8)), True)
    yield same(bool(abs(factor - np.exp(theta)) < 1e-8), gold.at())
