"""Checks of data/ordinary-differential-equations.jsonl: boundary and interior layers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("ode.004", route="exact solution by quadrature, extrapolated to epsilon = 0 at fixed x and at fixed X")
def _(gold: Gold) -> Iterator[Comparison]:
    # The equation is the derivative of eps y' + (2 + cos x) y = const, a first-order linear one.
    def response(x: Any, eps: Any) -> Any:
        """(1/eps) times the integral of exp(-(S(x) - S(s))/eps) over 0 < s < x, with S = 2x + sin x."""
        end = min(x / eps, mp.mpf(40))

        def kernel(z: Any) -> Any:
            return mp.exp(-(2 * z + (mp.sin(x) - mp.sin(x - eps * z)) / eps))

        return mp.quad(kernel, mp.linspace(0, end, 9))

    def solution(x: Any, eps: Any, a: Any) -> Any:
        constant = (1 - a * mp.exp(-2 * mp.pi / eps)) / response(mp.pi, eps)
        return a * mp.exp(-(2 * x + mp.sin(x)) / eps) + constant * response(x, eps)

    def limit(values: list[Any]) -> Any:
        """Richardson's extrapolation of values at eps, eps/2, eps/4, ..."""
        for order in range(1, len(values)):
            factor = 2**order
            values = [(factor * b - c) / (factor - 1) for c, b in pairwise(values)]
        return values[0]

    tiny = mp.mpf(10) ** -25
    with mp.workdps(20):
        sizes = [mp.mpf("0.02") / 2**k for k in range(5)]
        cases: list[tuple[float, list[float], list[float]]] = [(2, [0.75], [1]), (-1.5, [2], [0.25])]
        for a, places, scaled_places in cases:
            for x in places:
                outer = limit([solution(mp.mpf(x), eps, a) for eps in sizes])
                yield same(outer, gold.at(x=x, epsilon=tiny, a=a), rtol=1e-7)
            for scaled in scaled_places:
                inner = limit([solution(scaled * eps, eps, a) for eps in sizes])
                yield same(inner, gold.at(x=scaled * tiny, epsilon=tiny, a=a), rtol=1e-7)


@check(
    "ode.019",
    route="numerical boundary value problems, extrapolated to epsilon = 0 at fixed layer coordinate",
)
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, first, second = _chebyshev(60)

    def solution(eps: float) -> Any:
        """Collocation on 9 pieces joined smoothly, in the layer coordinate; values by interpolation."""
        reach = 1 / np.sqrt(eps)
        ends = np.array([-reach, -12, -5, -2, 0, 2, 5, 12, reach])
        count, size = len(ends) - 1, len(nodes)
        matrix, right = np.zeros((count * size, count * size)), np.zeros(count * size)
        for piece in range(count):
            half = (ends[piece + 1] - ends[piece]) / 2
            z = ends[piece] + (nodes + 1) * half
            rows = slice(piece * size, (piece + 1) * size)
            block = second / half**2 + z[:, None] * first / half - np.diag(np.sqrt(eps) * z)
            block[[0, -1]] = 0
            matrix[rows, rows] = block
        for piece in range(count - 1):  # value and slope agree where pieces meet (nodes run upwards)
            last, following = (piece + 1) * size - 1, (piece + 1) * size
            halves = [(ends[k + 1] - ends[k]) / 2 for k in (piece, piece + 1)]
            matrix[last, [last, following]] = 1, -1
            matrix[following, piece * size : following] = first[-1] / halves[0]
            matrix[following, following : following + size] = -first[0] / halves[1]
        matrix[0, 0] = matrix[-1, -1] = 1
        right[0], right[-1] = 1, 2
        values = np.linalg.solve(matrix, right)
        return {float(ends[k]): float(values[k * size]) for k in (2, 3, 4, 5)}

    sizes = [1e-3 / 4**k for k in range(5)]
    solutions = [solution(eps) for eps in sizes]
    tiny = mp.mpf(10) ** -25
    for z in (-5.0, -2.0, 0.0, 2.0):
        values = [found[z] for found in solutions]
        for order in range(1, 5):  # powers of the square root of epsilon
            values = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(values)]
        yield same(values[0], gold.at(x=z * mp.sqrt(tiny), epsilon=tiny), rtol=1e-5)


def _chebyshev(size: int) -> tuple[Any, Any, Any]:
    """Chebyshev nodes on [-1, 1], upwards, with the matrices of the first and second derivative."""
    k = np.arange(size + 1)
    nodes = -np.cos(np.pi * k / size)
    weights = np.where((k == 0) | (k == size), 2.0, 1.0) * (-1.0) ** k
    first = np.outer(weights, 1 / weights) / (nodes[:, None] - nodes[None, :] + np.eye(size + 1))
    first -= np.diag(first.sum(axis=1))
    return nodes, first, first @ first
