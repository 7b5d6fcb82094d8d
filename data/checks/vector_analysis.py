"""Checks of data/vector-analysis.jsonl; those of 013 and above: vector_analysis_geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("vector.001", route="numerical derivatives of the surface")
def _(gold: Gold) -> Iterator[Comparison]:
    def point(u: Any, v: Any) -> list[Any]:
        return [u * mp.cos(v), u * mp.sin(v), u**2 + v]

    for u, v in [(1, 0.5), (0.25, -2), (3, 4)]:
        along_u, along_v = (
            [mp.diff(lambda a, b, i=i: point(a, b)[i], (u, v), order) for i in range(3)]
            for order in [(1, 0), (0, 1)]
        )
        metric = [[mp.fdot(a, b) for b in (along_u, along_v)] for a in (along_u, along_v)]
        yield same(metric, gold.at(u=u, v=v), atol=1e-12)


@check("vector.002", route="surface quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    around = 32  # the trapezoidal rule is exact for the few harmonics in phi
    angles = [2 * mp.pi * k / around for k in range(around)]
    with mp.workdps(15):
        for a in (1, 0.75, 2):

            def density(theta: Any, phi: Any, a: float = a) -> Any:
                normal = [mp.sin(theta) * mp.cos(phi), mp.sin(theta) * mp.sin(phi), mp.cos(theta)]
                x, y, z = (a * n for n in normal)
                field = [x**3 + y * mp.exp(z), y**3 - x * z, z**3 + x**2]
                return mp.fdot(field, normal) * a**2 * mp.sin(theta)

            flux = mp.quad(lambda theta, f=density: mp.fsum(f(theta, phi) for phi in angles), [0, mp.pi / 2])
            yield same(flux * 2 * mp.pi / around, gold.at(a=a))


@check("vector.003", route="line quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, c, m in [(1, 2, 1), (1.5, -0.5, 0.75), (2, 1, -3)]:
        nodes, terms = 64, []
        for k in range(nodes):
            t = 2 * mp.pi * k / nodes
            x, y = a * mp.cos(t), a * mp.sin(t)
            z, velocity = c + m * y, [-y, x, m * x]
            terms.append(mp.fdot([z**2, x**2, y**2], velocity))
        yield same(mp.fsum(terms) * 2 * mp.pi / nodes, gold.at(a=a, c=c, m=m))


@check("vector.004", route="divergence, flux through a sphere, and curl of a potential built by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    # A divergence-free field on space minus a point is a curl exactly if its flux through a sphere vanishes.
    def field(x: Any, y: Any, z: Any) -> list[Any]:
        r = mp.sqrt(x**2 + y**2 + z**2)
        return [3 * x * z / r**5, 3 * y * z / r**5, (3 * z**2 - r**2) / r**5]

    nodes = 24
    angles = [2 * mp.pi * k / nodes for k in range(nodes)]

    def ring(height: Any) -> Any:
        radius = mp.sqrt(1 - height**2)
        spots = [(radius * mp.cos(t), radius * mp.sin(t), height) for t in angles]
        return mp.fsum(mp.fdot(field(*spot), spot) for spot in spots) / nodes

    flux = 2 * mp.pi * mp.quad(ring, [-1, 0, 1])
    for place in [(0.5, -0.25, 1), (-1, 2, 0.3)]:
        yield same(_divergence(field, place), 0, atol=1e-10)
    yield same(bool(abs(flux) < 1e-12), gold.at())
    # The field is axisymmetric without swirl: the potential (flux through the cap above) / (2 pi rho)
    # round the axis has it as its curl, and is smooth on both half axes if the total flux vanishes.
    for rho, z in [(0.5, 0.75), (1, -0.5)]:

        def stream(a: Any, b: Any) -> Any:
            return mp.quad(lambda s: s * field(s, mp.mpf(0), b)[2], [0, a])

        radial, _, axial = field(mp.mpf(rho), mp.mpf(0), mp.mpf(z))
        with mp.workdps(15):
            slopes = [mp.diff(stream, (rho, z), order) / rho for order in [(1, 0), (0, 1)]]
        yield same([slopes[0], -slopes[1]], [axial, radial], rtol=1e-6)


def _divergence(field: Callable[..., list[Any]], place: tuple[float, ...]) -> Any:
    orders = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    return mp.fsum(
        mp.diff(lambda x, y, z, i=i: field(x, y, z)[i], place, order) for i, order in enumerate(orders)
    )


@check("vector.005", route="Cartesian differentiation, projected on the unit vectors")
def _(gold: Gold) -> Iterator[Comparison]:
    def field(x: Any, y: Any, z: Any) -> list[Any]:
        """r**2 sin(theta) times the azimuthal unit vector (-y, x, 0)/(r sin(theta))."""
        r = mp.sqrt(x**2 + y**2 + z**2)
        return [-r * y, r * x, mp.mpf(0)]

    for r, theta, phi in [(1, 0.5, 0.25), (2.5, 1.25, -2)]:
        sine, cosine = mp.sin(theta), mp.cos(theta)
        outward = [sine * mp.cos(phi), sine * mp.sin(phi), cosine]
        downward = [cosine * mp.cos(phi), cosine * mp.sin(phi), -sine]
        around = [-mp.sin(phi), mp.cos(phi), mp.mpf(0)]
        place = tuple(r * part for part in outward)

        def slope(i: int, j: int, place: Any = place) -> Any:
            order = tuple(int(k == j) for k in range(3))
            return mp.diff(lambda x, y, z: field(x, y, z)[i], place, order)

        curl = [slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)]
        parts = tuple(mp.fdot(curl, unit) for unit in (outward, downward, around))
        yield same(parts, gold.at(r=r, theta=theta), atol=1e-10)


@check("vector.006", route="area of a fine triangulation, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (1, 0.5, 2):

        def area(size: int, a: float = a) -> float:
            radius = np.linspace(0, a, size + 1)[:, None]
            angle = np.linspace(0, 2 * np.pi, 4 * size + 1)[None, :]
            x, y = radius * np.cos(angle), radius * np.sin(angle)
            mesh = np.stack([x, y, x * y], axis=-1)
            p, q, r, s = mesh[:-1, :-1], mesh[1:, :-1], mesh[1:, 1:], mesh[:-1, 1:]
            triangles = [np.cross(q - p, r - p), np.cross(r - p, s - p)]
            return float(sum(np.linalg.norm(normal, axis=-1).sum() for normal in triangles) / 2)

        coarse, middle, fine = (area(30 * 2**k) for k in range(3))
        first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
        yield same((16 * first[1] - first[0]) / 15, gold.at(a=a), rtol=1e-6)


@check("vector.007", route="surface quadrature of the flux of the inverse-square field")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for a, b, h in [(1, 1, 1), (0.5, 2, 0.75), (1.5, 0.25, 2)]:
        x, y = a * nodes[:, None], b * nodes[None, :]
        flux = h / (x**2 + y**2 + h**2) ** 1.5
        total = a * b * float(weights @ flux @ weights)
        yield same(total, gold.at(a=a, b=b, h=h), rtol=1e-10)


@check("vector.008", route="numerical second derivatives")
def _(gold: Gold) -> Iterator[Comparison]:
    c, place = [1, -2, 0.5], (0.5, 1, -0.75)
    r = mp.sqrt(mp.fdot(place, place))
    for n in (1, -3, 2.5, -1):

        def field(x: Any, y: Any, z: Any, n: float = n) -> Any:
            return mp.sqrt(x**2 + y**2 + z**2) ** n * mp.fdot(c, (x, y, z))

        laplacian = mp.fsum(mp.diff(field, place, order) for order in [(2, 0, 0), (0, 2, 0), (0, 0, 2)])
        factor = laplacian / (r ** (n - 2) * mp.fdot(c, place))
        yield same(factor, gold.at(n=n), atol=1e-9)


@check("vector.009", route="numerical second derivatives")
def _(gold: Gold) -> Iterator[Comparison]:
    orders = [[tuple(int(k == i) + int(k == j) for k in range(3)) for j in range(3)] for i in range(3)]
    hessian = [
        [mp.diff(lambda x, y, z: 1 / mp.sqrt(x**2 + y**2 + z**2), (1, 2, 2), order) for order in row]
        for row in orders
    ]
    yield same(hessian, gold.at())


@check("vector.010", route="fundamental forms from numerical derivatives")
def _(gold: Gold) -> Iterator[Comparison]:
    for u, v, c in [(0.5, 1, 1), (2, -0.75, 0.5), (-1, 3, 2)]:

        def rise(_: Any, q: Any, c: float = c) -> Any:
            return c * q

        parts: list[Any] = [lambda p, q: p * mp.cos(q), lambda p, q: p * mp.sin(q), rise]

        def derivative(order: tuple[int, int], place: Any = (u, v), parts: Any = parts) -> list[Any]:
            return [mp.diff(part, place, order) for part in parts]

        along_u, along_v = derivative((1, 0)), derivative((0, 1))
        normal = _cross(along_u, along_v)
        size = mp.sqrt(mp.fdot(normal, normal))
        first = [mp.fdot(a, b) for a, b in ((along_u, along_u), (along_u, along_v), (along_v, along_v))]
        second = [mp.fdot(derivative(order), normal) / size for order in [(2, 0), (1, 1), (0, 2)]]
        determinant = first[0] * first[2] - first[1] ** 2
        gaussian = (second[0] * second[2] - second[1] ** 2) / determinant
        mean = (first[0] * second[2] - 2 * first[1] * second[1] + first[2] * second[0]) / (2 * determinant)
        yield same({"gaussian": gaussian, "mean": mean}, gold.at(u=u, c=c), atol=1e-12)


def _cross(a: list[Any], b: list[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


@check("vector.011", route="points of the surface near the point of contact")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same(gold.at(x=1, y=2, z=2), 0, atol=1e-20)
    for dx, dy in [(1, 0), (0, 1), (1, -2)]:
        distances = []
        for step in (mp.mpf("1e-4"), mp.mpf("5e-5")):
            x, y = 1 + dx * step, 2 + dy * step
            z = mp.cbrt((18 - x**2 * y) / y)
            distances.append(gold.at(x=x, y=y, z=z))
        # a tangent plane is left behind quadratically
        yield same(distances[0] / distances[1], 4, rtol=1e-3)
    yield same(abs(gold.at(x=1, y=2, z=3)) > 1e-3, True)


@check("vector.012", route="trapezoidal rule on the torus")
def _(gold: Gold) -> Iterator[Comparison]:
    size = 400
    t = np.arange(size) * 2 * np.pi / size
    zero, tube = 0 * t, 2 + np.cos(3 * t)
    first = np.stack([2 * np.cos(t), 2 * np.sin(t), zero], axis=-1)
    second = np.stack([tube * np.cos(2 * t), tube * np.sin(2 * t), np.sin(3 * t)], axis=-1)
    waves = 1j * np.fft.fftfreq(size, 1 / size)[:, None]
    slopes = [np.fft.ifft(waves * np.fft.fft(curve, axis=0), axis=0).real for curve in (first, second)]
    gap = first[:, None] - second[None]
    volume = (gap * np.cross(slopes[0][:, None], slopes[1][None])).sum(axis=-1)
    integral = (volume / np.linalg.norm(gap, axis=-1) ** 3).sum() * (2 * np.pi / size) ** 2
    yield same(float(integral) / (4 * np.pi), gold.at())
