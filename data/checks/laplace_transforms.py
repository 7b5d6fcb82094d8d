"""Checks of data/laplace-transforms.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("laplace.001", route="quadrature of the defining integral")
def _(gold: Gold) -> Iterator[Comparison]:
    for s, omega in [(1, 1), (0.75, 2), (3, 0.5)]:
        arch = mp.pi / omega
        count = int(70 / (s * arch)) + 1  # the rest is below exp(-70)
        integral = mp.fsum(
            mp.quad(
                lambda t, s=s, omega=omega: mp.exp(-s * t) * abs(mp.sin(omega * t)),
                [k * arch, (k + 1) * arch],
            )
            for k in range(count)
        )
        yield same(integral, gold.at(s=s, omega=omega))


@check("laplace.002", route="residual of the integral equation by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for t in (0, 0.25, 1, 3):
        memory = mp.quad(lambda tau, t=t: mp.cos(2 * (t - tau)) * gold.at(t=tau), [0, t]) if t else 0
        yield same(gold.at(t=t) + 5 * memory, mp.exp(-t))


@check("laplace.003", route="quadrature of the Bromwich integral along the branch cut")
def _(gold: Gold) -> Iterator[Comparison]:
    # Residue 1 of the transform's pole at s = 0; across the cut s = -k**2 the transform jumps.
    for x, t in [(1, 1), (0.5, 0.25), (2, 5), (0.125, 1.5)]:
        cut = mp.quad(
            lambda k, x=x, t=t: mp.exp(-t * k**2) * mp.im(mp.expj(-x * k) / mp.mpc(1, k)) / k,
            [0, 1, 2, 4, 8, 16, 24],
        )
        yield same(1 + 2 / mp.pi * cut, gold.at(x=x, t=t))


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


@check("laplace.005", route="quadrature of the defining integral")
def _(gold: Gold) -> Iterator[Comparison]:
    for s, a in [(1, 1), (0.5, 2), (2, 0.75)]:
        integral = mp.quad(
            lambda t, s=s, a=a: mp.exp(-s * t) * 2 * mp.sin(a * t / 2) ** 2 / t, mp.linspace(0, 75 / s, 61)
        )
        yield same(integral, gold.at(s=s, a=a))


@check("laplace.006", route="summation over the steps of exact partial integrals")
def _(gold: Gold) -> Iterator[Comparison]:
    for s, a in [(1, 1), (0.5, 2.5), (3, 0.75)]:
        steps = (n * (mp.exp(-s * n * a) - mp.exp(-s * (n + 1) * a)) / s for n in range(1, 100))
        yield same(mp.fsum(steps), gold.at(s=s, a=a))


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


@check("laplace.008", route="quadrature of the defining integral")
def _(gold: Gold) -> Iterator[Comparison]:
    for s, a in [(1, 1), (0.5, 2), (3, 0.25)]:
        integral = mp.quad(
            lambda u, s=s, a=a: 2 * u * mp.exp(-s * u**2) * mp.erf(mp.sqrt(a) * u),
            mp.linspace(0, mp.sqrt(mp.mpf(75) / s), 9),
        )
        yield same(integral, gold.at(s=s, a=a))


@check("laplace.009", route="Bromwich inversion by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    def transform(s: Any) -> Any:
        return (3 * s**2 + 2 * s + 4) / (s * (s + 1) * (s + 2))

    def signal(t: Any) -> Any:
        return mp.invertlaplace(transform, t, method="talbot")

    step = mp.mpf("1e-3")
    values = [signal(step * k) for k in range(1, 8)]
    start = sum((-1) ** k * mp.binomial(7, k + 1) * value for k, value in enumerate(values))
    slopes = [signal(step * k + step * 1e-3) - signal(step * k - step * 1e-3) for k in range(1, 8)]
    slope = sum((-1) ** k * mp.binomial(7, k + 1) * value for k, value in enumerate(slopes)) / (step * 2e-3)
    yield same((start, slope, signal(mp.mpf(40))), gold.at())


@check("laplace.010", route="residual of the integral equation by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(24)
    angles = (nodes + 1) * np.pi / 4  # tau = t sin(angle)**2 removes the singularity at the upper end
    for t in (0.5, 1, 3):
        values = [float(gold.at(t=float(t * np.sin(v) ** 2))) for v in angles]
        integral = float(np.sum(weights * values * 2 * np.sqrt(t) * np.sin(angles))) * np.pi / 4
        yield same(integral, t + t**2)


@check("laplace.011", route="numerical solution of the linear equations")
def _(gold: Gold) -> Iterator[Comparison]:
    a = mp.matrix([[0, 1, 0], [0, 0, 1], [0, -2, -3]])
    for s in (0.5, 1, 4):
        columns = [mp.lu_solve(s * mp.eye(3) - a, mp.eye(3)[:, k]) for k in range(3)]
        yield same([[column[row] for column in columns] for row in range(3)], gold.at(s=s), atol=1e-20)


@check("laplace.012", route="forward transform by quadrature at several s")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(24)
    pieces = [(0, 2), (2, 6), (6, 14), (14, 30)]
    for s, a, b in [(1, 1, 0.5), (2, 0.25, 3)]:
        integral = 0.0
        for start, end in pieces:
            times = [float(t) for t in start + (nodes + 1) * (end - start) / 2]
            values = [float(gold.at(t=t, a=a, b=b)) * np.exp(-s * t) for t in times]
            integral += float(np.sum(weights * values)) * (end - start) / 2
        first, second = np.sqrt(s + a), np.sqrt(s + b)
        yield same(np.log(first / second) + 1 / (first * second), integral)
