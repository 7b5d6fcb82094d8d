"""Checks of data/ordinary-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp

from . import Comparison, Gold, check, same


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
        for a in (2, -1.5):
            for x in (0.75, 2):
                outer = limit([solution(mp.mpf(x), eps, a) for eps in sizes])
                yield same(outer, gold.at(x=x, epsilon=tiny, a=a), rtol=1e-7)
            for scaled in (0.25, 1):
                inner = limit([solution(scaled * eps, eps, a) for eps in sizes])
                yield same(inner, gold.at(x=scaled * tiny, epsilon=tiny, a=a), rtol=1e-7)
