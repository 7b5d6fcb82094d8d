"""Checks of data/calculus-of-variations.jsonl; those of 013 and above: calculus_of_variations_shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, null_space
from scipy.optimize import brentq

from . import Comparison, Gold, check, same
from .framework.edges import edge
from .framework.ritz import Trial, lowest_eigenvalues, minimise, minimise_quadratic


@check("variations.001", route="Ritz minimisation over polynomials")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 0, np.e, degree=8)

    def functional(y: Any) -> Any:
        x = trial.x
        return trial.integral(y.deriv()(x) ** 2 + y(x) ** 2 + 2 * np.exp(x) * y(x))

    y, _ = minimise_quadratic(trial, functional)
    for x in (0, 0.25, 0.5, 0.875, 1):
        yield same(y(x), gold.at(x=x), rtol=1e-7)


@check("variations.002", route="Ritz minimisation over polynomials with the constraint")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 0, 0, degree=6)
    y, least = minimise_quadratic(
        trial,
        lambda y: trial.integral(y.deriv(2)(trial.x) ** 2),
        constraint=lambda y: trial.integral(y(trial.x)),
    )
    for x in (0.25, 0.5, 0.875):
        yield same((y(x), least), gold.at(x=x), rtol=1e-7)


@check("variations.003", route="Ritz minimisation of the travel time")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 1, 2, degree=12)

    def time(y: Any) -> Any:
        return trial.integral(np.sqrt(1 + y.deriv()(trial.x) ** 2) / y(trial.x))

    y, _ = minimise(trial, time)
    for x in (0, 0.25, 0.5, 0.75, 1):
        yield same(gold.at(x=x, y=y(x)), 0, atol=2e-5)
        yield same(abs(gold.at(x=x, y=y(x) + 0.02)) > 0.02, True)


@check("variations.004", route="Ritz minimisation of the area and root finding in h")
def _(gold: Gold) -> Iterator[Comparison]:
    def excess(height: float) -> float:
        """Least area of a film through both rings of radius 1, less that of the discs."""
        trial = Trial(height, 1, 1, degree=8)
        _, area = minimise(
            trial,
            lambda r: trial.integral(2 * np.pi * r(trial.x) * np.sqrt(1 + r.deriv()(trial.x) ** 2)),
        )
        return area - 2 * np.pi

    yield same(brentq(excess, 0.9, 1.2, xtol=1e-12), gold.at(), rtol=1e-8)


@check("variations.005", route="Ritz minimisation over polynomials")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 0, 1, degree=14)  # in x - 1

    def functional(y: Any) -> Any:
        return trial.integral((1 + trial.x) ** 2 * y.deriv()(trial.x) ** 2 + 2 * y(trial.x) ** 2)

    y, _ = minimise_quadratic(trial, functional)
    for x in (1, 1.25, 1.5, 1.875, 2):
        yield same(y(x - 1), gold.at(x=x), rtol=1e-7, atol=1e-12)


@check("variations.006", route="Ritz minimisation over polynomials and the free end value")
def _(gold: Gold) -> Iterator[Comparison]:
    def best(end: float) -> tuple[Any, float]:
        trial = Trial(1, 0, end, degree=8)

        def functional(y: Any) -> Any:
            return trial.integral(y.deriv()(trial.x) ** 2 + y(trial.x) ** 2 - 2 * trial.x * y(trial.x))

        return minimise_quadratic(trial, functional)

    low, middle, high = (float(best(end)[1]) for end in (-1, 0, 1))
    lowest = (low - high) / (2 * (low - 2 * middle + high))  # vertex of the parabola
    y, _ = best(lowest)
    for x in (0.25, 0.5, 0.875, 1):
        yield same(y(x), gold.at(x=x), rtol=1e-7)


@check("variations.007", route="constrained eigenvalues of a polynomial discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    for length in (1, 0.75, 3):
        trial = Trial(length, 0, 0, degree=12)
        values = np.array([p(trial.x) for p in trial.basis])
        slopes = np.array([p.deriv()(trial.x) for p in trial.basis])
        constraint = (values * trial.weights) @ np.sin(np.pi * trial.x / length)
        allowed = null_space(constraint[None, :])
        stiffness = allowed.T @ ((slopes * trial.weights) @ slopes.T) @ allowed
        mass = allowed.T @ ((values * trial.weights) @ values.T) @ allowed
        yield same(float(eigh(stiffness, mass, eigvals_only=True)[0]), gold.at(L=length), rtol=1e-7)


@check("variations.008", route="shortest discretised path on the cone")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(np.pi / 2, 0.5, 0.5, degree=10)  # distance from the axis as a function of azimuth

    def length(rho: Any) -> Any:
        slope = rho.deriv()(trial.x)
        return trial.integral(np.sqrt(slope**2 * (1 + 3) + rho(trial.x) ** 2))

    _, least = minimise(trial, length)
    yield same(least, gold.at(), rtol=1e-8)


@check("variations.009", route="lowest eigenvalue of a polynomial discretisation and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def positive(length: Any) -> bool:
        return bool(lowest_eigenvalues(Trial(float(length), 0, 0, degree=10))[0] > 4 * (1 + 1e-9))

    start, end, start_open, end_open = gold.ends()
    yield same(edge(positive, inside=0.5, outside=6), end, rtol=1e-7)
    yield same((positive(end), positive(0.01)), (not end_open, True))
    yield same((0, True), (start, start_open))


@check("variations.010", route="chain of many rigid links in equilibrium, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    def chain(links: int) -> tuple[float, float]:
        """Distance and end angle with a joint at the bottom; joint k of a half carries k - 1/2 weights."""
        size = 1 / links
        carried = (np.arange(links) + 0.5) * size

        def sag(pull: float) -> float:
            return float(np.sum(size * np.sin(np.arctan2(carried, pull)))) - 0.5

        pull = brentq(sag, 0.1, 5, xtol=1e-15)
        width = 2 * float(np.sum(size * np.cos(np.arctan2(carried, pull))))
        return width, float(np.arctan2(1, pull))

    coarse, fine = np.array(chain(500)), np.array(chain(1000))
    yield same(tuple((4 * fine - coarse) / 3), gold.at(), rtol=1e-8)


@check("variations.011", route="numerical functional derivative and integration of the motion")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same({"f", "solution"}, set(gold.value))
    for m, k, c in [(1, 1, 1), (2, 0.75, 3)]:

        def lagrangian(x: Any, v: Any, t: Any, m: float = m, k: float = k, c: float = c) -> Any:
            return m * v**2 / 2 - k * x**2 / 2 + c * t * x

        def force(x: Any, t: Any, v: Any = 0.25, f: Any = lagrangian) -> Any:
            """Acceleration from d/dt of the derivative by velocity = derivative by position."""
            place = (x, v, t)
            mixed = mp.diff(f, place, (0, 1, 1)) + v * mp.diff(f, place, (1, 1, 0))
            return (mp.diff(f, place, (1, 0, 0)) - mixed) / mp.diff(f, place, (0, 2, 0))

        for x, t in [(0.5, 1), (-1, 0.25)]:
            yield same(force(x, t), gold["f"].at(x=x, t=t, m=m, k=k, c=c), rtol=1e-8)
        path = solve_ivp(
            lambda t, state, f=force: [state[1], float(f(state[0], t))],
            (0, 3),
            [0, 0],
            method="DOP853",
            rtol=1e-9,
            atol=1e-11,
            t_eval=[1, 3],
        )
        for t, x in zip(path.t, path.y[0], strict=True):
            yield same(float(x), gold["solution"].at(t=float(t), m=m, k=k, c=c), rtol=1e-7)


@check("variations.012", route="numerical integration of the ray equation")
def _(gold: Gold) -> Iterator[Comparison]:
    for kappa in (0.5, 2):
        # with dr/dsigma = p and the index squared as a potential: dp/dsigma = grad(n**2)/2
        start = np.sqrt(0.5)
        path = solve_ivp(
            lambda _, state, kappa=kappa: [state[2], state[3], 0, kappa],
            (0, 3),
            [0, 0, start, start],
            method="DOP853",
            rtol=1e-12,
            t_eval=[0.5, 1, 3],
        )
        for x, y in path.y[:2].T:
            yield same(float(y), gold.at(x=float(x), kappa=kappa))
