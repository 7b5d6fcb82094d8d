"""Checks of data/partial-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.linalg import expm
from scipy.optimize import minimize_scalar

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("pde.001", route="spectral collocation in x with an exponential integrator")
def _(gold: Gold) -> Iterator[Comparison]:
    size = 28
    nodes, second = _chebyshev(size)
    x = (nodes + 1) * np.pi / 2
    inner = second[1:-1, 1:-1] * (2 / np.pi) ** 2
    forcing = np.sin(2 * x[1:-1])
    # u' = A u + w forcing, w' = -w: one linear system, whose exponential is the exact flow in time
    matrix = np.zeros((size, size))
    matrix[:-1, :-1], matrix[:-1, -1], matrix[-1, -1] = inner, forcing, -1
    start = np.append(np.sin(x[1:-1]), 1.0)
    for t in (0.125, 0.5, 2):
        values = (expm(t * matrix) @ start)[:-1]
        for k in (3, 9, 17, 23):
            yield same(values[k], gold.at(x=x[1:-1][k], t=t), rtol=1e-8)


def _chebyshev(size: int) -> tuple[Any, Any]:
    """Chebyshev nodes on [-1, 1] and the matrix of the second derivative there."""
    k = np.arange(size + 1)
    nodes = np.cos(np.pi * k / size)
    weights = np.where((k == 0) | (k == size), 2.0, 1.0) * (-1.0) ** k
    gaps = nodes[:, None] - nodes[None, :] + np.eye(size + 1)
    first = np.outer(weights, 1 / weights) / gaps
    first -= np.diag(first.sum(axis=1))
    return nodes, first @ first


@check("pde.002", route="numerical minimisation along the characteristics")
def _(gold: Gold) -> Iterator[Comparison]:
    def steepness(start: Any) -> Any:
        """Slope of the speed 1 + exp(-x**2) where a characteristic starts."""
        return mp.diff(lambda x: 1 + mp.exp(-(x**2)), start)

    guess = minimize_scalar(lambda x: float(steepness(x)), bounds=(0, 3), method="bounded").x
    start = mp.findroot(lambda x: mp.diff(lambda y: mp.exp(-(y**2)), x, 2), guess)
    time = -1 / steepness(start)
    yield same((time, start + (1 + mp.exp(-(start**2))) * time), gold.at())


@check("pde.003", route="eigenvalues of the principal part and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def elliptic(y: Any) -> bool:
        values = mp.eigsy(mp.matrix([[1, y], [y, 3 * y - 2]]), eigvals_only=True)
        return bool(values[0] * values[1] > mp.mpf(10) ** -25)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(elliptic, inside=1.5, outside=-4), start, rtol=1e-8)
    yield same(edge(elliptic, inside=1.5, outside=9), end, rtol=1e-8)
    yield same((not elliptic(start), not elliptic(end)), (start_open, end_open))
    yield same([y / 8 for y in range(-80, 81) if elliptic(mp.mpf(y) / 8)], [y / 8 for y in range(9, 16)])


@check("pde.004", route="quadrature of Duhamel's integral and residual of the equation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, t, d, q in [(1, 1, 1, 1), (0.5, 2, 0.75, 3), (2, 0.5, 1.5, 0.25)]:
        # The kernel of a unit flux through the end, with tau = s**2 to remove its root
        integral = mp.quad(
            lambda s, x=x, d=d: 2 * mp.exp(-(mp.mpf(x) ** 2) / (4 * d * s**2)) if s else mp.mpf(0),
            mp.linspace(0, mp.sqrt(t), 9),
        )
        yield same(q * mp.sqrt(d / mp.pi) * integral, gold.at(x=x, t=t, D=d, q=q))

        def field(a: Any, b: Any, d: float = d, q: float = q) -> Any:
            return gold.at(x=a, t=b, D=d, q=q)

        yield same(mp.diff(field, (x, t), (0, 1)), d * mp.diff(field, (x, t), (2, 0)))
        yield same(-mp.diff(lambda a, t=t, f=field: f(a, t), mp.mpf(10) ** -9), q, rtol=1e-8)
        yield same(field(x, mp.mpf(10) ** -4), 0, atol=1e-12)
