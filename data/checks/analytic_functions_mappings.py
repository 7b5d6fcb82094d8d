"""Checks of data/analytic-functions.jsonl: conformal and univalent maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("analytic.002", route="boundary modulus, normalisation, and winding number of the boundary")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (1, 1.75):
        corner = mp.expjpi(mp.mpf(1) / 3)
        edges = [[t * direction for t in (0.2, 0.9, 2.5, 30)] for direction in (mp.mpf(1), corner)]
        for z in edges[0] + edges[1]:
            yield same(abs(gold.at(z=z, a=a)), 1)
        yield same(gold.at(z=a * mp.expjpi(mp.mpf(1) / 6), a=a), 0, atol=1e-20)
        yield same(gold.at(z=0, a=a), 1)
        outline = [t * corner for t in _decades(12)[::-1]] + [mp.mpf(0)] + _decades(12)
        images = [gold.at(z=z, a=a) for z in outline]
        turns = mp.fsum(mp.arg(b / c) for c, b in zip(images, images[1:] + images[:1], strict=True))
        yield same(turns / (2 * mp.pi), 1, rtol=1e-6)


def _decades(count: int) -> list[Any]:
    """Radii from 0.05 to 20 at which the image moves by less than half a turn each step."""
    return [mp.mpf(0.05) * mp.mpf(400) ** (mp.mpf(k) / count) for k in range(count + 1)]


@check("analytic.005", route="integration of the Loewner equation of the growing slit")
def _(gold: Gold) -> Iterator[Comparison]:
    # dg/dt = 2/g grows a vertical slit from 0; g = z + 2t/z + ... belongs to the height h with h**2 = 4t,
    # seen at the tip: the flow takes i h to 0 in that time.
    def flow(_: Any, state: list[Any]) -> list[Any]:
        return [2 / state[0]]

    with mp.workdps(18):
        near_tip = mp.odefun(flow, 0, [mp.mpc(0, mp.sqrt(6))])(mp.mpf("1.49"))[0]
        yield same(near_tip.imag**2, 4 * mp.mpf("0.01"), rtol=1e-8)
        yield same(mp.odefun(flow, 0, [mp.mpc(-1, 2)])(mp.mpf("1.5"))[0], gold.at())


@check("analytic.009", route="cross ratio with numerical points")
def _(gold: Gold) -> Iterator[Comparison]:
    for z in (0, mp.mpc(2, 1), mp.mpc(-0.5, 3)):
        # (T, 1; 0, oo) = T must equal (z, i; 1, -1)
        ratio = (z - 1) * (mp.mpc(0, 1) + 1) / ((z + 1) * (mp.mpc(0, 1) - 1))
        yield same(ratio, gold.at(z=z))


@check("analytic.010", route="circle through three image points")
def _(gold: Gold) -> Iterator[Comparison]:
    a, b, c = (1 / (mp.mpc(1, 1) + mp.expjpi(mp.mpf(2 * k) / 3) / 2) for k in range(3))
    area = mp.im(mp.conj(b - a) * (c - a)) * 2
    shift = mp.mpc(0, 1) * ((b - a) * abs(c - a) ** 2 - (c - a) * abs(b - a) ** 2) / area
    yield same((a + shift, abs(shift)), gold.at())


@check("analytic.013", route="numerical preimages of many values and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    angles = np.exp(2j * np.pi * np.arange(24) / 24)
    samples = np.concatenate([radius * angles for radius in (0.3, 0.9, 0.999, 0.99999)])

    def injective(a: Any) -> bool:
        for z in samples:
            roots = np.roots([float(a), 1, -(z + float(a) * z**2)]) if a else np.array([z])
            others = roots[np.abs(roots - z) > 1e-7]
            if np.any(np.abs(others) < 1):
                return False
        return True

    start, end, start_open, end_open = gold.ends()
    yield same(edge(injective, inside=0.1, outside=-2), start, rtol=1e-4)
    yield same(edge(injective, inside=0.1, outside=2), end, rtol=1e-4)
    yield same((not injective(start), not injective(end)), (start_open, end_open))


@check("analytic.014", route="quadrature along the third side, at infinity")
def _(gold: Gold) -> Iterator[Comparison]:
    # t = 1/(1 - w**3) from 1 to infinity, then w**3 = 1 - v**3 on the half where the other end is singular
    def near(w: Any) -> Any:
        return 3 * (1 - w**3) ** (mp.mpf(-2) / 3)

    half = mp.root(mp.mpf(1) / 2, 3)
    yield same(2 * mp.quad(near, [0, half]), gold.at())


@check("analytic.018", route="numerical roots")
def _(gold: Gold) -> Iterator[Comparison]:
    fixed = {mp.findroot(lambda z: 2 - 5 / z - z, start) for start in (mp.mpc(1, 1), mp.mpc(1, -1))}
    yield same(fixed, gold.at())


@check("analytic.019", route="mapping points of the line")
def _(gold: Gold) -> Iterator[Comparison]:
    for height in (-2, 0, 0.5, 3):
        w = mp.mpc(1, height) ** 2
        yield same(gold.at(u=w.real, v=w.imag), 0, atol=1e-20)
        yield same(abs(gold.at(u=w.real + 0.125, v=w.imag)) > 1e-3, True)
