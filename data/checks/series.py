"""Checks of data/series.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp

from . import Comparison, Gold, check, same


@check("series.001", route="trapezoidal rule on a circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 256
    points = [mp.sqrt(3) * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]

    def coefficient(n: int) -> Any:
        return mp.fsum(z ** (1 - n) / ((z - 1) * (z - 3) ** 2) for z in points) / nodes

    yield same([coefficient(n) for n in range(-2, 3)], gold.at())


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
