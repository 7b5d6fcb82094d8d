"""Checks of data/laplace-transforms.jsonl: circuits, feedback and delays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("laplace.004", route="numerical integration of the system with a jump")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(_: Any, state: list[Any]) -> list[Any]:
        return [state[1], -2 * state[0] - 3 * state[1]]

    with mp.workdps(18):
        x, y = mp.odefun(flow, 0, [1, 0])(1)
        after = mp.odefun(flow, 1, [x, y + 3])
        for t in (1.125, 2, 4):
            x, y = after(t)
            yield same({"x": x, "y": y}, gold.at(t=t))


@check("laplace.007", route="method of steps by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for the cubic polynomials that occur

    def y(t: float) -> float:
        if t <= 0:
            return 1.0
        start = max(0.0, np.ceil(t) - 1)
        times = start + (nodes + 1) * (t - start) / 2
        history = sum(w * y(float(time) - 1) for time, w in zip(times, weights, strict=True))
        return y(start) - history * (t - start) / 2

    for t in (2, 2.25, 2.625, 3):
        yield same(y(t), gold.at(t=t), rtol=1e-12, atol=1e-13)


@check("laplace.011", route="numerical solution of the linear equations")
def _(gold: Gold) -> Iterator[Comparison]:
    a = mp.matrix([[0, 1, 0], [0, 0, 1], [0, -2, -3]])
    for s in (0.5, 1, 4):
        columns = [mp.lu_solve(s * mp.eye(3) - a, mp.eye(3)[:, k]) for k in range(3)]
        yield same([[column[row] for column in columns] for row in range(3)], gold.at(s=s), atol=1e-20)


@check("laplace.013", route="numerical integration in two stages")
def _(gold: Gold) -> Iterator[Comparison]:
    def stage(start: list[float], times: tuple[float, float], voltage: float) -> Any:
        """Current and charge."""
        return solve_ivp(
            lambda _, state: [voltage - 2 * state[0] - 5 * state[1], state[0]],
            times,
            start,
            method="DOP853",
            rtol=1e-12,
            atol=1e-14,
            dense_output=True,
        )

    switched = stage([0, 0], (0, 1), 1).y[:, -1]
    after = stage(list(switched), (1, 4), 0)
    for t in (1.25, 2, 3.5):
        yield same(float(after.sol(t)[0]), gold.at(t=t), rtol=1e-8)


@check("laplace.017", route="numerical poles and bisection in the gain")
def _(gold: Gold) -> Iterator[Comparison]:
    def stable(gain: Any) -> bool:
        return bool(max(np.roots([1, 6, 11, 6 + float(gain)]).real) < 0)

    upper = edge(stable, inside=0, outside=500)
    frequency = max(np.roots([1, 6, 11, 6 + float(upper)]).imag)
    yield same((edge(stable, inside=0, outside=-50), upper, frequency), gold.at(), rtol=1e-7)


@check("laplace.018", route="sign changes of the Bromwich inversion")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):

        def signal(t: Any) -> Any:
            return mp.invertlaplace(lambda s: (s + 4) / (s**2 + 4 * s + 8), t, method="talbot")

        grid = [mp.mpf(k) / 10 for k in range(1, 40)]
        values = [signal(t) for t in grid]
        zeros = {
            mp.findroot(signal, (grid[k], grid[k + 1]), solver="anderson")
            for k in range(len(grid) - 1)
            if values[k] * values[k + 1] < 0
        }
        yield same(zeros, gold.at(), rtol=1e-7)


@check("laplace.019", route="eigenvalues of the discretised delay operator")
def _(gold: Gold) -> Iterator[Comparison]:
    # d/dt on histories over [-1, 0] at Chebyshev nodes; at the present the equation itself holds
    size = 30
    k = np.arange(size + 1)
    x = np.cos(np.pi * k / size)
    weights = np.where((k == 0) | (k == size), 2.0, 1.0) * (-1.0) ** k
    slope = np.outer(weights, 1 / weights) / (x[:, None] - x[None, :] + np.eye(size + 1))
    slope -= np.diag(slope.sum(axis=1))
    generator = 2 * slope
    generator[0] = 0
    generator[0, -1] = -np.pi / 4
    yield same(float(max(np.linalg.eigvals(generator).real)), gold.at(), rtol=1e-9)
