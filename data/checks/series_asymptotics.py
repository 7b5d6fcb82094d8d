"""Checks of data/series.jsonl: asymptotic expansions and slow sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp

from . import Comparison, Gold, check, same


@check("series.002", route="root finding at large n with the remainder's order")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 2.25):
        remainders = []
        for n in (200, 400):
            q = n * mp.pi
            # the root of x tan x = a next to q, written without the poles of the tangent
            root = mp.findroot(lambda x, a=a: x * mp.sin(x) - a * mp.cos(x), (q, q + a / q))
            expansion = gold.at(q=q, a=a)
            yield same(root, expansion, rtol=1e-18)
            remainders.append(root - expansion)
        yield same(remainders[0] / remainders[1], 2**7, rtol=1e-2)


@check("series.006", route="exact coefficients by recursion, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    # (1 - x)**2 y' = y for the generating function gives a three-term recursion
    sizes = [200 * 4**k for k in range(5)]
    before, now, ratios = mp.mpf(1), mp.mpf(1), []
    for n in range(1, sizes[-1]):
        before, now = now, ((2 * n + 1) * now - (n - 1) * before) / (n + 1)
        if n + 1 in sizes:
            ratios.append(now / gold.at(n=n + 1))
    for order in range(1, len(ratios)):
        ratios = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(ratios)]
    yield same(ratios[0], 1, rtol=1e-7)


@check("series.007", route="quadrature at large x with the remainder's order")
def _(gold: Gold) -> Iterator[Comparison]:
    remainders = []
    for x in (10**6, 4 * 10**6):
        # t = (u/sqrt x)**2
        scale = mp.sqrt(x)
        integral = mp.quad(
            lambda u, s=scale, x=x: 2 * u * mp.exp(-(u**2)) * mp.log1p(u / s) / x, mp.linspace(0, 9, 7)
        )
        yield same(integral, gold.at(x=x), rtol=1e-8)
        remainders.append(integral - gold.at(x=x))
    yield same(remainders[0] / remainders[1], 4**3, rtol=5e-3)


@check("series.012", route="direct summation with the remainder's order")
def _(gold: Gold) -> Iterator[Comparison]:
    remainders, total = [], mp.mpf(0)
    for n in range(1, 4001):
        total += mp.sqrt(n)
        if n in (1000, 4000):
            yield same(total, gold.at(n=n), rtol=1e-14)
            remainders.append(total - gold.at(n=n))
    yield same(remainders[0] / remainders[1], 4**2.5, rtol=1e-2)


@check("series.013", route="quadrature at large n with the remainder's order")
def _(gold: Gold) -> Iterator[Comparison]:
    remainders = []
    for n in (10_000, 40_000):
        root = mp.sqrt(n)
        integral = mp.quad(lambda u, n=n, r=root: mp.cos(u / r) ** n / r, mp.linspace(0, 12, 7))
        yield same(integral, gold.at(n=n), rtol=1e-8)
        remainders.append(integral - gold.at(n=n))
    yield same(remainders[0] / remainders[1], 4**2.5, rtol=1e-2)


@check("series.019", route="Euler-Maclaurin summation from two different starting points")
def _(gold: Gold) -> Iterator[Comparison]:
    def term(n: Any) -> Any:
        return 1 / (n * mp.log(n) ** 2)

    def total(cut: int) -> Any:
        """Terms below the cut, the integral 1/log(cut) beyond it, and the corrections at the cut."""
        corrections = sum(
            -mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.diff(term, mp.mpf(cut), 2 * j - 1)
            for j in range(1, 7)
        )
        return (
            mp.fsum(term(mp.mpf(n)) for n in range(2, cut))
            + 1 / mp.log(cut)
            + term(mp.mpf(cut)) / 2
            + corrections
        )

    yield same(total(30), total(55), rtol=1e-16)
    yield same(total(55), gold.at(), rtol=1e-14)
