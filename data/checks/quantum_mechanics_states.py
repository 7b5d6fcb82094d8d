"""Checks of data/quantum-mechanics.jsonl: bound and scattering states, several spins, evolution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("qm.014", route="roots of the matching conditions")
def _(gold: Gold) -> Iterator[Comparison]:
    for g, a in [(1, 1), (2, 0.5), (1.5, 0.4375)]:

        def mismatch(kappa: Any, parity: int, g: float = g, a: float = a) -> Any:
            """Jump of the slope at x = a plus 2 g psi(a); cosh or sinh inside, a decaying wave outside."""
            up, down = mp.exp(kappa * a), parity * mp.exp(-kappa * a)
            value, slope = up + down, kappa * (up - down)
            return (-kappa * value - slope + 2 * g * value) / up

        energies = []
        for parity, start in ((1, g), (-1, mp.mpf(g) / 16)):
            kappa = mp.findroot(lambda k, p=parity, f=mismatch: f(k, p), (start, 2.5 * g), solver="anderson")
            energies.append(-(kappa**2) / 2)
        yield same(tuple(energies), gold.at(g=g, a=a), rtol=1e-12)


@check("qm.015", route="diagonalisation in the space of 27 states")
def _(gold: Gold) -> Iterator[Comparison]:
    raising = np.diag([np.sqrt(2), np.sqrt(2)], 1)
    spin = [(raising + raising.T) / 2, (raising - raising.T) / 2j, np.diag([1, 0, -1])]

    def at(place: int, operator: Any) -> Any:
        return reduce(np.kron, [operator if k == place else np.eye(3) for k in range(3)])

    energy = sum(at(i, s) @ at(j, s) for i, j in ((0, 1), (1, 2), (2, 0)) for s in spin)
    values = np.linalg.eigvalsh(energy)
    assert np.max(np.abs(values - np.round(values))) < 1e-12, "not integers"
    yield same(dict(Counter(int(value) for value in np.round(values))), gold.at(), rtol=0)


@check("qm.016", route="numerical integration of the Schrödinger equation in a truncated basis")
def _(gold: Gold) -> Iterator[Comparison]:
    size, steps = 36, 1500
    lowering = np.diag(np.sqrt(np.arange(1, size)), 1)
    for force, tau, mass, omega, hbar in [(1, 1, 1, 1, 1), (2, 0.5, 0.75, 2, 1.25), (0.5, 2, 2, 0.5, 0.5)]:
        length = np.sqrt(hbar / (2 * mass * omega))

        def slope(t: float, c: Any, pulse: Any = (force * length / hbar, tau), w: float = omega) -> Any:
            """Interaction picture: x = length (a e^(-iwt) + its adjoint)."""
            turned = np.exp(-1j * w * t)
            moved = turned * (lowering @ c) + np.conj(turned) * (lowering.T @ c)
            return 1j * pulse[0] * np.exp(-((t / pulse[1]) ** 2)) * moved

        state = np.zeros(size, dtype=complex)
        state[0] = 1
        t, dt = -6.0 * tau, 12.0 * tau / steps
        for _ in range(steps):
            k1 = slope(t, state)
            k2 = slope(t + dt / 2, state + dt / 2 * k1)
            k3 = slope(t + dt / 2, state + dt / 2 * k2)
            k4 = slope(t + dt, state + dt * k3)
            state, t = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), t + dt
        for n in (0, 1, 3):
            expected = gold.at(n=n, F0=force, tau=tau, m=mass, omega=omega, hbar=hbar)
            yield same(float(abs(state[n]) ** 2), expected, rtol=1e-6)


@check("qm.017", route="phase shift from matching at small wave numbers")
def _(gold: Gold) -> Iterator[Comparison]:
    for g, radius in [(1.5, 1), (-0.5, 2), (4, 0.75)]:

        def k_cot(k: Any, g: float = g, radius: float = radius) -> Any:
            """u = sin kr inside, and A sin(kr + delta) outside, from value and slope just outside R."""
            value = mp.sin(k * radius)
            slope = k * mp.cos(k * radius) + mp.mpf(g) / radius * value
            cosine, sine = mp.cos(k * radius), mp.sin(k * radius)
            # A cos(delta) and A sin(delta)
            along, across = value * sine + slope / k * cosine, value * cosine - slope / k * sine
            return k * along / across

        with mp.workdps(60):
            step = mp.mpf("1e-8")
            near, far = k_cot(step), k_cot(2 * step)
            intercept = (4 * near - far) / 3
            curvature = (far - near) / (3 * step**2)
            yield same((-1 / intercept, 2 * curvature), gold.at(g=g, R=radius), rtol=1e-12)


@check("qm.018", route="eigenvalues of the transposed matrix and bisection in the weight")
def _(gold: Gold) -> Iterator[Comparison]:
    vector = np.eye(3).ravel() / np.sqrt(3)

    def lowest(p: Any) -> float:
        state = float(p) * np.outer(vector, vector) + (1 - float(p)) / 9 * np.eye(9)
        turned = state.reshape(3, 3, 3, 3).transpose(0, 3, 2, 1).reshape(9, 9)
        return float(np.linalg.eigvalsh(turned)[0])

    start = edge(lambda p: lowest(p) < 0, inside=0.75, outside=0)
    left, right, left_open, right_open = gold.ends()
    yield same((start, mp.mpf(1)), (left, right), rtol=1e-8)
    yield same([lowest(p) < -1e-12 for p in (left, right)], [not left_open, not right_open])
    yield same([lowest(p) < 0 for p in (0.1, 0.2, 0.3, 0.5, 0.9)], [False, False, True, True, True])


@check("qm.019", route="trace of the transfer matrix of a cell, multiplied numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, a, u, v in [(1, 1, 0.5, -0.75), (2.5, 0.5, 1, 3), (0.75, 2, -2, 0.25)]:
        free = mp.matrix([[mp.cos(k * a), mp.sin(k * a) / k], [-k * mp.sin(k * a), mp.cos(k * a)]])
        kicks = [mp.matrix([[1, 0], [2 * s, 1]]) for s in (u, v)]
        cell = free * kicks[1] * free * kicks[0]
        # the eigenvalues of the cell are exp(2iqa) and exp(-2iqa); q is complex in a gap
        q = mp.acos((cell[0, 0] + cell[1, 1]) / 2) / (2 * a)
        yield same(gold.at(q=q, k=k, a=a, u=u, v=v), 0, atol=1e-15)


@check("qm.020", route="quadrature over the momenta")
def _(gold: Gold) -> Iterator[Comparison]:
    x, dx = np.linspace(-20, 20, 801, retstep=True)
    p, dp = np.linspace(-9, 9, 601, retstep=True)
    for a in (0.5, 1.5, 0):
        start = np.exp(-((x - a) ** 2) / 2) + np.exp(-((x + a) ** 2) / 2)
        start /= np.sqrt(np.sum(start**2) * dx)
        spectrum = np.exp(-1j * np.outer(p, x)) @ start * dx / (2 * np.pi)
        for t, place in [(0, 0.5), (0.75, -1), (2, 0.25), (1.5, 3)]:
            wave = np.sum(spectrum * np.exp(1j * p * place - 0.5j * p**2 * t)) * dp
            yield same(float(abs(wave) ** 2), gold.at(x=place, t=t, a=a), rtol=1e-10)
