"""Checks of data/ordinary-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
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
        for a, places, scaled_places in [(2, [0.75], [1]), (-1.5, [2], [0.25])]:
            for x in places:
                outer = limit([solution(mp.mpf(x), eps, a) for eps in sizes])
                yield same(outer, gold.at(x=x, epsilon=tiny, a=a), rtol=1e-7)
            for scaled in scaled_places:
                inner = limit([solution(scaled * eps, eps, a) for eps in sizes])
                yield same(inner, gold.at(x=scaled * tiny, epsilon=tiny, a=a), rtol=1e-7)


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


@check("ode.006", route="numerical integration of the initial value problem")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(18):
        solution = mp.odefun(lambda x, state: [x**2 * state[0] ** 3 - state[0] / x], 1, [1])
        for x in (1, 1.125, 1.25, 1.375):
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
