"""Checks of data/complex-numbers.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
import sympy

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("complex.001", route="roots of the expanded polynomial")
def _(gold: Gold) -> Iterator[Comparison]:
    z = sympy.Symbol("z")
    polynomial = sympy.Poly((z + 2 * sympy.I) ** 6 + (z - 2 * sympy.I) ** 6, z)
    roots = mp.polyroots([mp.mpf(int(c)) for c in polynomial.all_coeffs()], maxsteps=200, extraprec=200)
    yield same(set(roots), gold.at())


@check("complex.002", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, r, phi in [(1, 0.5, 0.3), (3, 0.25, -1.1), (4, 0.8, 2.0), (7, 0.9, 0.05)]:
        angles = [phi + 2 * mp.pi * k / n for k in range(n)]
        yield same(
            mp.fsum(1 / (1 - 2 * r * mp.cos(t) + mp.mpf(r) ** 2) for t in angles), gold.at(n=n, r=r, phi=phi)
        )


@check("complex.003", route="numerical complex power")
def _(gold: Gold) -> Iterator[Comparison]:
    power = mp.power(mp.mpc(1, mp.sqrt(3)), mp.mpc(1, -1))
    yield same((power.real, power.imag), gold.at())


@check("complex.004", route="polynomial roots and bisection in the parameter")
def _(gold: Gold) -> Iterator[Comparison]:
    def holds(b: Any) -> bool:
        roots = mp.polyroots([1, 1, b, 1, 1], maxsteps=500, extraprec=300)
        return all(abs(abs(root) - 1) < 1e-11 for root in roots)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(holds, inside=1, outside=-3), start, atol=1e-8)
    yield same(edge(holds, inside=1, outside=4), end, atol=1e-8)
    yield same((not holds(start), not holds(end)), (start_open, end_open))
    for b in (0.1, 0.7, 1.3, 2.0, 2.2):
        yield same(holds(b), True)


@check("complex.005", route="direct multiplication")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, x, y, phi in [(1, 2, 0.5, 1), (3, 1.25, 0.75, -2), (4, 0.5, 2, 0.25), (7, 1, 1.5, 3)]:
        angles = [phi + 2 * mp.pi * k / n for k in range(n)]
        factors = [mp.mpf(x) ** 2 - 2 * mp.mpf(x) * y * mp.cos(t) + mp.mpf(y) ** 2 for t in angles]
        yield same(mp.fprod(factors), gold.at(n=n, x=x, y=y, phi=phi))


@check("complex.006", route="circle through three numerically found points")
def _(gold: Gold) -> Iterator[Comparison]:
    def excess(z: Any) -> Any:
        return abs(z - mp.mpc(2, 1)) - 2 * abs(z - mp.mpc(-1, 2))

    # rays from the point -1 + 2i, where the excess is positive, out to where it is negative
    points = []
    for k in range(3):
        ray = mp.expjpi(mp.mpf(2 * k) / 3 + mp.mpf("0.1"))
        distance = mp.findroot(lambda r, ray=ray: excess(mp.mpc(-1, 2) + r * ray), (0, 40), solver="anderson")
        points.append(mp.mpc(-1, 2) + distance * ray)
    a, b, c = points
    area = mp.im(mp.conj(b - a) * (c - a)) * 2
    shift = mp.mpc(0, 1) * ((b - a) * abs(c - a) ** 2 - (c - a) * abs(b - a) ** 2) / area
    yield same((a + shift, abs(shift)), gold.at())


@check("complex.007", route="roots of the quadratic for exp(iz), numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    # sin z = 2i cos z, written in e = exp(iz): (e - 1/e)/(2i) - i (e + 1/e) = 0, times e
    found = set()
    for e in mp.polyroots([mp.mpc(0, -1.5), 0, mp.mpc(0, -0.5)]):
        z = mp.log(e) / mp.mpc(0, 1)
        z += 2 * mp.pi if z.real < 0 else 0
        yield same(mp.tan(z), mp.mpc(0, 2))
        found.add(z)
    yield same(found, gold.at())


@check("complex.008", route="extrema of the sampled function, refined")
def _(gold: Gold) -> Iterator[Comparison]:
    def size(angle: Any) -> Any:
        z = mp.expj(angle)
        return abs(z**3 - z + 2)

    samples = [2 * mp.pi * k / 400 for k in range(400)]
    extremes = []
    for choose in (min, max):
        angle = mp.findroot(lambda t: mp.diff(size, t), choose(samples, key=size))
        extremes.append(size(angle))
    # a continuous function on a closed curve takes its extreme values
    yield same((*extremes, False, False), gold.ends())


@check("complex.009", route="numerical roots of the cubic")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same(set(mp.polyroots([1, 0, 0, mp.mpc(2, -2)])), gold.at())


@check("complex.010", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, theta in [(1, 0.5), (4, 2.5), (7, -1), (9, 5)]:
        yield same(
            mp.fsum(mp.binomial(n, k) * mp.cos(k * theta) for k in range(n + 1)), gold.at(n=n, theta=theta)
        )


@check("complex.011", route="real equations solved from a grid of starting points")
def _(gold: Gold) -> Iterator[Comparison]:
    def equation(z: Any) -> Any:
        return z**7 - 8 * np.conj(z) ** 4

    found = {(0.0, 0.0)} if equation(0j) == 0 else set()
    grid = np.linspace(-3, 3, 41) + 0.0123
    z = (grid[:, None] + 1j * grid[None, :]).ravel()
    for _ in range(60):  # Newton's method in the pair z, conj(z)
        by_z, by_conj, value = 7 * z**6, -32 * np.conj(z) ** 3, equation(z)
        scale = np.abs(by_z) ** 2 - np.abs(by_conj) ** 2
        z = z - (np.conj(by_z) * value - by_conj * np.conj(value)) / np.where(scale == 0, 1e-300, scale)
        z = np.where(np.abs(z) < 10, z, 1.234 + 0.567j)
    good = z[(np.abs(equation(z)) < 1e-9) & (np.abs(z) > 0.1)]
    found |= {(round(float(w.real), 5) + 0.0, round(float(w.imag), 5) + 0.0) for w in good}
    yield same(len(found), gold.at(), rtol=0)


@check("complex.012", route="points of the arc found numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for x in (0, 0.5, -0.875, 1.25):

        def angle(y: Any, x: float = x) -> Any:
            z = mp.mpc(x, y)
            return mp.arg((z - 1) / (z + 1)) - mp.pi / 4

        y = mp.findroot(angle, (1.5, 3), solver="anderson")
        yield same(gold.at(x=x, y=y), 0, atol=1e-12)
        yield same(abs(gold.at(x=x, y=y + 0.125)) > 1e-3, True)


@check("complex.013", route="search over the boundary")
def _(gold: Gold) -> Iterator[Comparison]:
    # the modulus of an analytic function is greatest on the boundary
    steps = [mp.mpf(k) / 100 for k in range(-100, 101)]
    edges = [mp.mpc(s * mp.pi / 3, side) for s in steps for side in (-1, 1)]
    edges += [mp.mpc(side * mp.pi / 3, s) for s in steps for side in (-1, 1)]
    yield same(max(abs(mp.sin(z)) for z in edges), gold.at())


@check("complex.014", route="polynomial roots and bisection in the parameter")
def _(gold: Gold) -> Iterator[Comparison]:
    def holds(t: Any) -> bool:
        return bool(max(abs(root) for root in np.roots([1, float(t), 1])) < 2 - 1e-12)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(holds, inside=0, outside=-6), start, rtol=1e-8)
    yield same(edge(holds, inside=0, outside=6), end, rtol=1e-8)
    yield same((not holds(start), not holds(end)), (start_open, end_open))


@check("complex.015", route="numerical complex square root")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, y in [(3, 4), (-2, 1), (-0.5, -3), (0, 5)]:
        yield same(mp.sqrt(mp.mpc(x, y)).real, gold.at(x=x, y=y))


@check("complex.016", route="numerical complex powers")
def _(gold: Gold) -> Iterator[Comparison]:
    tower = [mp.mpc(0, 1)]
    for _ in range(2):
        tower.append(mp.power(mp.mpc(0, 1), tower[-1]))
    yield same(tower, gold.at(), rtol=1e-20)


@check("complex.017", route="evaluation on a grid that fills both sectors")
def _(gold: Gold) -> Iterator[Comparison]:
    parts = [mp.mpf(k) / 40 for k in (*range(1, 40, 3), mp.mpf("39.999"))]
    holds = all(
        abs(mp.log(z**2 * w) - 2 * mp.log(z) - mp.log(w)) < 1e-20
        for z in (size * mp.expjpi(part / 4) for part in parts for size in (0.5, 3))
        for w in (2 * mp.expjpi(part / 2) for part in parts)
    )
    yield same(holds, gold.at())


@check("complex.018", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, x in [(1, 1), (3, 0.25), (4, -0.5), (7, 2)]:
        yield same(mp.fsum(mp.cot(x + mp.pi * k / n) ** 2 for k in range(n)), gold.at(n=n, x=x))


@check("complex.019", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same(mp.fsum(mp.expjpi(mp.mpf(k * k) / 10) for k in range(20)), gold.at())


@check("complex.020", route="images of the unit vectors, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    columns = [(2 - 1j) ** 3 * unit for unit in (1, 1j)]
    yield same([[c.real for c in columns], [c.imag for c in columns]], gold.at())
