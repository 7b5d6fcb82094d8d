"""Checks of data/statistical-physics.jsonl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import mpmath as mp

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
        yield same(boyle, gold.at(lam=ratio, epsilon=depth, kB=boltzmann), rtol=1e-7)


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
