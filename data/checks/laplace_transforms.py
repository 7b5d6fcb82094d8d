"""Checks of data/laplace-transforms.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.special import jv

from . import Comparison, Gold, check, same
from .framework.edges import edge


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


@check("laplace.014", route="growth of the integral over dyadic pieces and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(40)

    def converges(s: Any) -> bool:
        pieces = []
        if (3 - s) * 2**21 > 600:
            return False  # the integrand itself runs away
        for start in (2.0**19, 2.0**20):
            t = start + (nodes + 1) * start / 2
            exponent = np.maximum((3 - float(s)) * t, -700)
            pieces.append(float(np.sum(weights * np.exp(exponent) / (1 + t**2))) * start / 2)
        return pieces[1] < 0.9 * pieces[0] or pieces[0] < 1e-200

    start, end, start_open, _ = gold.ends()
    yield same(edge(converges, inside=5, outside=0), start, rtol=1e-5)
    yield same(converges(start), not start_open)
    yield same(([converges(s) for s in (4, 10, 50)], end), ([True, True, True], mp.inf))


@check("laplace.015", route="residues on small circles round the numerically found poles")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 60
    steps = [mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    # cosh(sqrt s) has its zeros where cos(sqrt(-s)) changes sign
    grid = [mp.mpf(k) / 4 for k in range(800)]
    sizes = [mp.cos(mp.sqrt(x)) for x in grid]
    poles = [
        -mp.findroot(lambda x: mp.cos(mp.sqrt(x)), (grid[k], grid[k + 1]), solver="anderson")
        for k in range(len(grid) - 1)
        if sizes[k] * sizes[k + 1] < 0
    ]
    for t in (0.25, 1):
        for n in range(3):
            points = [poles[n] + step for step in steps]
            values = (
                mp.exp(s * t) / (s * mp.cosh(mp.sqrt(s))) * step
                for s, step in zip(points, steps, strict=True)
            )
            yield same(mp.re(mp.fsum(values)) / nodes, gold.at(n=n, t=t), rtol=1e-12)


@check("laplace.016", route="quadrature of the defining integral")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(100)
    for s, a, nu in [(1, 1, 0.5), (2, 0.75, 1), (0.75, 2, 2.5)]:
        u = (nodes + 1) * np.sqrt(45 / s) / 2  # t = u**2
        values = 2 * u * np.exp(-s * u**2) * u**nu * jv(nu, 2 * np.sqrt(a) * u)
        yield same(float(np.sum(weights * values)) * np.sqrt(45 / s) / 2, gold.at(s=s, a=a, nu=nu), rtol=1e-6)


@check("laplace.020", route="Laplace integrals of the Bessel function by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(200)
    for s in (0.75, 2):
        t = (nodes + 1) * 25 / s
        kernel = weights * np.exp(-s * t) * jv(0, t) * 25 / s
        image, slope = float(np.sum(kernel)), float(-np.sum(t * kernel))
        yield same(gold.at(s=s, Y=image, Y1=slope), 0, atol=1e-8)
        yield same(abs(gold.at(s=s, Y=image, Y1=slope + 0.1)) > 1e-3, True)
        yield same(abs(gold.at(s=s, Y=image + 0.1, Y1=slope)) > 1e-3, True)
