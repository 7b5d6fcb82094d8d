"""Checks of data/calculus-of-variations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from . import Comparison, Gold, check, same
from .framework.ritz import Trial, minimise, minimise_quadratic


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
