"""Checks of data/statistical-physics.jsonl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import mpmath as mp
from scipy.integrate import solve_ivp

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("stat.001", route="enumeration of all configurations")
def _(gold: Gold) -> Iterator[Comparison]:
    for q, coupling, distance in [(2, 0.5, 1), (3, 1.25, 2), (3, -0.75, 3), (4, 0.5, 4)]:
        weight = mp.exp(coupling)
        total = equal = mp.mpf(0)
        for spins in product(range(q), repeat=distance + 2):  # one spin more than needed, at the end
            links = sum(a == b for a, b in pairwise(spins))
            total += weight**links
            equal += weight**links * (spins[0] == spins[distance])
        yield same(equal / total, gold.at(q=q, K=coupling, r=distance))


def _mayer_integral(sigma: float, ratio: float, depth: float, temperature: Any) -> Any:
    """Minus half the integral over space of exp(-u/kT) - 1, shell by shell."""

    def shell(start: float, end: float, factor: Any) -> Any:
        return factor * mp.quad(lambda r: 4 * mp.pi * r**2, [start, end])

    well = mp.exp(depth / temperature) - 1
    return -(shell(0, sigma, mp.mpf(-1)) + shell(sigma, ratio * sigma, well)) / 2


@check("stat.002.a", route="quadrature of the Mayer function")
def _(gold: Gold) -> Iterator[Comparison]:
    for sigma, ratio, depth, boltzmann, temperature in [(1, 1.5, 1, 1, 1), (0.75, 2, 0.5, 2, 1.25)]:
        integral = _mayer_integral(sigma, ratio, depth, mp.mpf(boltzmann) * temperature)
        yield same(integral, gold.at(sigma=sigma, lam=ratio, epsilon=depth, kB=boltzmann, T=temperature))


@check("stat.002.b", route="root of the Mayer integral by bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    for ratio, depth, boltzmann in [(1.5, 1, 1), (2, 0.5, 2), (1.25, 3, 0.75)]:

        def attractive(t: Any, ratio: float = ratio, depth: float = depth, k: float = boltzmann) -> bool:
            return bool(_mayer_integral(1, ratio, depth, k * t) < 0)

        boyle = edge(attractive, inside=0.05, outside=50)
        yield same(boyle, gold.at(w=ratio - 1, epsilon=depth, kB=boltzmann), rtol=1e-7)


@check("stat.003", route="trace of a polynomial transfer matrix")
def _(gold: Gold) -> Iterator[Comparison]:
    rows = list(product((1, -1), repeat=3))

    def energy(upper: tuple[int, ...], lower: tuple[int, ...]) -> int:
        """Bonds within the upper row and between the rows."""
        within = sum(upper[k] * upper[(k + 1) % 3] for k in range(3))
        return -within - sum(a * b for a, b in zip(upper, lower, strict=True))

    # entries of the matrix are polynomials in the Boltzmann factor: counters from energy to count
    transfer = {(a, b): Counter({energy(a, b): 1}) for a in rows for b in rows}

    def times(left: dict[Any, Counter[int]], right: dict[Any, Counter[int]]) -> dict[Any, Counter[int]]:
        result: dict[Any, Counter[int]] = {}
        for a, c in product(rows, rows):
            entry: Counter[int] = Counter()
            for b in rows:
                for (e, m), (f, n) in product(left[a, b].items(), right[b, c].items()):
                    entry[e + f] += m * n
            result[a, c] = entry
        return result

    cube = times(times(transfer, transfer), transfer)
    levels: Counter[int] = Counter()
    for row in rows:
        levels.update(cube[row, row])
    yield same(dict(levels), gold.at(), rtol=0)


@check("stat.004", route="fixed-point iteration")
def _(gold: Gold) -> Iterator[Comparison]:
    m = mp.mpf(1)
    for _ in range(100):
        m = mp.tanh(2 * m)
    yield same(m, gold.at(), rtol=1e-15)


@check("stat.005", route="numerical derivative of the mean energy")
def _(gold: Gold) -> Iterator[Comparison]:
    for g, gap, boltzmann, temperature in [(1, 1, 1, 0.5), (3, 0.75, 2, 1.25)]:

        def energy(t: Any, g: int = g, gap: float = gap, boltzmann: float = boltzmann) -> Any:
            weights = [1] + [mp.exp(-gap / (boltzmann * t))] * g
            return mp.fsum(w * e for w, e in zip(weights, [0] + [gap] * g, strict=True)) / mp.fsum(weights)

        capacity = mp.diff(energy, temperature)
        yield same(capacity, gold.at(g=g, epsilon=gap, kB=boltzmann, T=temperature))


@check("stat.006", route="root finding on the quadrature of the Fermi distribution")
def _(gold: Gold) -> Iterator[Comparison]:
    for fermi, boltzmann, temperature in [(1, 1, 0.25), (2, 0.5, 3)]:
        heat = mp.mpf(boltzmann) * temperature

        def filled(mu: Any, heat: Any = heat, fermi: float = fermi) -> Any:
            """Occupied states in units of the constant density of states."""
            return mp.quad(lambda e: 1 / (mp.exp((e - mu) / heat) + 1), mp.linspace(0, fermi + 75 * heat, 13))

        mu = mp.findroot(lambda mu, f=filled, fermi=fermi: f(mu) - fermi, (fermi - heat, fermi), tol=1e-25)
        yield same(mu, gold.at(E_F=fermi, kB=boltzmann, T=temperature))


@check("stat.007", route="quadrature of the Bose distribution over the semiclassical density of states")
def _(gold: Gold) -> Iterator[Comparison]:
    for omega, hbar, boltzmann, temperature in [(1, 1, 1, 40), (0.5, 2, 0.75, 100)]:
        heat, quantum = mp.mpf(boltzmann) * temperature, mp.mpf(hbar) * omega
        # the phase-space volume below e gives the density of states e/quantum**2
        thermal = mp.quad(
            lambda x, heat=heat, quantum=quantum: x * heat**2 / quantum**2 / mp.expm1(x), [0, 1, 4, 16, 75]
        )
        yield same(temperature, gold.at(N0=thermal, omega=omega, hbar=hbar, kB=boltzmann))


@check("stat.008", route="enumeration of all configurations")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, distance, coupling in [(3, 1, 0.5), (5, 2, 1.25), (6, 6, 0.25), (8, 3, 0.75)]:
        total = product_sum = mp.mpf(0)
        for spins in product((1, -1), repeat=n):
            weight = mp.exp(coupling * sum(spins[i] * spins[(i + 1) % n] for i in range(n)))
            total += weight
            product_sum += weight * spins[0] * spins[distance % n]
        yield same(product_sum / total, gold.at(n=n, r=distance, K=coupling))


@check("stat.009", route="quadrature over phase space")
def _(gold: Gold) -> Iterator[Comparison]:
    for boltzmann, temperature, mass, strength in [(1, 1, 1, 1), (0.5, 3, 2, 0.25)]:
        heat = mp.mpf(boltzmann) * temperature

        def moments(energy: Any, reach: Any, heat: Any = heat) -> list[Any]:
            """Mean and variance of one part of the energy, each part being independent of the other."""
            sums = [
                mp.quad(lambda y, k=k: energy(y) ** k * mp.exp(-energy(y) / heat), [0, reach / 3, reach])
                for k in range(3)
            ]
            return [sums[1] / sums[0], sums[2] / sums[0] - (sums[1] / sums[0]) ** 2]

        kinetic = moments(lambda p, mass=mass: p**2 / (2 * mass), mp.sqrt(160 * mass * heat))
        quartic = moments(lambda x, s=strength: s * x**4, mp.root(80 * heat / strength, 4))
        yield same(kinetic[1] + quartic[1], gold.at(kB=boltzmann, T=temperature))


@check("stat.010", route="moment equations integrated numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for t, m, friction, boltzmann, temperature in [(0.5, 1, 1, 1, 1), (3, 2, 0.75, 0.5, 4)]:
        heat = boltzmann * temperature

        def flow(
            _: float, state: Any, m: float = m, friction: float = friction, heat: float = heat
        ) -> list[Any]:
            """d/dt of <x**2>, <x v>, <v**2>; the noise feeds the last so that m <v**2> = kT is stationary."""
            _, mixed, square = state
            return [2 * mixed, square - friction / m * mixed, 2 * friction / m * (heat / m - square)]

        path = solve_ivp(flow, (0, t), [0, 0, heat / m], method="DOP853", rtol=1e-12, atol=1e-13)
        yield same(float(path.y[0, -1]), gold.at(t=t, m=m, g=friction, kB=boltzmann, T=temperature))


@check("stat.011", route="enumeration")
def _(gold: Gold) -> Iterator[Comparison]:
    states = [levels for levels in product(range(7), repeat=3) if sum(levels) == 6]
    unordered = {tuple(sorted(levels)) for levels in states}
    fermions = [levels for levels in unordered if len(set(levels)) == 3]
    counted = {"distinguishable": len(states), "bosons": len(unordered), "fermions": len(fermions)}
    yield same(counted, gold.at(), rtol=0)


@check("stat.012", route="extrema of numerically sampled isotherms")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, heat in [(1, 0.25, 0.875), (3, 0.5, 1.4375)]:

        def pressure(volume: Any, a: float = a, b: float = b, heat: float = heat) -> Any:
            return heat / (volume - b) - a / volume**2

        scan = [b * (1 + mp.mpf(k) / 20) for k in range(4, 400)]
        slopes = [mp.diff(pressure, volume) for volume in scan]
        turning = [
            mp.findroot(lambda v, f=pressure: mp.diff(f, v), (scan[i], scan[i + 1]), solver="anderson")
            for i in range(len(scan) - 1)
            if slopes[i] * slopes[i + 1] < 0
        ]
        yield same(len(turning), 2)
        for volume in turning:
            p = pressure(volume)
            yield same(gold.at(p=p, V=volume, a=a, b=b), 0, atol=1e-10)
            yield same(abs(gold.at(p=p + 0.125, V=volume, a=a, b=b)) > 1e-4, True)


@check("stat.013", route="numerical solution for a horizontal point of inflexion")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, constant in [(1, 1, 1), (3, 0.25, 2)]:

        def pressure(v: Any, t: Any, a: float = a, b: float = b, r: float = constant) -> Any:
            return r * t / (v - b) * mp.exp(-a / (r * t * v))

        def conditions(v: Any, t: Any, f: Any = pressure) -> list[Any]:
            return [mp.diff(lambda x: f(x, t), v), mp.diff(lambda x: f(x, t), v, 2)]

        with mp.workdps(25):
            guess = (2.2 * b, 0.27 * a / (constant * b))
            volume, temperature = mp.findroot(conditions, guess, tol=1e-16, maxsteps=60)
        yield same(
            (pressure(volume, temperature), volume, temperature), gold.at(a=a, b=b, R=constant), rtol=1e-7
        )


@check("stat.014", route="quadrature over wave vectors")
def _(gold: Gold) -> Iterator[Comparison]:
    for temperature, speed, hbar, boltzmann in [(1, 1, 1, 1), (2, 0.5, 0.75, 3)]:
        heat = mp.mpf(boltzmann) * temperature

        def density(k: Any, speed: float = speed, hbar: float = hbar, heat: Any = heat) -> Any:
            energy = hbar * speed * k
            return 2 * mp.pi * k / (2 * mp.pi) ** 2 * energy / mp.expm1(energy / heat)

        scale = heat / (mp.mpf(hbar) * speed)
        yield same(
            mp.quad(density, [0, scale, 4 * scale, 16 * scale, 80 * scale]),
            gold.at(T=temperature, v=speed, hbar=hbar, kB=boltzmann),
        )
