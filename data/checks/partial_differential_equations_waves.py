"""Checks of data/partial-differential-equations.jsonl: characteristics, waves and fronts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("pde.002", route="numerical minimisation along the characteristics")
def _(gold: Gold) -> Iterator[Comparison]:
    def steepness(start: Any) -> Any:
        """Slope of the speed 1 + exp(-x**2) where a characteristic starts."""
        return mp.diff(lambda x: 1 + mp.exp(-(x**2)), start)

    guess = minimize_scalar(lambda x: float(steepness(x)), bounds=(0, 3), method="bounded").x
    start = mp.findroot(lambda x: mp.diff(lambda y: mp.exp(-(y**2)), x, 2), guess)
    time = -1 / steepness(start)
    yield same((time, start + (1 + mp.exp(-(start**2))) * time), gold.at())


@check("pde.006", route="spectral solution on a long periodic interval")
def _(gold: Gold) -> Iterator[Comparison]:
    size, length = 1024, 64.0
    grid = (np.arange(size) - size // 2) * length / size
    waves = np.abs(np.fft.fftfreq(size, length / size)) * 2 * np.pi
    velocity = np.fft.fft(grid * np.exp(-(grid**2)))
    for t, speed in [(0.5, 1), (2, 1.5), (1, 0.25)]:
        response = t * np.sinc(waves * speed * t / np.pi)
        values = np.fft.ifft(velocity * response).real
        for k in (520, 536, 500):
            yield same(float(values[k]), gold.at(x=float(grid[k]), t=t, c=speed), rtol=1e-9, atol=1e-14)


@check("pde.008", route="numerical integration from the unstable state")
def _(gold: Gold) -> Iterator[Comparison]:
    speed, start = 5 / np.sqrt(6), 1e-7
    growth = (np.sqrt(speed**2 + 4) - speed) / 2
    front = solve_ivp(
        lambda _, state: [state[1], -speed * state[1] - state[0] * (1 - state[0])],
        (0, 80),
        [1 - start, -growth * start],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
        dense_output=True,
        events=lambda _, state: state[0] - 0.25,
    )
    origin = front.t_events[0][0]
    for z in (-4, -1, 0, 0.5, 3):
        yield same(float(front.sol(origin + z)[0]), gold.at(z=z), rtol=2e-6)


@check("pde.010", route="numerical integration along characteristics")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, y in [(0.5, 1), (-1.25, 0.5), (2, 3)]:
        path = solve_ivp(
            lambda s, state: [2 * s, 0 * state[1] + 1], (x, 0), [y, 0], method="DOP853", rtol=1e-12
        )
        foot, log_growth = path.y[:, -1]
        yield same(np.exp(-log_growth) / (1 + foot**2), gold.at(x=x, y=y))


@check("pde.011", route="minimisation in the Lax-Oleinik formula")
def _(gold: Gold) -> Iterator[Comparison]:
    for t in (2.5, 4, 9):

        def behind(x: Any, t: float = t) -> bool:
            """Whether the minimising foot of x lies within the initial pulse, not ahead of it."""
            feet = np.append(np.linspace(-1, 8, 9001), float(x))
            cost = np.clip(feet, 0, 1) + (float(x) - feet) ** 2 / (2 * t)
            return bool(feet[np.argmin(cost)] < 1)

        yield same(edge(behind, inside=0.5, outside=7), gold.at(t=t), rtol=1e-7)


@check("pde.016", route="profile integrated numerically from its crest")
def _(gold: Gold) -> Iterator[Comparison]:
    for speed in (1, 4, 0.75):
        # once integrated with decay at infinity: f'' = c f - 3 f**2; the crest is where the tail leads to
        tail = 1e-9
        wave = solve_ivp(
            lambda _, state, c=speed: [state[1], c * state[0] - 3 * state[0] ** 2, state[0]],
            (0, 60 / np.sqrt(speed)),
            [tail, np.sqrt(speed) * tail, tail / np.sqrt(speed)],
            method="DOP853",
            rtol=1e-12,
            atol=1e-16,
            events=lambda _, state: state[1],
        )
        yield same(2 * float(wave.y_events[0][0][2]), gold.at(c=speed), rtol=1e-7)


@check("pde.017", route="numerical integration along characteristics")
def _(gold: Gold) -> Iterator[Comparison]:
    for foot in (-1, 0.5, 2):
        path = solve_ivp(
            lambda _, state: [state[1], 1], (0, 2), [foot, foot], method="DOP853", rtol=1e-12, t_eval=[0.5, 2]
        )
        for y, (x, u) in zip(path.t, path.y.T, strict=True):
            yield same(gold.at(x=float(x), y=float(y), u=float(u)), 0, atol=1e-9)
            yield same(abs(gold.at(x=float(x), y=float(y), u=float(u) + 0.125)) > 1e-3, True)


@check("pde.019", route="residual of general waves in the equation")
def _(gold: Gold) -> Iterator[Comparison]:
    def residual(slope: Any) -> Any:
        def wave(x: Any, y: Any) -> Any:
            return mp.sin(y + slope * x)

        place = (mp.mpf("0.3"), mp.mpf("0.2"))
        terms = [mp.diff(wave, place, order) for order in [(2, 0), (1, 1), (0, 2)]]
        return terms[0] - 2 * terms[1] - 3 * terms[2]

    waves = [mp.mpf(k) / 7 + mp.mpf("0.03") for k in range(-29, 30)]
    found = []
    for low, high in pairwise(waves):
        if residual(low) * residual(high) < 0:
            slope = mp.findroot(residual, (low, high), solver="anderson", tol=1e-24)
            if abs(mp.sin(mp.mpf("0.2") + slope * mp.mpf("0.3"))) > 1e-6:  # a zero of the wave itself is none
                found.append(slope)
    yield same(tuple(sorted(found, reverse=True)), gold.at())
