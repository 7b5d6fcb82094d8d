"""Checks of data/laplace-transforms.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp

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
