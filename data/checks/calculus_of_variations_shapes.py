"""Checks of data/calculus-of-variations.jsonl: broken lines, best shapes and paths of least time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import minimize

from . import Comparison, Gold, check, same
from .framework.ritz import COMPLEX_STEP, Trial


@check("variations.013", route="numerical integration of Euler's equation")
def _(gold: Gold) -> Iterator[Comparison]:
    # d/dx (x**2 y') = -x**2 y**5
    def slope(x: float, state: Any) -> list[Any]:
        y, p = state
        return [p, -(y**5) - 2 * p / x]

    for start in [(1.0, 0.25), (0.5, -1.5), (-0.75, 1.0)]:
        path = solve_ivp(
            slope, (1, 4), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=[1, 1.5, 2.5, 4]
        )
        values = [
            gold.at(x=float(x), y=float(y), p=float(p)) for x, y, p in zip(path.t, *path.y, strict=True)
        ]
        for value in values[1:]:
            yield same(value, values[0], rtol=1e-8, atol=1e-9)
    yield same((8, 0), (gold.at(x=2, y=0, p=1), gold.at(x=2, y=0, p=0)))  # the normalisation


@check("variations.014", route="minimisation over broken lines with one corner, from many starts")
def _(gold: Gold) -> Iterator[Comparison]:
    def cost(corner: Any) -> float:
        x, y = corner
        return float(
            sum(
                length * (rise / length + 1) ** 2 * (rise / length - 2) ** 2
                for length, rise in ((x, y), (6 - x, -y))
            )
        )

    corners: list[tuple[float, float]] = []
    for x in (1, 3, 5):
        for y in (-3, 3):
            run = minimize(
                cost, (x, y), bounds=[(0.01, 5.99), (-20, 20)], options={"ftol": 1e-16, "gtol": 1e-10}
            )
            near = [np.hypot(run.x[0] - other[0], run.x[1] - other[1]) < 1e-3 for other in corners]
            if run.fun < 1e-10 and not any(near):  # the integrand is nowhere negative
                corners.append((float(run.x[0]), float(run.x[1])))
    yield same(set(corners), gold.at(), rtol=1e-5)


@check("variations.015", route="direct maximisation over profiles")
def _(gold: Gold) -> Iterator[Comparison]:
    # The body takes the place r < r(u), u the cosine of the angle from the direction of the pull: matter at
    # u < 0 would pull backwards. Nodes in the square root of u, where the best profile is smooth.
    nodes, weights = np.polynomial.legendre.leggauss(16)
    u, w = ((nodes + 1) / 2) ** 2, weights * (nodes + 1) / 2

    def gain(radius: Any) -> float:
        """Pull over the cube root of the volume, each but for the common factors."""
        return float((w @ (radius * u)) / (w @ radius**3) ** (1 / 3))

    def loss(logarithms: Any) -> tuple[float, Any]:
        radius = np.exp(logarithms)
        pull, volume = w @ (radius * u), w @ radius**3
        slope = w * radius * u / pull - w * radius**3 / volume
        return float(np.log(volume) / 3 - np.log(pull)), -slope

    best = minimize(loss, np.zeros(16), jac=True, method="BFGS", options={"gtol": 1e-10})
    yield same(gain(np.exp(best.x)) / gain(2 * u), gold.at(), rtol=1e-9)  # r = 2 u is a ball that touches O


@check("variations.016", route="Ritz minimisation over polynomial profiles behind a flat nose")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 1, 0, degree=9)  # in the share of the way from the edge of the nose to the rim
    slopes = np.array([p.deriv()(trial.x) for p in trial.basis])

    def drag(coefficients: Any) -> Any:
        """Of a flat nose, whose radius is the first coefficient, and a polynomial behind it."""
        nose, *rest = coefficients
        x = nose + (1 - nose) * trial.x
        slope = (np.array(rest) @ slopes - 1) / (1 - nose)
        return nose**2 + (1 - nose) * trial.integral(2 * x / (1 + slope**2))

    best, least = _descend(drag, [0.5, *np.zeros(10)])
    yield same(least, gold.at(), rtol=1e-9)
    yield same(bool(0 < best[0] < 1), True)


@check("variations.017", route="least squares of the bending over pairs of quintic polynomials")
def _(gold: Gold) -> Iterator[Comparison]:
    degree, count = 5, 12
    nodes, weights = np.polynomial.legendre.leggauss(8)

    def row(x: float, piece: int, order: int = 0) -> Any:
        """Values at x of the derivatives of all monomials of one piece."""
        powers = [np.polynomial.Polynomial.basis(k) for k in range(degree + 1)]
        values = [(p.deriv(order) if order else p)(x) for p in powers]
        return np.append(values, np.zeros(6)) if piece == 0 else np.append(np.zeros(6), values)

    bending = np.zeros((count, count))
    for piece, (start, end) in enumerate([(0, 1), (1, 3)]):
        for node, weight in zip(nodes, weights, strict=True):
            second = row(start + (node + 1) * (end - start) / 2, piece, 2)
            bending += weight * (end - start) / 2 * np.outer(second, second)
    conditions = np.array([row(0, 0), row(1, 0), row(1, 1), row(3, 1), row(1, 0, 1) - row(1, 1, 1)])
    saddle = np.block([[2 * bending, conditions.T], [conditions, np.zeros((5, 5))]])
    right = np.concatenate([np.zeros(count), [0, 1, 1, 0, 0]])
    best = np.linalg.lstsq(saddle, right, rcond=None)[0][:count]
    for x in (0, 0.25, 0.875, 1, 1.5, 2.25, 3):
        yield same(float(row(x, int(x > 1)) @ best), gold.at(x=x), rtol=1e-8, atol=1e-9)


@check("variations.018", route="eigenvalues of a polynomial discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    trial = Trial(1, 0, 0, degree=16)
    values = np.array([p(trial.x) for p in trial.basis])
    slopes = np.array([p.deriv()(trial.x) for p in trial.basis])
    stiffness = (slopes * trial.weights * (1 + trial.x) ** 2) @ slopes.T
    mass = (values * trial.weights) @ values.T
    lowest = eigh(stiffness, mass, eigvals_only=True)[:3]
    yield same([float(value) for value in lowest], gold.at(), rtol=1e-8)


@check("variations.019", route="Ritz minimisation of the time")
def _(gold: Gold) -> Iterator[Comparison]:
    t, weights = _unit_nodes()

    for reach, g in [(1, 1), (2.5, 0.75)]:

        def time(coefficients: Any, reach: float = reach, g: float = g) -> Any:
            """x = reach t**3 and a drop of t**2 P(t): near the start the drop goes like x**(2/3)."""
            polynomial = np.polynomial.Polynomial(coefficients)
            p, slope = polynomial(t), polynomial.deriv()(t)
            path = np.sqrt((3 * reach * t) ** 2 + (2 * p + t * slope) ** 2)  # ds/dt over t
            return weights @ (path / np.sqrt(2 * g * p))  # the speed over t

        coefficients, least = _descend(time, [reach / 2, *np.zeros(9)])
        yield same({"time": least, "drop": float(np.sum(coefficients))}, gold.at(L=reach, g=g), rtol=3e-5)
        yield same(least, gold["time"].at(L=reach, g=g), rtol=1e-8)


@check("variations.020", route="Ritz minimisation of the time")
def _(gold: Gold) -> Iterator[Comparison]:
    t, weights = _unit_nodes()

    for s, radius, g in [(1, 1, 1), (2, 1.5, 0.75), (1.5, 0.75, 2)]:
        half = s / (2 * radius)  # azimuth from the mouth to the middle, where the shape is symmetric

        def time(coefficients: Any, half: float = half, radius: float = radius, g: float = g) -> Any:
            """Azimuth half * t**3, r**2 = R**2 exp(-t**2 P(t)), P positive, as in a fall from rest."""
            logarithm = np.polynomial.Polynomial(coefficients)
            p = np.exp(logarithm(t))
            inside = np.exp(-(t**2) * p)  # (r/R)**2
            radial = (2 + t * logarithm.deriv()(t)) * p / 2 * np.sqrt(inside)  # (-dr/dt) / (t R)
            path = radius * np.sqrt(radial**2 + inside * (3 * half * t) ** 2)  # ds/dt over t
            return 2 * (weights @ (path / np.sqrt(g * radius * (1 - inside) / t**2)))

        _, least = _descend(time, [np.log(half), *np.zeros(10)])
        yield same(least, gold.at(s=s, R=radius, g=g), rtol=1e-7)


def _unit_nodes() -> tuple[Any, Any]:
    nodes, weights = np.polynomial.legendre.leggauss(40)
    return (nodes + 1) / 2, weights / 2


def _descend(function: Callable[[Any], Any], start: list[float]) -> tuple[Any, float]:
    """Minimum of an analytic function of a few coefficients, with its gradient by a complex step."""
    unit = np.eye(len(start))

    def gradient(c: Any) -> Any:
        return np.array([function(c + 1j * COMPLEX_STEP * e).imag for e in unit]) / COMPLEX_STEP

    run = minimize(function, start, jac=gradient, method="BFGS", options={"gtol": 1e-11, "maxiter": 3000})
    return run.x, float(run.fun)
