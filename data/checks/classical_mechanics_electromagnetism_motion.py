"""Checks of data/classical-mechanics-electromagnetism.jsonl: orbits, stability, conservation, fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("mechem.012", route="farthest points over all directions of launch, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    def distance(launch: float, azimuth: float) -> float:
        """Distance from the origin at which the orbit crosses the ray of this azimuth."""
        position, speed = np.array([1.0, 0.0]), np.array([np.cos(launch), np.sin(launch)])
        spin = position[0] * speed[1] - position[1] * speed[0]
        axis = np.array([speed[1] * spin, -speed[0] * spin]) - position  # v x L - r/|r|
        return float(spin**2 / (1 + axis @ [np.cos(azimuth), np.sin(azimuth)]))

    for azimuth in (0.25, 1, 2, 3, 4.5):
        scan = np.linspace(0.01, np.pi - 0.01, 200)
        # launches into the lower half plane follow the same set of orbits backwards
        best = scan[np.argmax([distance(launch, azimuth) for launch in scan])]
        found = minimize_scalar(
            lambda launch, azimuth=azimuth: -distance(launch, azimuth),
            bounds=(best - 0.02, best + 0.02),
            method="bounded",
            options={"xatol": 1e-10},
        )
        x, y = -found.fun * np.cos(azimuth), -found.fun * np.sin(azimuth)
        yield same(gold.at(x=x, y=y), 0, atol=1e-8)


@check("mechem.013", route="numerical integration of the motion until the normal force vanishes")
def _(gold: Gold) -> Iterator[Comparison]:
    def accelerations(angle: float, rate: float) -> Any:
        """Of the half ball and of the angle, and the normal force, for m = M = R = g = 1."""
        sine, cosine = np.sin(angle), np.cos(angle)
        # particle across and up, half ball across
        rows = [[1, cosine, -sine], [0, -sine, -cosine], [1, 0, sine]]
        return np.linalg.solve(rows, [rate**2 * sine, rate**2 * cosine - 1, 0])

    def flow(_: float, state: Any) -> list[float]:
        return [state[1], accelerations(*state)[1]]

    def normal(_: float, state: Any) -> float:
        return float(accelerations(*state)[2])

    normal.terminal = True  # type: ignore[attr-defined]
    path = solve_ivp(flow, (0, 60), [1e-6, 0], events=normal, method="DOP853", rtol=1e-11, atol=1e-14)
    yield same(float(np.cos(path.y_events[0][0][0])), gold.at(), rtol=1e-8)


@check("mechem.014", route="eigenvalues from a numerically differentiated potential, and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def oscillates(mass: Any) -> bool:
        mass = mp.mpf(mass)

        def potential(x: Any, y: Any) -> Any:
            """Attraction of both bodies and centrifugal force; the bodies circle with the rate 1."""
            near, far = mp.hypot(x + mass, y), mp.hypot(x + mass - 1, y)
            return -(1 - mass) / near - mass / far - (x**2 + y**2) / 2

        rest = (mp.mpf(1) / 2 - mass, mp.sqrt(3) / 2)
        xx, xy, yy = (mp.diff(potential, rest, order) for order in ((2, 0), (1, 1), (0, 2)))
        flow = [[0, 0, 1, 0], [0, 0, 0, 1], [-xx, -xy, 0, 2], [-xy, -yy, -2, 0]]
        exponents = np.linalg.eigvals(np.array(flow, dtype=float))
        gaps = [abs(a - b) for i, a in enumerate(exponents) for b in exponents[:i]]
        return bool(np.max(np.abs(exponents.real)) < 1e-6 and min(gaps) > 1e-6)

    start, end, *opened = gold.ends()
    yield same(edge(oscillates, inside=0.02, outside=0.25), end, rtol=1e-8)
    yield same((start, opened), (0, [True, True]))
    yield same([oscillates(m) for m in (1e-6, 1e-3, 0.03, 0.1, 0.3, 0.5)], [True] * 3 + [False] * 3)
    yield same(oscillates(end), False)


POTENTIALS: dict[str, Any] = {
    "A": lambda x, y, z: mp.log(x**2 + y**2 + 1) + x * y,
    "B": lambda x, y, z: z * (x**2 + y**2),
    "C": lambda x, y, z: x * mp.cos(z) + y * mp.sin(z),
    "D": lambda x, y, z: x * mp.cos(z) + y * mp.sin(2 * z),
    "E": lambda x, y, z: (x**2 - y**2) * mp.cos(2 * z) + 2 * x * y * mp.sin(2 * z),
    "F": lambda x, y, z: x * y * z,
    "G": lambda x, y, z: (x + y) ** 2 - 2 * x * y + mp.exp(-z),
    "H": lambda x, y, z: (x**2 - y**2) * mp.cos(z) + 2 * x * y * mp.sin(2 * z),
}


@check("mechem.015", route="rank of numerical force and torque components at random points")
def _(gold: Gold) -> Iterator[Comparison]:
    points = np.random.default_rng(5).uniform(-2, 2, size=(12, 3))
    letters = ""
    for letter, potential in POTENTIALS.items():
        rates = []
        for x, y, z in points:
            slope = [
                mp.diff(potential, (x, y, z), tuple(int(k == axis) for k in range(3))) for axis in range(3)
            ]
            rates.append([float(-slope[2]), float(y * slope[0] - x * slope[1])])
        smallest = np.linalg.svd(np.array(rates), compute_uv=False)[1]
        letters += letter if smallest < 1e-10 else ""
    yield same(letters, gold.at())


@check("mechem.016", route="dimensions of the spaces of divergence-free standing waves")
def _(gold: Gold) -> Iterator[Comparison]:
    modes: Counter[int] = Counter()
    for numbers in product(range(12), repeat=3):
        wave = np.array(numbers) / [3, 2, 1]
        # E_x ~ cos sin sin and so on: a component needs both of its sine factors; the amplitudes are
        # perpendicular to the wave vector
        present = [all(numbers[k] for k in range(3) if k != axis) for axis in range(3)]
        dimension = sum(present) - int(any(wave[present]))
        modes[round(36 * float(wave @ wave))] += dimension if any(numbers) else 0
    lowest = sorted((n, count) for n, count in modes.items() if count)
    yield same(lowest[:8], gold.at(), rtol=0)


@check("mechem.017", route="numerical integration of the velocity")
def _(gold: Gold) -> Iterator[Comparison]:
    for force, mass, c, across, t in [(1, 1, 1, 1, 2), (2, 0.5, 3, 0.75, 1.25), (0.5, 2, 1.5, 4, 8)]:

        def velocity(s: Any, axis: int, args: Any = (force, mass, c, across)) -> Any:
            momentum = (args[0] * s, args[3])
            return momentum[axis] / mp.sqrt(mp.mpf(args[1]) ** 2 + mp.norm(momentum) ** 2 / args[2] ** 2)

        place = tuple(mp.quad(lambda s, axis=axis, v=velocity: v(s, axis), [0, t]) for axis in (0, 1))
        yield same(place, gold.at(t=t, F=force, m=mass, c=c, p0=across), rtol=1e-15)


@check("mechem.018", route="multipole expansion fitted to the boundary values")
def _(gold: Gold) -> Iterator[Comparison]:
    angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    for r1, r2, d, permittivity in [(1, 1, 3, 1), (1, 0.5, 2, 2), (0.75, 2, 4, 0.5)]:
        points = np.concatenate([r1 * np.exp(1j * angles), d + r2 * np.exp(1j * angles)])
        first, second = r1 / points, r2 / (points - d)
        columns = [part**n for n in range(1, 40) for part in (first, second)]
        # unit line charges of opposite sign, multipoles, and minus the two constant boundary values
        walls = [np.repeat([-1.0, 0.0], 120), np.repeat([0.0, -1.0], 120)]
        matrix = np.stack([column.real for column in columns] + walls, axis=1)
        charges = (np.log(np.abs(first) / r1) - np.log(np.abs(second) / r2)) / (2 * np.pi * permittivity)
        solution, *_ = np.linalg.lstsq(matrix, -charges)
        assert np.max(np.abs(matrix @ solution + charges)) < 1e-9, "the expansion does not fit"
        voltage = solution[-2] - solution[-1]
        yield same(
            1 / float(voltage), gold.at(R1=r1, R2=r2, s=d - r1 - r2, epsilon_0=permittivity), rtol=1e-8
        )


@check("mechem.019", route="integration of disturbed circular orbits over two revolutions")
def _(gold: Gold) -> Iterator[Comparison]:
    size, steps = 1e-4, 600  # even: the middle of the integration is one revolution

    def returns(n: Any) -> tuple[Any, Any, Any]:
        """Disturbance after one and two revolutions and its slope after two, in units of the first one."""
        u, v, h = np.full_like(n, 1 + size), np.zeros_like(n), 4 * np.pi / steps
        half = u
        for step in range(steps):
            if step == steps // 2:
                half = u
            k1, l1 = v, u ** (-n - 2) - u  # u = 1/r against the azimuth, for the angular momentum of r = 1
            k2, l2 = v + h / 2 * l1, (u + h / 2 * k1) ** (-n - 2) - (u + h / 2 * k1)
            k3, l3 = v + h / 2 * l2, (u + h / 2 * k2) ** (-n - 2) - (u + h / 2 * k2)
            k4, l4 = v + h * l3, (u + h * k3) ** (-n - 2) - (u + h * k3)
            u, v = u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        return (half - 1) / size, (u - 1) / size, v / size

    low = np.linspace(-2.99, 3.99, 300)
    slopes = returns(low)[2]
    brackets = np.flatnonzero(slopes[:-1] * slopes[1:] < 0)
    left, right = low[brackets], low[brackets + 1]
    a, b = slopes[brackets], slopes[brackets + 1]
    for _ in range(6):  # regula falsi, all roots at once
        middle = (left * b - right * a) / (b - a)
        value = returns(middle)[2]
        same_side = value * a > 0
        left, a = np.where(same_side, middle, left), np.where(same_side, value, a)
        right, b = np.where(same_side, right, middle), np.where(same_side, b, value)
    once, twice, _ = returns(middle)
    closed = {float(n) for n, one, two in zip(middle, once, twice, strict=True) if two > 0.99 and one < 0.99}
    yield same(closed, gold.at(), rtol=1e-5)
