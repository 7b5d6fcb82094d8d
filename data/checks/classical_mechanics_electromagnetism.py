"""Checks of data/classical-mechanics-electromagnetism.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp

from . import Comparison, Gold, check, same


@check("mechem.001.a", route="minimum of the effective potential, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, g, rate in [(1, 1, 1), (0.5, 9.75, 3), (2, 1.5, 4)]:
        x = _rest(k, g, rate)
        yield same(x, gold.at(k=k, g=g, Omega=rate))


def _rest(k: float, g: float, rate: float) -> Any:
    """Where gravity along the wire balances the centrifugal force, away from the axis."""

    def potential(x: Any) -> Any:
        return g * k * x**4 - mp.mpf(rate) ** 2 * x**2 / 2

    scan = [mp.mpf(i) / 100 for i in range(1, 1000)]
    lowest = min(scan, key=potential)
    return mp.findroot(lambda x: mp.diff(potential, x), lowest)


@check("mechem.001.b", route="period of a small oscillation of the full equation of motion")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, g, rate in [(1, 1, 1), (0.5, 9.75, 3), (2, 1.5, 4)]:
        rest = _rest(k, g, rate)

        def potential(x: Any, k: float = k, g: float = g, rate: float = rate) -> Any:
            return g * k * x**4 - mp.mpf(rate) ** 2 * x**2 / 2

        def period(size: Any, k: float = k, rest: Any = rest, potential: Any = potential) -> Any:
            """2 int dx / velocity between the turning points, from energy conservation on the wire."""
            left = rest - size
            level = potential(left)
            right = mp.findroot(lambda x: potential(x) - level, rest + size)
            middle, half = (left + right) / 2, (right - left) / 2

            def slowness(angle: Any) -> Any:
                x = middle + half * mp.sin(angle)
                speed = mp.sqrt(2 * (level - potential(x)) / (1 + (4 * k * x**3) ** 2))
                return half * mp.cos(angle) / speed

            return 2 * mp.quad(slowness, [-mp.pi / 2, 0, mp.pi / 2])

        with mp.workdps(40):
            sizes = [rest * mp.mpf("0.01") / 2**i for i in range(3)]
            coarse, middle, fine = (period(size) for size in sizes)
            # the expansion in the left amplitude holds all powers from the second on
            first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
            limit = (8 * first[1] - first[0]) / 7
            yield same(2 * mp.pi / limit, gold.at(k=k, g=g, Omega=rate), rtol=1e-6)


@check("mechem.002", route="numerical mass and stiffness matrices")
def _(gold: Gold) -> Iterator[Comparison]:
    for g, length in [(1, 1), (9.75, 0.5)]:

        def bobs(a: Any, b: Any, length: float = length) -> list[Any]:
            x, y = length * mp.sin(a), -length * mp.cos(a)
            return [x, y, x + length * mp.sin(b), y - length * mp.cos(b)]

        def potential(a: Any, b: Any, g: float = g, bobs: Any = bobs) -> Any:
            return g * (3 * bobs(a, b)[1] + bobs(a, b)[3])

        slopes = [
            [mp.diff(lambda a, b, i=i, bobs=bobs: bobs(a, b)[i], (0, 0), order) for i in range(4)]
            for order in [(1, 0), (0, 1)]
        ]
        masses = [3, 3, 1, 1]
        mass = mp.matrix(
            [
                [mp.fsum(w * p * q for w, p, q in zip(masses, a, b, strict=True)) for b in slopes]
                for a in slopes
            ]
        )
        stiffness = mp.matrix(
            [
                [mp.diff(potential, (0, 0), (2, 0)), mp.diff(potential, (0, 0), (1, 1))],
                [mp.diff(potential, (0, 0), (1, 1)), mp.diff(potential, (0, 0), (0, 2))],
            ]
        )
        squares = sorted(mp.re(value) for value in mp.eig(mass**-1 * stiffness, left=False, right=False))
        slow, fast = (mp.sqrt(square) for square in squares)
        yield same({"slow": slow, "fast": fast}, gold.at(g=g, l=length))


@check("mechem.003", route="Legendre series of the potential")
def _(gold: Gold) -> Iterator[Comparison]:
    # Outside a grounded sphere each multipole r**l of the charge is cancelled at r = R; the induced
    # surface charge then goes as sum (2l + 1) (R/d)**l P_l(cos), and half of it integrates P_l over (0, 1).
    for d, radius in [(2, 1), (1.5, 0.75), (3, 2)]:
        ratio, total = mp.mpf(radius) / d, mp.mpf(0)
        for order in range(240):
            half = mp.mpf(1) if order == 0 else _half_range(order)
            total += (2 * order + 1) * ratio**order * half
        yield same(total / 2, gold.at(d=d, R=radius), rtol=1e-12)


def _half_range(order: int) -> Any:
    """Integral of P_l over (0, 1), from (2l + 1) P_l = P'_{l+1} - P'_{l-1}."""
    return (mp.legendre(order - 1, 0) - mp.legendre(order + 1, 0)) / (2 * order + 1)
