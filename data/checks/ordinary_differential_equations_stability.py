"""Checks of data/ordinary-differential-equations.jsonl: equilibria, stability and limit cycles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("ode.005", route="eigenvalues of numerically differentiated right-hand sides")
def _(gold: Gold) -> Iterator[Comparison]:
    right_sides = [lambda x, y: x * (3 - x - 2 * y), lambda x, y: y * (2 - x - y)]
    kinds = []
    for place in [(0, 0), (3, 0), (0, 2), (1, 1)]:
        jacobian = [[mp.diff(f, place, order) for order in [(1, 0), (0, 1)]] for f in right_sides]
        kinds.append(_kind(mp.eig(mp.matrix(jacobian), left=False, right=False)))
    yield same(kinds, gold.at())


def _kind(values: list[Any]) -> str:
    growth = [mp.re(value) for value in values]
    if abs(mp.im(values[0])) > 1e-12:
        name = "centre" if abs(growth[0]) < 1e-12 else "focus"
    else:
        name = "saddle" if growth[0] * growth[1] < 0 else "node"
    if name in ("centre", "saddle"):
        return name
    return ("stable " if growth[0] < 0 else "unstable ") + name


@check("ode.010", route="limit cycles integrated numerically, extrapolated to zero damping")
def _(gold: Gold) -> Iterator[Comparison]:
    def amplitude(eps: float) -> float:
        path = solve_ivp(
            lambda _, state: [state[1], -state[0] - eps * (state[0] ** 4 - 1) * state[1]],
            (0, 14 / eps),
            [1.5, 0],
            method="DOP853",
            rtol=1e-11,
            atol=1e-12,
            events=lambda _, state: state[1],
        )
        return float(abs(path.y_events[0][-1][0]))

    coarse, middle, fine = (amplitude(0.4 / 2**k) for k in range(3))
    first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    yield same((16 * first[1] - first[0]) / 15, gold.at(), rtol=1e-5)


@check("ode.016", route="numerical characteristic roots and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def decays(a: Any) -> bool:
        return bool(max(np.roots([1, float(a), 3 - float(a)]).real) < -1e-13)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(decays, inside=1, outside=-4), start, atol=1e-7)
    yield same(edge(decays, inside=1, outside=8), end, rtol=1e-7)
    yield same((not decays(start), not decays(end)), (start_open, end_open))
