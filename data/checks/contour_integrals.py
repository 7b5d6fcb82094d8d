"""Checks of data/contour-integrals.jsonl."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp

from . import Comparison, Gold, check, same


@check("contour.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 3.25):
        # x = s**4 tames the square root and the logarithm at 0
        integral = mp.quad(
            lambda s, a=a: 4 * s**5 * 4 * mp.log(s) / (s**8 + mp.mpf(a) ** 2), [0, 0.5, 1, 2, 8, mp.inf]
        )
        yield same(integral, gold.at(a=a))


@check("contour.002", route="quadrature on the circle")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, radius in [(1, 0.5, 1), (mp.mpc(1.5, -0.5), 1, 2), (-2, 1.5, 3)]:
        nodes = 200
        points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
        terms = (z**5 * mp.exp(a / z) / (z**2 + mp.mpf(b) ** 2) for z in points)
        yield same(mp.mpc(0, 2) * mp.pi * mp.fsum(terms) / nodes, gold.at(a=a, b=b))


@check("contour.003", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, k in [(0.5, 1), (1, 0.3), (2, 2.5), (3, 1.7)]:
        integral = 2 * mp.quad(
            lambda x, a=a, k=k: mp.cos(k * x) / (mp.cosh(x) + mp.cosh(a)), mp.linspace(0, 75, 31)
        )
        yield same(integral, gold.at(a=a, k=k))


@check("contour.004", route="high-precision summation")
def _(gold: Gold) -> Iterator[Comparison]:
    terms = ((-1) ** (n + 1) / (mp.mpf(n) ** 7 * mp.sinh(mp.pi * n)) for n in range(1, 30))
    yield same(mp.fsum(terms), gold.at(), rtol=1e-25)


@check("contour.005", route="quadrature after folding about the singular point")
def _(gold: Gold) -> Iterator[Comparison]:
    for p, a in [(0.5, 2), (0.25, 1), (0.375, 3.5), (0.75, 0.5)]:
        # x = a u, and u -> 1/u beyond 1 leaves an integrable difference
        folded = mp.quad(
            lambda s, p=p: (s ** (8 * p - 1) - s ** (7 - 8 * p)) * 8 / (1 - s**8), [0, 0.25, 0.5, 0.75, 1]
        )
        yield same(mp.mpf(a) ** (mp.mpf(p) - 1) * folded, gold.at(p=p, a=a), atol=1e-15)


@check("contour.006", route="trapezoidal rule")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 120
    angles = [2 * mp.pi * k / nodes for k in range(nodes)]
    for a, n in [(1, 0), (-0.5, 3), (2, 5), (1.25, 1)]:
        terms = (mp.exp(a * mp.cos(t)) * mp.cos(n * t - a * mp.sin(t)) for t in angles)
        yield same(2 * mp.pi * mp.fsum(terms) / nodes, gold.at(a=a, n=n))


@check("contour.007", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 4):
        integral = mp.quad(lambda x, a=a: mp.sin(a * x) / mp.expm1(2 * mp.pi * x), [0, 0.5, 1, 2, 4, 8, 12])
        yield same(integral, gold.at(a=a))


@check("contour.008", route="trapezoidal rule on the circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 600
    points = [6 * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    terms = (z * (z**2 + z) * mp.tan(z) for z in points)
    yield same(mp.mpc(0, 2) * mp.pi * mp.fsum(terms) / nodes, gold.at())
