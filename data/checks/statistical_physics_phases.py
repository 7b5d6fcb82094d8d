"""Checks of data/statistical-physics.jsonl: phase diagrams, quantum virial series, zeros, fluctuations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import mpmath as mp
import numpy as np
from scipy.optimize import minimize_scalar

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("stat.015", route="vanishing second and fourth derivative of the numerically summed free energy")
def _(gold: Gold) -> Iterator[Comparison]:
    def free_energy(m: Any, t: Any, d: Any) -> Any:
        """Per spin, J = 1: each spin in the field m of all, by Gaussian linearisation of the square."""
        weights = (mp.exp((m * s - d * s**2) / t) for s in (-1, 0, 1))
        return m**2 / 2 - t * mp.log(mp.fsum(weights))

    def derivative(order: int, t: Any, d: Any) -> Any:
        return mp.diff(lambda m: free_energy(m, t, d), 0, order)

    def conditions(t: Any, d: Any) -> list[Any]:
        return [derivative(2, t, d), derivative(4, t, d)]

    t, d = mp.findroot(conditions, (0.35, 0.45))
    assert derivative(6, t, d) > 0, "no tricritical point"
    yield same((t, d), gold.at(), rtol=1e-10)
    # below, a magnetised state wins while m = 0 is still stable; above, m = 0 wins as soon as it is stable
    for temperature, anisotropy, discontinuous in [(0.25, 0.47, True), (0.4, 0.445, False)]:
        assert derivative(2, temperature, anisotropy) > 0, "m = 0 is not stable"
        lowest = min(free_energy(mp.mpf(k) / 200, temperature, anisotropy) for k in range(1, 200))
        yield same(bool(lowest < free_energy(0, temperature, anisotropy)), discontinuous)


@check("stat.016", route="tangent construction and curvature, numerically, with bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def g(x: Any) -> Any:
        return x * mp.log(x) + (1 - x) * mp.log(1 - x) + 2 * mp.log(3) * x * (1 - x)

    def separates(x: Any) -> bool:
        """Whether g lies somewhere below its tangent at x."""
        slope = mp.diff(g, x)
        low = minimize_scalar(
            lambda y: float(g(mp.mpf(y)) - g(x) - slope * (y - x)),
            bounds=(0.5, 0.999),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return bool(low.fun < 0)

    left = edge(separates, inside=0.3, outside=0.2)
    right = edge(lambda x: bool(mp.diff(g, x, 2) > 0), inside=0.3, outside=0.45)
    start, end, *opened = gold.ends()
    yield same((left, right), (start, end), rtol=1e-8)
    yield same([mp.diff(g, x, 2) > 0 for x in (0.01, 0.1, 0.2, 0.3, 0.4, 0.499)], [True] * 4 + [False] * 2)
    # at the left end the tangent touches a second time, at the right end the curvature vanishes
    touch = min(
        g(mp.mpf(k) / 100) - g(start) - mp.diff(g, start) * (mp.mpf(k) / 100 - start) for k in range(50, 100)
    )
    yield same([bool(abs(touch) < 1e-15), bool(abs(mp.diff(g, end, 2)) < 1e-12)], opened)


@check("stat.017", route="quadrature of the Bose distribution at small fugacities, and a polynomial fit")
def _(gold: Gold) -> Iterator[Comparison]:
    # the integrands are even and analytic: sums with a small step have no error to speak of
    step = mp.mpf("0.2")
    x = [k * step for k in range(1, 60)]
    for length in (1, 0.75):
        rows, left = [], []
        for k in range(1, 8):
            z = mp.mpf(k) / 100
            occupied = [1 / (mp.exp(s**2) / z - 1) for s in x]
            moments = [step * mp.fsum(n * s**p for n, s in zip(occupied, x, strict=True)) for p in (2, 4)]
            # states per volume 4 pi p^2 dp / h^3 with s^2 = p^2 / 2mkT; the pressure is 2/3 of the energy
            density = 4 / mp.sqrt(mp.pi) / mp.mpf(length) ** 3 * moments[0]
            pressure = mp.mpf(2) / 3 * 4 / mp.sqrt(mp.pi) / mp.mpf(length) ** 3 * moments[1]
            rows.append([density**j for j in range(7)])
            left.append((pressure / density - 1) / density)
        fit = mp.lu_solve(mp.matrix(rows), mp.matrix(left))
        yield same(list(fit)[:3], gold.at(lam=length), rtol=1e-6)


@check("stat.018", route="roots of the enumerated partition function")
def _(gold: Gold) -> Iterator[Comparison]:
    for coupling in (0.125, 0.5, 1.25):
        powers = [mp.mpf(0)] * 4
        for s in product((-1, 1), repeat=3):
            bonds = s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
            powers[s.count(1)] += mp.exp(coupling * bonds)
        yield same(set(mp.polyroots(powers[::-1], maxsteps=200)), gold.at(K=coupling), rtol=1e-15)


@check("stat.019", route="summation of the Boltzmann weights on a fine lattice")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, boltzmann, temperature in [(1, 1, 1), (2, 0.5, 3)]:
        u = np.linspace(-8, 8, 61) * np.sqrt(boltzmann * temperature / k)
        grid = np.meshgrid(u, u, u, indexing="ij", sparse=True)
        first, second, third = grid
        stretch = first**2 + (second - first) ** 2 + (third - second) ** 2 + third**2
        weight = np.exp(-k / 2 * stretch / (boltzmann * temperature))
        total = np.sum(weight)
        table = [[float(np.sum(weight * a * b) / total) for b in grid] for a in grid]
        yield same(table, gold.at(k=k, kB=boltzmann, T=temperature), rtol=1e-10)
