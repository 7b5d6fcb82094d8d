"""Checks of data/partial-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from . import Comparison, Gold, check, same
from .framework.edges import edge
from .framework.ritz import Trial, lowest_eigenvalues


@check("pde.001", route="spectral collocation in x with an exponential integrator")
def _(gold: Gold) -> Iterator[Comparison]:
    size = 28
    nodes, second = _chebyshev(size)
    x = (nodes + 1) * np.pi / 2
    inner = second[1:-1, 1:-1] * (2 / np.pi) ** 2
    forcing = np.sin(2 * x[1:-1])
    # u' = A u + w forcing, w' = -w: one linear system, whose exponential is the exact flow in time
    matrix = np.zeros((size, size))
    matrix[:-1, :-1], matrix[:-1, -1], matrix[-1, -1] = inner, forcing, -1
    start = np.append(np.sin(x[1:-1]), 1.0)
    for t in (0.125, 0.5, 2):
        values = (expm(t * matrix) @ start)[:-1]
        for k in (3, 9, 17, 23):
            yield same(values[k], gold.at(x=x[1:-1][k], t=t), rtol=1e-8)


def _chebyshev(size: int) -> tuple[Any, Any]:
    """Chebyshev nodes on [-1, 1] and the matrix of the second derivative there."""
    k = np.arange(size + 1)
    nodes = np.cos(np.pi * k / size)
    weights = np.where((k == 0) | (k == size), 2.0, 1.0) * (-1.0) ** k
    gaps = nodes[:, None] - nodes[None, :] + np.eye(size + 1)
    first = np.outer(weights, 1 / weights) / gaps
    first -= np.diag(first.sum(axis=1))
    return nodes, first @ first


@check("pde.003", route="eigenvalues of the principal part and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def elliptic(y: Any) -> bool:
        values = mp.eigsy(mp.matrix([[1, y], [y, 3 * y - 2]]), eigvals_only=True)
        return bool(values[0] * values[1] > mp.mpf(10) ** -25)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(elliptic, inside=1.5, outside=-4), start, rtol=1e-8)
    yield same(edge(elliptic, inside=1.5, outside=9), end, rtol=1e-8)
    yield same((not elliptic(start), not elliptic(end)), (start_open, end_open))
    yield same([y / 8 for y in range(-80, 81) if elliptic(mp.mpf(y) / 8)], [y / 8 for y in range(9, 16)])


@check("pde.004", route="quadrature of Duhamel's integral and residual of the equation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, t, d, q in [(1, 1, 1, 1), (0.5, 2, 0.75, 3), (2, 0.5, 1.5, 0.25)]:
        # The kernel of a unit flux through the end, with tau = s**2 to remove its root
        integral = mp.quad(
            lambda s, x=x, d=d: 2 * mp.exp(-(mp.mpf(x) ** 2) / (4 * d * s**2)) if s else mp.mpf(0),
            mp.linspace(0, mp.sqrt(t), 9),
        )
        yield same(q * mp.sqrt(d / mp.pi) * integral, gold.at(x=x, t=t, D=d, q=q))

        def field(a: Any, b: Any, d: float = d, q: float = q) -> Any:
            return gold.at(x=a, t=b, D=d, q=q)

        yield same(mp.diff(field, (x, t), (0, 1)), d * mp.diff(field, (x, t), (2, 0)))
        yield same(-mp.diff(lambda a, t=t, f=field: f(a, t), mp.mpf(10) ** -9), q, rtol=1e-8)
        yield same(field(x, mp.mpf(10) ** -4), 0, atol=1e-12)


@check("pde.005", route="quadrature of Poisson's integral")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, y in [(0, 0), (0.5, 0.25), (-0.25, 0.75), (0.125, -0.5)]:
        size = mp.mpf(x) ** 2 + mp.mpf(y) ** 2
        integral = mp.quad(
            lambda t, x=x, y=y, size=size: (1 - size) / ((x - mp.cos(t)) ** 2 + (y - mp.sin(t)) ** 2),
            mp.linspace(0, mp.pi, 7),
        )
        yield same(integral / (2 * mp.pi), gold.at(x=x, y=y))


@check("pde.007", route="root finding on the growth rate of the discretised operator")
def _(gold: Gold) -> Iterator[Comparison]:
    for diffusion, rate in [(1, 1), (0.5, 3), (4, 0.75)]:

        def decay(length: float, diffusion: float = diffusion, rate: float = rate) -> float:
            """Reflected at 0, the problem is the lowest even mode between -L and L held at 0."""
            return float(diffusion * lowest_eigenvalues(Trial(2 * length, 0, 0, degree=10))[0] - rate)

        yield same(brentq(decay, 0.1, 30, xtol=1e-12), gold.at(D=diffusion, r=rate), rtol=1e-8)


@check("pde.009", route="eigenvalues of a spectral discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    across = lowest_eigenvalues(Trial(np.pi, 0, 0, degree=14))
    along = lowest_eigenvalues(Trial(2 * np.pi, 0, 0, degree=20), free=True)
    values = {round(float(a + b), 6) for a in across[:6] for b in along[:8]}
    yield same(sorted(values)[:5], gold.at(), rtol=1e-5)


@check("pde.012", route="shooting for the similarity profile")
def _(gold: Gold) -> Iterator[Comparison]:
    # u = 1 - g(eta)/g(mu) with eta = x/(2 sqrt t), g'' = -2 eta g'; the front's law is g' = 2 mu g at mu
    with mp.workdps(20):
        profile = mp.odefun(lambda eta, state: [state[1], -2 * eta * state[1]], 0, [0, 1])
        front = mp.findroot(
            lambda mu: profile(mu)[1] - 2 * mu * profile(mu)[0], (0.3, 0.9), solver="anderson"
        )
        yield same(front, gold.at(), rtol=1e-12)


@check("pde.013", route="quadrature of Poisson's integral for the odd continuation")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 400
    angles = 2 * np.pi * np.arange(nodes) / nodes
    boundary = np.sin(angles) + np.sin(3 * angles)  # odd in the angle, so it vanishes on the diameter
    for r, theta, a in [(0.5, 1, 1), (1, 2.5, 1.5), (0.25, 0.5, 2)]:
        kernel = (a**2 - r**2) / (a**2 - 2 * a * r * np.cos(angles - theta) + r**2)
        yield same(float(np.mean(kernel * boundary)), gold.at(r=r, theta=theta, a=a))


@check("pde.014", route="quadrature against the heat kernel")
def _(gold: Gold) -> Iterator[Comparison]:
    y = np.arange(-1000, 1001) / 100
    start = np.exp(-(y**2)) * np.cos(2 * y)
    for x, t in [(0, 0.25), (1, 1), (-2, 0.5)]:
        kernel = np.exp(-((x - y) ** 2) / (4 * t)) / np.sqrt(4 * np.pi * t)
        yield same(float(np.sum(kernel * start)) / 100, gold.at(x=x, t=t))


@check("pde.015", route="numerical eigenvalues of the principal part")
def _(gold: Gold) -> Iterator[Comparison]:
    values = np.linalg.eigvalsh(np.array([[1, 2, 0], [2, 4, 0], [0, 0, 1.0]]))
    signs = [int(np.sign(np.round(value, 9))) for value in values]
    up, down = signs.count(1), signs.count(-1)
    if 0 in signs:
        kind = "degenerate with eigenvalues of " + ("both signs" if up and down else "one sign")
    elif up and down:
        kind = "hyperbolic" if min(up, down) == 1 else "ultrahyperbolic"
    else:
        kind = "elliptic"
    yield same(kind, gold.at())


@check("pde.018", route="multiplicities in a spectral discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    side = lowest_eigenvalues(Trial(np.pi, 0, 0, degree=18))[:7]
    sums = [round(float(a + b), 4) for a in side for b in side]
    yield same({value for value in sums if value < 29.5 and sums.count(value) > 1}, gold.at(), rtol=1e-5)


@check("pde.020", route="quadrature of the mode's projection and the energies")
def _(gold: Gold) -> Iterator[Comparison]:
    zero = mp.besseljzero(0, 1)

    def integral(function: Any) -> Any:
        return mp.quad(lambda r: r * function(r), [0, 0.5, 1])

    projection = integral(lambda r: (1 - r**2) * mp.besselj(0, zero * r))
    norm = integral(lambda r: mp.besselj(0, zero * r) ** 2)
    amplitude = projection / norm
    mode = integral(lambda r: (amplitude * zero * mp.besselj(1, zero * r)) ** 2)
    yield same(mode / integral(lambda r: 4 * r**2), gold.at(), rtol=1e-12)
