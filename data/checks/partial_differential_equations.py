"""Checks of data/partial-differential-equations.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq, minimize_scalar

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


@check("pde.002", route="numerical minimisation along the characteristics")
def _(gold: Gold) -> Iterator[Comparison]:
    def steepness(start: Any) -> Any:
        """Slope of the speed 1 + exp(-x**2) where a characteristic starts."""
        return mp.diff(lambda x: 1 + mp.exp(-(x**2)), start)

    guess = minimize_scalar(lambda x: float(steepness(x)), bounds=(0, 3), method="bounded").x
    start = mp.findroot(lambda x: mp.diff(lambda y: mp.exp(-(y**2)), x, 2), guess)
    time = -1 / steepness(start)
    yield same((time, start + (1 + mp.exp(-(start**2))) * time), gold.at())


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


@check("pde.007", route="root finding on the growth rate of the discretised operator")
def _(gold: Gold) -> Iterator[Comparison]:
    for diffusion, rate in [(1, 1), (0.5, 3), (4, 0.75)]:

        def decay(length: float, diffusion: float = diffusion, rate: float = rate) -> float:
            """Reflected at 0, the problem is the lowest even mode between -L and L held at 0."""
            return float(diffusion * lowest_eigenvalues(Trial(2 * length, 0, 0, degree=10))[0] - rate)

        yield same(brentq(decay, 0.1, 30, xtol=1e-12), gold.at(D=diffusion, r=rate), rtol=1e-8)


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


@check("pde.009", route="eigenvalues of a spectral discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    across = lowest_eigenvalues(Trial(np.pi, 0, 0, degree=14))
    along = lowest_eigenvalues(Trial(2 * np.pi, 0, 0, degree=20), free=True)
    values = {round(float(a + b), 6) for a in across[:6] for b in along[:8]}
    yield same(sorted(values)[:5], gold.at(), rtol=1e-5)


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


@check("pde.018", route="multiplicities in a spectral discretisation")
def _(gold: Gold) -> Iterator[Comparison]:
    side = lowest_eigenvalues(Trial(np.pi, 0, 0, degree=18))[:7]
    sums = [round(float(a + b), 4) for a in side for b in side]
    yield same({value for value in sums if value < 29.5 and sums.count(value) > 1}, gold.at(), rtol=1e-5)


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
