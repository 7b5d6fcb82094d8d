"""Checks of data/series.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
from scipy.optimize import brentq

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("series.001", route="trapezoidal rule on a circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 256
    points = [mp.sqrt(3) * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]

    def coefficient(n: int) -> Any:
        return mp.fsum(z ** (1 - n) / ((z - 1) * (z - 3) ** 2) for z in points) / nodes

    yield same([coefficient(n) for n in range(-2, 3)], gold.at())


@check("series.003", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    terms = ((-1) ** (n + 1) * n / mp.binomial(2 * n, n) for n in range(1, 80))
    yield same(mp.fsum(terms), gold.at(), rtol=1e-25)


@check("series.004", route="term growth and partial sums, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    def converges(x: float) -> bool:
        """Cauchy's criterion on two far blocks: of like signs they show the rate, else Leibniz's rule."""
        ratio, term, terms = 2 * x - 1, 1.0, []
        for n in range(1, 8001):
            term *= (3 * n - 2) / (3 * n) * ratio
            terms.append(term)
            if abs(term) > 1e6 or abs(term) < 1e-200:
                return abs(term) < 1
        if abs(terms[-1]) > abs(terms[3999]):
            return False
        if terms[-1] * terms[-2] < 0:
            return abs(terms[-1]) < 0.7 * abs(terms[3999])
        return abs(sum(terms[4000:])) < 0.9 * abs(sum(terms[2000:4000]))

    start, end, start_open, end_open = gold.ends()
    steps = [k / 100 for k in range(-100, 200)]
    inside = [x for x in steps if converges(x)]
    yield same((inside[0], inside[-1] + (0.01 if end_open else 0)), (start, end), atol=1e-9)
    yield same((converges(float(start)), converges(float(end))), (not start_open, not end_open))
    yield same(len(inside), round((inside[-1] - inside[0]) * 100) + 1)


@check("series.005", route="root finding on a circle and discrete Fourier transform")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, radius = 64, mp.mpf(1) / 10
    points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    roots = [mp.findroot(lambda w, x=x: w + w**3 - x - x**2, x) for x in points]
    coefficients = [
        mp.re(mp.fsum(w * (x / radius) ** -n for w, x in zip(roots, points, strict=True))) / nodes / radius**n
        for n in range(1, 7)
    ]
    yield same(coefficients, gold.at(), atol=1e-9)


@check("series.008", route="greatest partial sums over dyadic blocks")
def _(gold: Gold) -> Iterator[Comparison]:
    def converges(terms: Any) -> bool:
        """Cauchy's criterion: the greatest partial sum within a block from N to 2N shrinks as N grows."""
        early, late = (
            np.max(np.abs(np.cumsum(terms(np.arange(size, 2 * size, dtype=np.float64)))))
            for size in (2**9, 2**19)
        )
        return bool(late < early / 4)

    series = [
        lambda n: np.where(n % 2, -1.0, 1.0) / (np.sqrt(n) + np.where(n % 2, -1.0, 1.0)),
        lambda n: np.where(np.floor(np.sqrt(n)) % 2, -1.0, 1.0) / n,
        lambda n: n ** (-1 - 1 / n),
        lambda n: 1 - np.sinc(1 / (np.pi * n)),
        lambda n: np.cos(n) / np.cbrt(n),
        lambda n: np.expm1(np.log(2) / n),
    ]
    yield same([converges(terms) for terms in series], gold.at())


@check("series.009", route="partial sums, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    n = np.arange(1, 64001, dtype=np.longdouble)
    sums = np.cumsum(np.arctan2(8 * n, n**4 - 2 * n**2 + 5))
    values = [float(sums[4000 * 2**k - 1]) for k in range(5)]
    for order in range(2, 5):  # the tail begins with the second power of 1/N
        values = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(values)]
    yield same(values[-1], gold.at())


@check("series.010", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x in (0.5, -0.75, 0.25):
        yield same(mp.fsum(n**2 * mp.mpf(x) ** n for n in range(1, 400)), gold.at(x=x))


@check("series.011", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x in (0.5, -0.75, 0.25):
        total = harmonic = mp.mpf(0)
        for n in range(1, 200):
            harmonic += mp.mpf(1) / n
            total += harmonic * mp.mpf(x) ** (2 * n)
        yield same(total, gold.at(x=x))


@check("series.014", route="term growth and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def shrinks(x: Any) -> bool:
        """Whether the terms' size falls from n = 2**20 to n = 2**21; on the edge they grow as sqrt(n)."""
        sizes = [mp.loggamma(n + 1) - n * mp.log(n) + n * mp.log(abs(x)) for n in (2**20, 2**21)]
        return bool(sizes[1] < sizes[0])

    start, end, start_open, end_open = gold.ends()
    yield same(edge(shrinks, inside=1, outside=9), end, rtol=1e-5)
    yield same(edge(shrinks, inside=-1, outside=-9), start, rtol=1e-5)
    yield same((not shrinks(start), not shrinks(end)), (start_open, end_open))


@check("series.015", route="scan of the partial sums")
def _(gold: Gold) -> Iterator[Comparison]:
    powers = 2 * np.arange(20000) + 1

    def excess(x: float) -> float:
        return float(np.sum(x**powers)) - 2 / 3

    grid = np.linspace(-0.9993, 0.9993, 400)
    values = [excess(float(x)) for x in grid]
    roots = {
        brentq(excess, grid[k], grid[k + 1], xtol=1e-14)
        for k in range(len(grid) - 1)
        if values[k] * values[k + 1] < 0
    }
    yield same(roots, gold.at())


@check("series.016", route="linear equations for the coefficients")
def _(gold: Gold) -> Iterator[Comparison]:
    taylor = [1 / mp.factorial(k) for k in range(5)]
    # q = 1 + q1 x + q2 x**2 must remove the terms x**3 and x**4 of q exp(x)
    matrix = mp.matrix([[taylor[2], taylor[1]], [taylor[3], taylor[2]]])
    q1, q2 = mp.lu_solve(matrix, mp.matrix([-taylor[3], -taylor[4]]))
    top = [taylor[0], taylor[1] + q1, taylor[2] + q1 * taylor[1] + q2]
    for x in (0.5, -2, 3):
        yield same((top[0] + top[1] * x + top[2] * x**2) / (1 + q1 * x + q2 * x**2), gold.at(x=x))


@check("series.017", route="quadrature of Borel's integral")
def _(gold: Gold) -> Iterator[Comparison]:
    for x in (0.25, 1, 4):
        integral = mp.quad(lambda t, x=x: mp.exp(-t) / (1 + x * t), [0, 1, 4, 12, 35, 75])
        yield same(integral, gold.at(x=x))


@check("series.018", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x in (0, 1, 2.5, -4):
        yield same(mp.fsum(mp.cos(n * x) / mp.mpf(2) ** n for n in range(110)), gold.at(x=x))


@check("series.020", route="partial sums, averaged repeatedly")
def _(gold: Gold) -> Iterator[Comparison]:
    total = harmonic = mp.mpf(0)
    sums = []
    for n in range(1, 121):
        harmonic += mp.mpf(1) / n
        total += (-1) ** (n + 1) * harmonic / n
        sums.append(total)
    sums = sums[60:]
    while len(sums) > 1:  # Euler's transformation of an alternating series
        sums = [(a + b) / 2 for a, b in pairwise(sums)]
    yield same(sums[0], gold.at(), rtol=1e-18)
