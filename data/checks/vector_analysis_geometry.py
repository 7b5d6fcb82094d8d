"""Checks of data/vector-analysis.jsonl: fields on whole domains, curves and surfaces in space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp
import numpy as np
import sympy
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from . import Comparison, Gold, check, same
from .framework.edges import edge

TINY = 1e-30
"""Step of the derivative Im f(c + ih)/h, which has no cancellation: fields must be analytic."""


def _jacobian(field: Callable[[Any], Any], place: Any) -> Any:
    """Matrix of the derivatives of the field's components (rows) by the coordinates (columns)."""
    columns = [np.array(field(np.asarray(place) + 1j * TINY * e)).imag / TINY for e in np.eye(len(place))]
    return np.stack(columns, axis=-1)


def _curl(field: Callable[[Any], Any], place: Any) -> Any:
    d = _jacobian(field, place)
    return np.array([d[2, 1] - d[1, 2], d[0, 2] - d[2, 0], d[1, 0] - d[0, 1]])


@check("vector.013", route="numerical curls, and circulations round the holes of the domains")
def _(gold: Gold) -> Iterator[Comparison]:
    def whirl(x: Any, y: Any) -> Any:
        return np.array([-y, x, 0 * x]) / (x**2 + y**2)

    # (field, points of the domain, radius of the loop round the z axis that spans no surface in the domain)
    anywhere = [(0.5, -1, 2), (1.5, 0.25, -0.75)]
    outside = [(2.5, -1, 2), (-1.5, 2.25, -0.75)]
    cases: list[tuple[Callable[[Any], Any], list[tuple[float, ...]], float | None]] = [
        (lambda r: whirl(r[0], r[1]), anywhere, 1),
        (lambda r: whirl(r[0], r[1]), anywhere, None),
        (lambda r: r / np.sqrt(r @ r) ** 3, anywhere, None),
        (lambda r: np.array([r[1] * r[2], r[0] * r[2] + r[0], r[0] * r[1]]), anywhere, None),
        (lambda r: whirl(r[0] - 1, r[1]) - whirl(r[0] + 1, r[1]), outside, 3),
        (lambda r: whirl(r[0] - 1, r[1]) + whirl(r[0] + 1, r[1]), outside, 3),
    ]

    def circulation(field: Callable[[Any], Any], radius: float) -> float:
        angles = 2 * np.pi * np.arange(200) / 200
        steps = [
            field(radius * np.array([np.cos(t), np.sin(t), 0])) @ [-np.sin(t), np.cos(t), 0] for t in angles
        ]
        return float(np.sum(steps)) * radius * 2 * np.pi / 200

    conservative = []
    for field, places, radius in cases:
        curls = max(float(np.max(np.abs(_curl(field, place)))) for place in places)
        turned = abs(circulation(field, radius)) if radius else 0.0
        conservative.append(curls < 1e-12 and turned < 1e-12)
    yield same(conservative, gold.at())


@check("vector.014", route="root finding for the curvature form in a tangent frame, from many starts")
def _(gold: Gold) -> Iterator[Comparison]:
    weights = np.array([1 / 9, 1 / 5, 1])

    def shape(angles: Any, pole: int) -> tuple[Any, Any, Any]:
        """Point, and the two entries of the second form's trace-free part in an orthonormal tangent frame."""
        polar, azimuth = angles
        turn = [np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)]
        place = np.roll(turn, pole) / np.sqrt(weights)
        normal = weights * place / np.linalg.norm(weights * place)
        first = np.cross(np.roll([0, 0, 1.0], pole), normal)
        first /= np.linalg.norm(first)
        second = np.cross(normal, first)
        form = np.diag(weights)
        return place, first @ form @ first - second @ form @ second, first @ form @ second

    found = []
    for pole in (0, 1):  # two axes of the angles, for either has its own singular points
        for polar in np.linspace(0.3, 2.8, 6):
            for azimuth in np.linspace(0.1, 6.1, 7):
                root, _, status, _ = fsolve(
                    lambda angles, pole=pole: shape(angles, pole)[1:],
                    (polar, azimuth),
                    full_output=True,
                    xtol=1e-13,
                )
                place, *rest = shape(root, pole)
                if status == 1 and max(map(abs, rest)) < 1e-12 and abs(np.sin(root[0])) > 1e-3:
                    found.append(tuple(float(c) for c in place))
    points: set[tuple[float, ...]] = set()
    for place in found:
        if all(np.linalg.norm(np.subtract(place, other)) > 1e-6 for other in points):
            points.add(place)
    yield same(points, gold.at(), rtol=1e-8, atol=1e-8)


@check("vector.015", route="quadrature of the potential of spherical shells")
def _(gold: Gold) -> Iterator[Comparison]:
    for r, a in [(1, 1), (0.25, 2), (3, 0.75)]:
        # a shell of radius s has the potential -source/(4 pi max(r, s))
        potential = mp.quad(
            lambda s, r=r, a=a: -mp.exp(-((s / a) ** 2)) * s**2 / max(r, s), [0, r, r + 3 * a, r + 9 * a]
        )
        yield same(potential, gold.at(r=r, a=a))


@check("vector.016", route="surface quadrature over the cylindrical faces")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (1, 0.75, 2):
        # on x = a cos t, y = a sin t the body reaches up to |z| = a min(|sin t|, |cos t|), and
        # F.n = a**3 (cos**4 t + sin**4 t)
        face = mp.quad(
            lambda t, a=a: (
                a**3 * (mp.cos(t) ** 4 + mp.sin(t) ** 4) * 2 * a * min(abs(mp.sin(t)), abs(mp.cos(t))) * a
            ),
            mp.linspace(0, 2 * mp.pi, 9),
        )
        yield same(3 * face, gold.at(a=a))


@check("vector.017", route="numerical curl and the conditions on plane and line")
def _(gold: Gold) -> Iterator[Comparison]:
    names = sympy.symbols("x y z", real=True)
    yield same(3, len(gold.value), rtol=0)
    potential = sympy.lambdify(names, list(gold.value), "numpy")
    for x, y, z in [(0.5, -1, 2), (1.5, 0.25, -0.75), (-2, 3, 1)]:
        field = (x * z, x**2 - 2 * y * z, z**2 / 2 + x * y)
        computed = _curl(lambda r: potential(*r), (x, y, z))
        yield same([float(c) for c in computed], list(field), atol=1e-12)
        yield same(
            [0, 0, 0], [gold.at(x=x, y=y, z=z)[2], gold.at(x=x, y=y, z=0)[0], gold.at(x=0, y=y, z=0)[1]]
        )


@check("vector.018", route="numerical integration of the field line")
def _(gold: Gold) -> Iterator[Comparison]:
    def potential(place: Any) -> Any:
        x, z = place
        return [(2 * z**2 - x**2) / (x**2 + z**2) ** 2.5]

    def direction(_: float, place: Any) -> Any:
        slope = _jacobian(potential, place)[0]
        return slope / np.linalg.norm(slope)

    for span in (0.7, -0.9):
        line = solve_ivp(direction, (0, span), [1.0, 1.0], method="DOP853", rtol=1e-12, atol=1e-12)
        for x, z in line.y.T[1:]:
            yield same(gold.at(x=float(x), z=float(z)), 0, atol=1e-8)
            yield same(bool(abs(gold.at(x=float(x), z=float(1.01 * z))) > 1e-4), True)
    factors = sympy.factor_list(gold.value.lhs - gold.value.rhs)[1]
    yield same([exponent for _, exponent in factors], [1], rtol=0)


@check("vector.019", route="crossings of polygons in a projection, and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    corners = 360
    angles = 2 * np.pi * np.arange(corners + 1) / corners
    # looked at along a direction in general position
    frame = np.linalg.qr(np.array([[0.31, 1, 0.2], [0.87, -0.3, 0.1], [0.42, 0.1, 1]]))[0]
    flat = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1) @ frame

    def linking(d: float) -> int:
        """Half the sum of the signed crossings of the two projected polygons."""
        upright = np.stack([d + np.cos(angles) / 2, 0 * angles, 0.25 + np.sin(angles) / 2], axis=1) @ frame
        p, q = flat[:-1, None], upright[None, :-1]
        u, v = (flat[1:] - flat[:-1])[:, None], (upright[1:] - upright[:-1])[None]
        gap = q - p
        area = u[..., 1] * v[..., 2] - u[..., 2] * v[..., 1]
        s = (gap[..., 1] * v[..., 2] - gap[..., 2] * v[..., 1]) / area
        t = (gap[..., 1] * u[..., 2] - gap[..., 2] * u[..., 1]) / area
        crosses = (s >= 0) & (s < 1) & (t >= 0) & (t < 1)
        above = gap[..., 0] + t * v[..., 0] - s * u[..., 0]
        return int(np.sum(np.sign(area * above)[crosses])) // 2

    start, end, *opened = gold.ends()
    left = edge(lambda d: linking(float(d)) != 0, inside=1, outside=0.01)
    right = edge(lambda d: linking(float(d)) != 0, inside=1, outside=3)
    yield same((left, right), (start, end), rtol=1e-4)
    # at both ends the wires touch: their distance is zero there
    for d in (start, end):
        places = [(d + sign * mp.sqrt(mp.mpf(1) / 4 - mp.mpf(1) / 16), 0) for sign in (1, -1)]
        yield same(min(abs(x**2 + y**2 - 1) for x, y in places), 0, atol=1e-12)
    yield same([True, True], opened)


@check("vector.020", route="numerical integration of parallel transport")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 2.25):

        def change(t: float, vector: Any, a: float = a) -> Any:
            """The derivative has no tangential part: V' = -(V . n') n."""
            size = np.sqrt(1 + a**2)
            normal = np.array([-a * np.cos(t), -a * np.sin(t), 1]) / size
            turning = np.array([a * np.sin(t), -a * np.cos(t), 0]) / size
            return -(vector @ turning) * normal

        begin = np.array([0.0, 1, 0])
        run = solve_ivp(change, (0, 2 * np.pi), begin, method="DOP853", rtol=1e-12, atol=1e-13)
        yield same(float(run.y[:, -1] @ begin), gold.at(a=a), rtol=1e-8)
