"""Checks of data/fourier.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("fourier.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, a in [(0, 1), (1, 0.5), (-3, 1.25), (4, 2)]:
        integral = mp.quad(lambda x, n=n, a=a: mp.exp(a * x) * mp.expj(-n * x), mp.linspace(-mp.pi, mp.pi, 5))
        yield same(integral / (2 * mp.pi), gold.at(n=n, a=a))


@check("fourier.002", route="oscillatory quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):
        for k, a in [(0, 1), (1, 1), (-0.5, 2), (2.5, 0.75), (-3, 1.5)]:

            def density(x: Any, a: float = a) -> Any:
                return x**2 / (x**2 + a**2) ** 2

            if k == 0:
                integral = mp.quad(density, [0, 1, 4, mp.inf])
            else:
                integral = mp.quadosc(
                    lambda x, k=k, f=density: f(x) * mp.cos(k * x), [0, mp.inf], omega=abs(k)
                )
            yield same(2 * integral, gold.at(k=k, a=a), rtol=1e-8)


@check("fourier.003", route="direct summation with a tail estimate")
def _(gold: Gold) -> Iterator[Comparison]:
    count = 2_000_000
    n = np.arange(count, 0, -1, dtype=np.float64)
    for a in (0.25, 0.8, 1.25, 1.5):
        # sin**4 averages 3/8, so the tail is 1/8 N**-3 up to higher order: below the tolerance by far
        total = float(np.sum((np.sin(n * a) / n) ** 4)) + 0.125 / count**3
        yield same(total, gold.at(a=a), rtol=1e-11)


@check("fourier.004", route="partial sums at large N, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    def minimum(count: int) -> float:
        n = np.arange(1, count + 1)
        x = np.linspace(1.5, 2.5, 4001) * np.pi / count
        sums = np.array([np.sum(np.sin(n * point) / n) for point in x[1900:2101]])
        k = int(np.argmin(sums))
        left, centre, right = sums[k - 1 : k + 2]
        assert 0 < k < len(sums) - 1, "the minimum lies outside the scan"
        return float(centre - (right - left) ** 2 / (8 * (left - 2 * centre + right)))

    coarse, middle, fine = minimum(1000), minimum(2000), minimum(4000)
    first = (2 * middle - coarse, 2 * fine - middle)  # removes the 1/N term
    yield same((4 * first[1] - first[0]) / 3, gold.at(), rtol=1e-8)  # and the 1/N**2 term
