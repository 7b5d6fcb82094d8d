"""Checks of data/probability.jsonl: walks, chains, games and Brownian motion."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy
from scipy.optimize import brentq
from scipy.special import erf, erfc

from . import Comparison, Gold, check, same


@check("prob.015", route="exact distribution of the first 300 steps")
def _(gold: Gold) -> Iterator[Comparison]:
    steps = 300
    place = np.zeros(steps + 1)
    place[0] = 1
    first = np.zeros(steps + 1)
    for n in range(1, steps + 1):
        first[n] = (place[0] + place[1]) / 2  # from 0 to -2 and from 1 to -1
        place = (np.append(0, place[:-1]) + np.append(place[2:], [0, 0])) / 2
    for s in (0.25, 0.75, 0.9375):
        yield same(gold.at(s=s, H=float(first @ s ** np.arange(steps + 1))), 0, atol=1e-8)
    factors = sympy.factor_list(gold.value.lhs - gold.value.rhs)[1]
    yield same([exponent for _, exponent in factors], [1], rtol=0)


@check("prob.016", route="growth of the partial sums for return and for the invariant measure")
def _(gold: Gold) -> Iterator[Comparison]:
    n = np.arange(1, 80001, dtype=float)

    def decay(a: float, sign: int) -> float:
        """Exponent of 1/n in the terms of the product of down/up (sign 1: return) or up/down (measure)."""
        logs = sign * np.cumsum(np.log1p(-a / (n + 1)) - np.log1p(a / (n + 1)))
        coarse, fine = ((logs[size - 1] - logs[2 * size - 1]) / np.log(2) for size in (20000, 40000))
        return float(2 * fine - coarse)

    # Return is certain if the sum of (down/up)...(down/up) diverges; the mean time is infinite if
    # the sum of (up/down)...(up/down), the invariant measure, diverges as well.
    start, end, *opened = gold.ends()
    upper = brentq(lambda a: decay(a, 1) - 1, -1.9, 1.9, xtol=1e-12)
    lower = brentq(lambda a: decay(a, -1) - 1, -1.9, 1.9, xtol=1e-12)
    yield same((lower, upper), (start, end), rtol=1e-6)
    for a, sign in ((float(end), 1), (float(start), -1)):
        # with terms like c/n at the very ends both sums still diverge: n times the term has a limit
        scaled = n * np.exp(sign * np.cumsum(np.log1p(-a / (n + 1)) - np.log1p(a / (n + 1))))
        yield same(bool(abs(scaled[-1] / scaled[len(n) // 2] - 1) < 1e-4 and scaled[-1] > 0.1), True)
    yield same([False, False], opened)


@check("prob.018", route="value iteration")
def _(gold: Gold) -> Iterator[Comparison]:
    totals = [a + b for a, b in product(range(1, 7), repeat=2)]
    value = Fraction(0)
    for _ in range(150):
        value = Fraction(sum(max(Fraction(t), value) for t in totals), 36) - Fraction(1, 2)
        value = Fraction(round(value * 10**40), 10**40)
    yield same((value, min(t for t in totals if t >= value)), gold.at(), rtol=1e-12)


@check("prob.019", route="quadrature of the probabilities to leave an interval, from the heat equation")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(48)
    odd = np.arange(1, 160, 2)[:, None]

    def both(length: float, share: Any) -> Any:
        """P(M > b, -m > a) for a = share * length, a + b = length."""
        a, b = share * length, (1 - share) * length
        waves = 4 / (odd * np.pi) * np.sin(odd * np.pi * share)
        stays = np.sum(waves * np.exp(-((odd * np.pi / length) ** 2) / 2), axis=0)
        return 1 - erf(a / np.sqrt(2)) - erf(b / np.sqrt(2)) + stays

    share, product_mean = (nodes + 1) / 2, 0.0
    for start, end in [(0, 1), (1, 3), (3, 6), (6, 12)]:
        for x, w in zip(nodes, weights, strict=True):
            length = start + (x + 1) * (end - start) / 2
            product_mean += w * (end - start) / 2 * length * float(weights @ both(length, share)) / 2
    # the maximum alone: P(M > b) = P(|B_1| > b)
    b, w = (nodes + 1) * 5, weights * 5
    mean, square = (float(w @ (factor * erfc(b / np.sqrt(2)))) for factor in (1, 2 * b))
    yield same((mean**2 - product_mean) / (square - mean**2), gold.at(), rtol=1e-9)


@check("prob.020", route="linear equations for position and visited range")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (1, 2, 5):
        states = [(a, x, b) for a in range(n + 1) for b in range(a, n + 1) for x in range(a, b + 1)]
        index = {state: row for row, state in enumerate(states)}
        matrix, right = np.eye(len(states)), np.zeros(len(states))
        for (a, x, b), row in index.items():
            if (a, b) == (0, n):
                continue
            right[row] = 1
            moves = [y for y in (x - 1, x + 1) if 0 <= y <= n]
            for y in moves:
                matrix[row, index[min(a, y), y, max(b, y)]] -= 1 / len(moves)
        times = np.linalg.solve(matrix, right)
        for k in range(n + 1):
            yield same(float(times[index[k, k, k]]), gold.at(n=n, k=k), rtol=1e-11)
