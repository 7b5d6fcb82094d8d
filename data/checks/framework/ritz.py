"""The direct method of the calculus of variations: polynomials, Gauss quadrature, Newton's method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize

COMPLEX_STEP = 1e-30
"""Step of the derivative Im f(c + ih)/h, which has no cancellation: functionals must be analytic."""

NODES = 40
"""Gauss points on the interval: integrates the smooth integrands of the checks to machine precision."""


class Trial:
    """Functions on [0, length]: the line between the end values plus x (length - x) times a polynomial."""

    def __init__(self, length: float, start: float, end: float, degree: int) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        self.length = length
        self.x = (nodes + 1) * length / 2
        self.weights = weights * length / 2
        self.line = np.polynomial.Polynomial([start, (end - start) / length])
        bubble = np.polynomial.Polynomial([0, length, -1])
        self.basis = [
            bubble
            * np.polynomial.Legendre.basis(k, domain=[0, length]).convert(kind=np.polynomial.Polynomial)
            for k in range(degree + 1)
        ]

    def function(self, coefficients: Any) -> Any:
        """The polynomial with these coefficients of the basis."""
        return sum((c * p for c, p in zip(coefficients, self.basis, strict=True)), self.line)

    def integral(self, values: Any) -> Any:
        """Integral over the interval of a function given at the Gauss points; complex values stay complex."""
        return np.sum(self.weights * values)


def minimise(trial: Trial, functional: Callable[[Any], Any]) -> tuple[Any, float]:
    """The trial polynomial that minimises an analytic functional of it, and the minimum."""
    unit = np.eye(len(trial.basis))

    def gradient(coefficients: Any) -> Any:
        shifted = (functional(trial.function(coefficients + 1j * COMPLEX_STEP * e)) for e in unit)
        return np.array([value.imag for value in shifted]) / COMPLEX_STEP

    found = minimize(
        lambda c: float(functional(trial.function(c))),
        np.zeros(len(unit)),
        jac=gradient,
        method="BFGS",
        options={"gtol": 1e-12, "maxiter": 2000},
    )
    return trial.function(found.x), float(found.fun)


def minimise_quadratic(
    trial: Trial, functional: Callable[[Any], float], constraint: Callable[[Any], float] | None = None
) -> tuple[Any, float]:
    """The same for a quadratic functional, exactly; the linear `constraint`, if any, is set to 1."""
    count = len(trial.basis)
    unit = np.eye(count)
    base = functional(trial.function(np.zeros(count)))
    single = np.array([functional(trial.function(e)) for e in unit])
    double = np.array([[functional(trial.function(e + f)) for f in unit] for e in unit])
    hessian = double - single[:, None] - single[None, :] + base
    gradient = single - base - np.diag(hessian) / 2
    if constraint is None:
        best = np.linalg.solve(hessian, -gradient)
    else:
        offset = constraint(trial.function(np.zeros(count)))
        row = np.array([constraint(trial.function(e)) for e in unit]) - offset
        saddle = np.block([[hessian, row[:, None]], [row[None, :], np.zeros((1, 1))]])
        best = np.linalg.solve(saddle, np.append(-gradient, 1 - offset))[:count]
    function = trial.function(best)
    return function, functional(function)


def lowest_eigenvalues(
    trial: Trial, *, weight: Callable[[Any], Any] = np.ones_like, free: bool = False
) -> Any:
    """Eigenvalues of -y'' = value weight(x) y on the trial interval, in rising order, by Rayleigh and Ritz.

    The ends are held at 0, or with `free` the derivative vanishes there (the natural condition).
    """
    basis: list[Any] = list(trial.basis)
    if free:
        basis = [np.polynomial.Legendre.basis(k, domain=[0, trial.length]) for k in range(len(basis))]
    slopes = np.array([p.deriv()(trial.x) for p in basis])
    values = np.array([p(trial.x) for p in basis])
    stiffness = (slopes * trial.weights) @ slopes.T
    mass = (values * trial.weights * weight(trial.x)) @ values.T
    return eigh(stiffness, mass, eigvals_only=True)
