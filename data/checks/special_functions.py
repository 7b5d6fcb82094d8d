"""Checks of data/special-functions.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("special.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, c in [(1, 2, 3), (0.5, 1.25, 0.75), (2.5, 3, 0.5)]:
        integral = mp.quad(lambda x, a=a, b=b, c=c: x**a * (1 - x**b) ** c, [0, 0.5, 1])
        yield same(integral, gold.at(a=a, b=b, c=c))


@check("special.002", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b in [(1, 1), (2.5, 0.5), (0.75, 2)]:
        end = mp.sqrt(80 / mp.mpf(b))
        integral = mp.quad(
            lambda x, a=a, b=b: x**3 * mp.exp(-b * x**2) * mp.besselj(0, a * x), mp.linspace(0, end, 7)
        )
        yield same(integral, gold.at(a=a, b=b))


@check("special.003", route="Gauss quadrature of the polynomials from their recurrence")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    previous, current = np.zeros_like(nodes), np.ones_like(nodes)
    for n in range(9):
        yield same(float(np.sum(weights * nodes**2 * current**2)), gold.at(n=n), rtol=1e-12)
        previous, current = current, ((2 * n + 1) * nodes * current - n * previous) / (n + 1)


@check("special.004", route="quadrature of the elliptic integrals by the arithmetic-geometric mean")
def _(gold: Gold) -> Iterator[Comparison]:
    def difference(k: Any) -> Any:
        """K - E = K (sum of 2**(j-1) c_j**2) in Gauss's iteration from (1, k')."""
        a, b, total, power = mp.mpf(1), mp.sqrt((1 - k) * (1 + k)), k**2 / 2, mp.mpf(1)
        while abs(a - b) > mp.mpf(10) ** -28 * a:
            a, b, gap = (a + b) / 2, mp.sqrt(a * b), (a - b) / 2
            total += power * gap**2
            power *= 2
        return mp.pi / (2 * a) * total

    yield same(mp.quad(difference, [0, 0.5, 1]), gold.at())
