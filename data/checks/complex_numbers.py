"""Checks of data/complex-numbers.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import sympy

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("complex.001", route="roots of the expanded polynomial")
def _(gold: Gold) -> Iterator[Comparison]:
    z = sympy.Symbol("z")
    polynomial = sympy.Poly((z + 2 * sympy.I) ** 6 + (z - 2 * sympy.I) ** 6, z)
    roots = mp.polyroots([mp.mpf(int(c)) for c in polynomial.all_coeffs()], maxsteps=200, extraprec=200)
    yield same(set(roots), gold.at())


@check("complex.002", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, r, phi in [(1, 0.5, 0.3), (3, 0.25, -1.1), (4, 0.8, 2.0), (7, 0.9, 0.05)]:
        angles = [phi + 2 * mp.pi * k / n for k in range(n)]
        yield same(
            mp.fsum(1 / (1 - 2 * r * mp.cos(t) + mp.mpf(r) ** 2) for t in angles), gold.at(n=n, r=r, phi=phi)
        )


@check("complex.003", route="numerical complex power")
def _(gold: Gold) -> Iterator[Comparison]:
    power = mp.power(mp.mpc(1, mp.sqrt(3)), mp.mpc(1, -1))
    yield same((power.real, power.imag), gold.at())


@check("complex.004", route="polynomial roots and bisection in the parameter")
def _(gold: Gold) -> Iterator[Comparison]:
    def holds(b: Any) -> bool:
        roots = mp.polyroots([1, 1, b, 1, 1], maxsteps=500, extraprec=300)
        return all(abs(abs(root) - 1) < 1e-11 for root in roots)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(holds, inside=1, outside=-3), start, atol=1e-8)
    yield same(edge(holds, inside=1, outside=4), end, atol=1e-8)
    yield same((not holds(start), not holds(end)), (start_open, end_open))
    for b in (0.1, 0.7, 1.3, 2.0, 2.2):
        yield same(holds(b), True)
