"""Checks of data/numerical-methods.jsonl: methods for ordinary and partial differential equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("num.002", route="moduli of the characteristic roots and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def largest(z: Any) -> float:
        z = float(z)
        return float(np.max(np.abs(np.roots([1, -1 - 23 * z / 12, 16 * z / 12, -5 * z / 12]))))

    def decays(z: Any) -> bool:
        return largest(z) < 1

    left = edge(decays, inside=-0.25, outside=-2)
    right = edge(decays, inside=-0.25, outside=0.5)
    start, end, *opened = gold.ends()
    yield same((left, right), (start, end), rtol=1e-8, atol=1e-8)
    scan = [(z, start < z < end) for z in np.linspace(-3.003, 3.003, 400)]
    yield same([decays(z) for z, _ in scan], [bool(inside) for _, inside in scan])
    # at both ends a root of modulus 1 keeps the solution from decaying
    yield same([largest(z) > 1 - 1e-12 for z in (start, end)], opened)


def _stages(z: Any, g: Any) -> Any:
    """One step of y' = lambda y from y = 1 with the two-stage method."""
    k = mp.lu_solve(mp.matrix([[1 - z * g, 0], [-z * (1 - 2 * g), 1 - z * g]]), mp.matrix([z, z]))
    return 1 + (k[0] + k[1]) / 2


@check("num.007.a", route="stage equations solved numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for z, g in [(-0.5, 0.25), (1.5 + 2j, 0.3125), (-4 + 1j, 2), (3j, -0.5), (2, 0)]:
        yield same(_stages(mp.mpc(z), mp.mpf(g)), gold.at(z=z, g=g), rtol=1e-15)


@check("num.007.b", route="stiff limit of the stage equations and a scan of the imaginary axis")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(50):
        far = mp.mpf(-(10**15))
        scan = [mp.mpf(k) / 64 + mp.mpf("0.003") for k in range(-256, 257)]
        values = [_stages(far, g) for g in scan]
        # R(-oo) changes sign through 0, or through the pole g = 0 of its limit, where the method is explicit
        found = [
            mp.findroot(lambda g: _stages(far, g), (scan[k], scan[k + 1]), solver="anderson")
            for k in range(len(scan) - 1)
            if values[k] * values[k + 1] < 0 and abs(values[k]) < 10
        ]
        stable = set()
        for g in found:
            bounded = all(abs(_stages(mp.mpc(0, mp.mpf(2) ** k), g)) <= 1 for k in range(-6, 20))
            if bounded and g > 0:  # the pole 1/g lies in the right half plane
                stable.add(g)
        yield same(stable, gold.at(), rtol=1e-12)


@check("num.008", route="exact decay of a Fourier mode, extrapolated to long waves")
def _(gold: Gold) -> Iterator[Comparison]:
    for r in (0.25, 1, 3.5):

        def weight(phase: Any, r: float = r) -> Any:
            """theta for which a mode of this phase per cell decays exactly."""
            second, decay = 2 * mp.cos(phase) - 2, mp.exp(-r * phase**2)
            # decay - 1 = r second (theta decay + 1 - theta), linear in theta
            return ((decay - 1) / (r * second) - 1) / (decay - 1)

        with mp.workdps(60):
            coarse, fine = weight(mp.mpf("1e-6")), weight(mp.mpf("5e-7"))
            yield same((4 * fine - coarse) / 3, gold.at(r=r), rtol=1e-15)


@check("num.009", route="Taylor coefficients of one step compared with those of exact solutions")
def _(gold: Gold) -> Iterator[Comparison]:
    fields: list[tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]] = [
        (lambda t, y: y**2, lambda t: 1 / (1 - t)),
        (lambda t, y: mp.cos(t) * y, lambda t: mp.exp(mp.sin(t))),
        (lambda t, y: mp.exp(t) - mp.exp(2 * t) + y**2, lambda t: mp.exp(t)),
        (lambda t, y: t + y, lambda t: 2 * mp.exp(t) - t - 1),
    ]
    for u, v in [(0.5, 1), (0.25, 0.75), (1, -0.5)]:
        c = gold.at(u=u, v=v)
        yield same(sorted(c), ["a31", "a32", "b1", "b2", "b3"])
        yield same(c["a31"] + c["a32"], v, rtol=1e-15)
        for field, solution in fields:

            def step(h: Any, field: Any = field, u: float = u, v: float = v, c: Any = c) -> Any:
                k1 = field(mp.mpf(0), mp.mpf(1))
                k2 = field(u * h, 1 + u * h * k1)
                k3 = field(v * h, 1 + h * (c["a31"] * k1 + c["a32"] * k2))
                return 1 + h * (c["b1"] * k1 + c["b2"] * k2 + c["b3"] * k3)

            yield same(mp.taylor(solution, 0, 3), mp.taylor(step, 0, 3), rtol=1e-12, atol=1e-12)


@check("num.012", route="run of the recursion")
def _(gold: Gold) -> Iterator[Comparison]:
    for h, w in [(1, 0.5), (0.25, -2), (1.75, 1.25)]:
        rate = mp.mpf(h) ** 2
        x = [mp.mpf(1), 1 - rate / 2 + mp.mpf(h) * w]  # x_1 + x_{-1} = 2 - h^2 and x_1 - x_{-1} = 2 h w
        for _ in range(12):
            x.append(2 * x[-1] - x[-2] - rate * x[-1])
        for n in (0, 1, 2, 5, 13):
            yield same(x[n], gold.at(n=n, h=h, w=w), rtol=1e-15)


@check("num.016", route="growth factor located by bisection along rays")
def _(gold: Gold) -> Iterator[Comparison]:
    def decays(z: Any) -> bool:
        """|y_1| < |y_0| where y_1 solves y_1 = 1 + (3z + z y_1)/4."""
        return bool(abs((1 + 3 * z / 4) / (1 - z / 4)) < 1)

    for angle in (0.6, 0.8, 1, 1.125, 1.375):
        ray = mp.expjpi(angle)

        def damped(length: Any, ray: Any = ray) -> bool:
            return decays(length * ray)

        point = edge(damped, inside=0.001, outside=9) * ray
        yield same(gold.at(x=point.real, y=point.imag), 0, atol=1e-7)
    for angle in (0.1, 0.25, -0.3):
        assert not any(decays(mp.expjpi(angle) * 2**k) for k in range(-9, 9)), "decays on the right"


METHODS: dict[str, tuple[list[float], list[float]]] = {
    "A": ([-1, 0, 1], [0, 2, 0]),
    "B": ([-5, 4, 1], [2, 4, 0]),
    "C": ([1 / 3, -4 / 3, 1], [0, 0, 2 / 3]),
    "D": ([0, -1, 1], [-1, 2, 0]),
    "E": ([1, -2, 1], [0, -1, 1]),
    "F": ([-1 / 2, -1 / 2, 1], [0, 1, 0]),
    "G": ([-1 / 2, -1 / 2, 1], [3 / 2, 0, 0]),
    "H": ([-1, 1, -1, 1], [1, 0, 1, 0]),
}
"""Coefficients of y_n, y_{n+1}, ... on the left and of h f_n, h f_{n+1}, ... on the right."""


@check("num.017", route="runs on a test equation with disturbed starting values and shrinking step")
def _(gold: Gold) -> Iterator[Comparison]:
    def error(left: list[float], right: list[float], count: int) -> float:
        """Error at t = 1 for y' = t - y, y(0) = 1, with starting values that are off by about h."""
        h, order = 1 / count, len(left) - 1

        def exact(t: float) -> float:
            return t - 1 + 2 * float(np.exp(-t))

        y = [exact(k * h) + h * (-1) ** k for k in range(order)]
        for n in range(count + 1 - order):
            known = (
                sum(right[k] * ((n + k) * h - y[n + k]) for k in range(order)) + right[-1] * (n + order) * h
            )
            total = h * known - sum(left[k] * y[n + k] for k in range(order))
            y.append(total / (left[-1] + h * right[-1]))
        return abs(y[count] - exact(1))

    convergent = []
    for name, (left, right) in METHODS.items():
        errors = [error(left, right, count) for count in (50, 100, 200, 400)]
        if all(fine < 0.7 * coarse for coarse, fine in pairwise(errors)):
            convergent.append(name)
        else:
            assert errors[-1] > 0.02, f"undecided: {name}"
    yield same("".join(convergent), gold.at())
