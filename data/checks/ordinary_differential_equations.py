"""Checks of data/ordinary-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

from . import Comparison, Gold, check, same
from .framework.ritz import Trial, lowest_eigenvalues


@check("ode.001", route="numerical integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(x: Any, state: list[Any]) -> list[Any]:
        y, slope = state
        return [slope, (3 * x * slope - 4 * y) / x**2 + mp.log(x)]

    with mp.workdps(18):
        solution = mp.odefun(flow, 1, [1, 0])
        for x in (1.5, 2, 3):
            yield same(solution(x)[0], gold.at(x=x))


@check("ode.002", route="numerical integration of the differential equation")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(x: Any, state: list[Any]) -> list[Any]:
        y = state[0]
        return [-(3 * x * y + y**2) / (x**2 + x * y)]

    with mp.workdps(18):
        solution = mp.odefun(flow, 1, [2])
        for x in (1, 1.25, 2, 3):
            y = solution(x)[0]
            yield same(gold.at(x=x, y=y), 0, atol=1e-9)
            yield same(abs(gold.at(x=x, y=y * 1.01)) > 1e-3, True)


@check("ode.003", route="Taylor-series integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(18):
        solution = mp.odefun(lambda x, state: [x - state[0] ** 2], 0, [0])
        for x in (0.25, 1, 2.5, 6):
            yield same(solution(x)[0], gold.at(x=x))


@check("ode.006", route="numerical integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(18):
        solution = mp.odefun(lambda x, state: [-(x**2) * state[0] ** 3 - state[0] / x], 1, [mp.mpf(1) / 2])
        for x in (1, 1.5, 2.5, 4):
            yield same(solution(x)[0], gold.at(x=x))


@check("ode.007", route="Rayleigh-Ritz with polynomials")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 0, 0, degree=12)
    yield same(lowest_eigenvalues(trial, weight=lambda x: 1 + x)[0], gold.at(), rtol=1e-10)


@check("ode.008", route="integrals against loads compared with numerically solved problems")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(18):
        for k, load in [(1, lambda s: 1 + s**2), (2.5, lambda s: mp.cos(3 * s))]:

            def flow(x: Any, state: list[Any], k: float = k, load: Any = load) -> list[Any]:
                return [state[1], k**2 * state[0] - load(x), state[3], k**2 * state[2]]

            # a particular solution and a homogeneous one, joined to meet y'(1) = 0
            shots = mp.odefun(flow, 0, [0, 0, 0, 1])
            factor = -shots(1)[1] / shots(1)[3]
            for x in (0.25, 0.625):
                # Green's function of a self-adjoint problem is symmetric
                below = mp.quad(lambda s, x=x, k=k, f=load: gold.at(x=s, s=x, k=k) * f(s), [0, x])
                above = mp.quad(lambda s, x=x, k=k, f=load: gold.at(x=x, s=s, k=k) * f(s), [x, 1])
                yield same(shots(x)[0] + factor * shots(x)[2], below + above)


@check("ode.009", route="numerical integration of the motion through a quarter period")
def _(gold: Gold) -> Iterator[Comparison]:
    for amplitude in (1, 2.5):
        path = solve_ivp(
            lambda _, state: [state[1], -(state[0] ** 3)],
            (0, 10),
            [amplitude, 0],
            method="DOP853",
            rtol=1e-13,
            atol=1e-14,
            events=lambda _, state: state[0],
        )
        yield same(4 * path.t_events[0][0], gold.at(A=amplitude), rtol=1e-9)


@check("ode.011", route="integration round a complex circle and discrete Fourier transform")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, radius = 20, mp.mpf(1) / 2
    with mp.workdps(15):
        values = []
        for k in range(nodes):
            turn = radius * mp.expjpi(mp.mpf(2 * k) / nodes)

            def flow(s: Any, state: list[Any], turn: Any = turn) -> list[Any]:
                return [turn * state[1], turn * (1 + (s * turn) ** 2) * state[0]]

            values.append(mp.odefun(flow, 0, [mp.mpc(1), mp.mpc(1)])(1)[0])
        coefficients = [
            mp.re(mp.fsum(v * mp.expjpi(mp.mpf(-2 * n * k) / nodes) for k, v in enumerate(values)))
            / (nodes * radius**n)
            for n in range(7)
        ]
        yield same(coefficients, gold.at())


@check("ode.012", route="logarithmic slopes of solutions integrated towards 0")
def _(gold: Gold) -> Iterator[Comparison]:
    # with s = log x the equation reads 2 y'' + y' - (exp(2 s) + 1) y = 0
    def flow(s: float, state: Any) -> list[Any]:
        y, slope, z, other = state
        factor = np.exp(2 * s) + 1
        return [slope, (factor * y - slope) / 2, other, (factor * z - other) / 2]

    end = solve_ivp(flow, (0, -14), [1, 0, 0, 1], method="DOP853", rtol=1e-12, atol=1e-30).y[:, -1]
    steep = end[1] / end[0]
    # the Wronskian goes as x**(sum of the exponents) in s, which gives the other one
    early = solve_ivp(flow, (0, -13), [1, 0, 0, 1], method="DOP853", rtol=1e-12, atol=1e-30).y[:, -1]
    wronskians = [abs(y[0] * y[3] - y[1] * y[2]) for y in (end, early)]
    total = np.log(wronskians[1] / wronskians[0])
    yield same({steep, total - steep}, gold.at(), rtol=1e-6)


def _solve(flow: Any, start: Sequence[float], times: tuple[float, float]) -> Any:
    """A trajectory as a function of time."""
    return solve_ivp(flow, times, start, method="DOP853", rtol=1e-12, atol=1e-14, dense_output=True).sol


@check("ode.013", route="numerical integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(x: float, state: Any) -> list[float]:
        return [state[1], (state[0] - x * state[1]) / (1 - x)]

    right, left = _solve(flow, [2, -1], (0, 0.75)), _solve(flow, [2, -1], (0, -2))
    for x, path in [(0.5, right), (0.75, right), (-1, left), (-2, left)]:
        yield same(float(path(x)[0]), gold.at(x=x))


@check("ode.014", route="numerical integration of both columns")
def _(gold: Gold) -> Iterator[Comparison]:
    columns = [_solve(lambda t, x: [x[0] + 2 * t * x[1], x[1]], start, (0, 2)) for start in ([1, 0], [0, 1])]
    for t in (0.5, 1.25, 2):
        yield same(
            [[float(column(t)[row]) for column in columns] for row in (0, 1)], gold.at(t=t), atol=1e-12
        )


@check("ode.015", route="numerical integration perpendicular to the hyperbolas")
def _(gold: Gold) -> Iterator[Comparison]:
    # through (x, y) runs x y = c with slope -y/x; the path follows the normal
    path = _solve(lambda _, p: [p[1], p[0]], [2, 1], (0, 2))
    for s in (0, 0.5, 1, 2):
        x, y = (float(v) for v in path(s))
        yield same(gold.at(x=x, y=y), 0, atol=1e-8)
        yield same(abs(gold.at(x=x * 1.01, y=y * 1.01)) > 1e-3, True)


@check("ode.017", route="numerical integration, and the time to blow up by inversion")
def _(gold: Gold) -> Iterator[Comparison]:
    path = _solve(lambda x, y: (x + y) ** 2, [0], (0, 1.25))
    for x in (0.5, 1, 1.25):
        yield same(float(path(x)[0]), gold[0].at(x=x))
    # x as a function of w = 1/y runs into w = 0
    start = float(path(1.25)[0])
    end = solve_ivp(
        lambda w, x: [-1 / (1 + x[0] * w) ** 2],
        (1 / start, 0),
        [1.25],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
    )
    yield same((gold[0].at(x=1), float(end.y[0, -1])), gold.at(x=1), rtol=1e-9)


@check("ode.018", route="trajectories from a circle round the origin")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(_: float, p: Any) -> list[float]:
        x, y = p
        return [y - x**3, -x - y**3 + x**2 * y / 2]

    shrunk = []
    for angle in np.linspace(0, 2 * np.pi, 4, endpoint=False):
        start = [0.1 * np.cos(angle), 0.1 * np.sin(angle)]
        shrunk.append(np.hypot(*_solve(flow, start, (0, 100))(100)) < 0.075)
    yield same(bool(all(shrunk)), gold.at())


@check("ode.020", route="numerical integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    def flow(x: float, state: Any) -> list[float]:
        return [state[1], 8 * np.cos(2 * x) - 4 * state[0]]

    right, left = _solve(flow, [1, 2], (0, 3)), _solve(flow, [1, 2], (0, -1))
    for x, path in [(1, right), (3, right), (-0.5, left)]:
        yield same(float(path(x)[0]), gold.at(x=x))
