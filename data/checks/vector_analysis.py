"""Checks of data/vector-analysis.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp

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
