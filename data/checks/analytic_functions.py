"""Checks of data/analytic-functions.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("analytic.001", route="quadrature of the derivative found from the given combination")
def _(gold: Gold) -> Iterator[Comparison]:
    def combination(x: Any, y: Any) -> Any:
        square, product = x**2 - y**2, 2 * x * y
        return mp.exp(-y) * (square * (mp.cos(x) + 2 * mp.sin(x)) + product * (2 * mp.cos(x) - mp.sin(x)))

    def derivative(z: Any) -> Any:
        """f' from u + 2 v = Re((1 - 2i) f): its x-derivative minus i times its y-derivative."""
        along_x = mp.diff(lambda x: combination(x, z.imag), z.real)
        along_y = mp.diff(lambda y: combination(z.real, y), z.imag)
        return (along_x - mp.mpc(0, 1) * along_y) / mp.mpc(1, -2)

    for z in (mp.mpc(0.5, 0.25), mp.mpc(-1, 0.75), mp.mpc(0.3, -1.2)):
        yield same(z * mp.quad(lambda s, z=z: derivative(s * z), [0, 1]), gold.at(z=z))


@check("analytic.003", route="argument principle by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    def polynomial(z: Any) -> Any:
        return z**7 + 2 * z**5 - 9 * z**3 + z - 3

    def slope(z: Any) -> Any:
        return 7 * z**6 + 10 * z**4 - 27 * z**2 + 1

    def in_disc(radius: int) -> Any:
        nodes = 4000
        points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
        return mp.fsum(z * slope(z) / polynomial(z) for z in points) / nodes

    def in_right_half() -> Any:
        """Half of the degree comes from the far half circle, the rest from the imaginary axis."""
        breaks = [-mp.inf, -3, -2, -1, 0, 1, 2, 3, mp.inf]
        axis = mp.quad(lambda y: mp.re(slope(mp.mpc(0, y)) / polynomial(mp.mpc(0, y))), breaks)
        return mp.mpf(7) / 2 - axis / (2 * mp.pi)

    with mp.workdps(16):
        inner, outer, right = mp.re(in_disc(1)), mp.re(in_disc(2)), in_right_half()
    counted = {"unit_disc": inner, "annulus": outer - inner, "right_half_plane": right}
    yield same(counted, gold.at(), rtol=1e-5)


@check("analytic.004", route="growth rates along rays and accumulating poles, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    functions: list[Callable[[Any], Any]] = [
        lambda z: (1 - mp.cos(z)) / mp.sin(z) ** 2,
        lambda z: 1 / mp.sin(1 / z),
        lambda z: mp.exp(1 / z) * mp.sin(z),
        lambda z: (mp.cot(z) - 1 / z) / z**2,
        lambda z: z**2 / (mp.cosh(z) - 1 - z**2 / 2),
        lambda z: (mp.exp(z) - 1 - z) / (z * mp.log(1 + z)),
    ]
    with mp.workdps(60):
        yield same([_kind(function) for function in functions], gold.at())


def _kind(function: Callable[[Any], Any]) -> str:
    """The kind of the singularity at 0, from |f| on eight rays at two radii and near 1/(n pi)."""
    if all(_is_simple_pole(function, 1 / (n * mp.pi)) for n in (50, 500, 5000)):
        return "not isolated"
    rates = []
    for k in range(8):
        ray = mp.expjpi(mp.mpf(2 * k + 1) / 8 + mp.mpf("0.01"))
        far, near = (abs(function(radius * ray)) for radius in (mp.mpf("0.01"), mp.mpf("0.001")))
        rates.append(mp.log10(near / far))
    if max(rates) - min(rates) > 0.5:
        return "essential"
    return "pole" if min(rates) > 0.5 else "removable"


def _is_simple_pole(function: Callable[[Any], Any], point: Any) -> bool:
    """Whether |f| grows tenfold when the distance to the point shrinks tenfold."""
    far, near = (abs(function(point + mp.mpf(10) ** -digits)) for digits in (30, 31))
    return bool(abs(near / far - 10) < 1e-3)


@check("analytic.006", route="Pick's matrix with a third node that approaches 1/2")
def _(gold: Gold) -> Iterator[Comparison]:
    def slope(step: Any) -> Any:
        """Largest |f(1/2 + step)| / step: the value at which Pick's matrix stops being positive."""
        nodes = [mp.mpf(1) / 2, mp.mpf(-1) / 3, mp.mpf(1) / 2 + step]

        def determinant(scaled: Any) -> Any:
            values = [0, 0, scaled * step]
            return (
                mp.det(
                    mp.matrix(
                        [
                            [(1 - v * w) / (1 - z * x) for x, w in zip(nodes, values, strict=True)]
                            for z, v in zip(nodes, values, strict=True)
                        ]
                    )
                )
                / step**2
            )

        return mp.findroot(determinant, (0.5, 1.5), solver="anderson")

    with mp.workdps(40):
        coarse, middle, fine = (slope(mp.mpf("1e-4") / 2**k) for k in range(3))
        first = 2 * middle - coarse, 2 * fine - middle
        yield same((4 * first[1] - first[0]) / 3, gold.at())


@check("analytic.007", route="ratios of Taylor coefficients computed on a circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, radius, centre = 1024, mp.mpf(4), mp.mpc(1, 2)
    roots = [mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    points = [centre + radius * root for root in roots]
    with mp.workdps(60):
        values = [(z**2 + mp.pi**2) / (mp.exp(z) + 1) for z in points]

        def coefficient(n: int) -> Any:
            return mp.fsum(v * roots[(-n * k) % nodes] for k, v in enumerate(values)) / nodes / radius**n

    # a single simple pole on the circle of convergence: the ratio tends to its place geometrically
    yield same(abs(coefficient(60) / coefficient(61)), gold.at(), rtol=1e-6)


@check("analytic.008", route="line integral of the Cauchy-Riemann equations")
def _(gold: Gold) -> Iterator[Comparison]:
    def u(x: Any, y: Any) -> Any:
        return mp.exp(x) * (x * mp.cos(y) - y * mp.sin(y))

    for x, y in [(1, 0.5), (-0.75, 2), (0.25, -1.5)]:

        def flow(s: Any, x: float = x, y: float = y) -> Any:
            """dv along the ray from 0: -u_y dx + u_x dy."""
            place = (s * x, s * y)
            return -mp.diff(u, place, (0, 1)) * x + mp.diff(u, place, (1, 0)) * y

        yield same(mp.quad(flow, [0, 1]), gold.at(x=x, y=y))


@check("analytic.011", route="argument principle by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 2000
    z = 10 * np.exp(2j * np.pi * np.arange(nodes) / nodes)
    count = np.mean(z * z * np.sin(z) / (np.sin(z) - z * np.cos(z)))
    yield same(float(count.real), gold.at(), rtol=1e-6)


@check("analytic.012", route="period of the derivative by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 400
    z = 1.5 * np.exp(2j * np.pi * np.arange(nodes) / nodes)
    period = np.mean(z / (z * (2 * z - 1)))
    # an antiderivative exists in the annulus exactly if the integral round it vanishes
    yield same(bool(abs(period) < 1e-10), gold.at())


@check("analytic.015", route="partial products, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    values, total = [], mp.mpf(1)
    for n in range(2, 3201):
        total *= 1 - mp.mpf(n) ** -3
        if n in (200, 400, 800, 1600, 3200):
            values.append(total)
    for order in range(2, 6):  # the logarithm of the rest begins with the second power of 1/n
        values = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(values)]
    yield same(values[0], gold.at())


@check("analytic.016", route="Schwarz's integral by the trapezoidal rule")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 200
    angles = [2 * mp.pi * k / nodes for k in range(nodes)]
    for z in (0, mp.mpc(0.5, 1), mp.mpc(-1, 0.25)):
        terms = []
        for angle in angles:
            edge_point = 2 * mp.expj(angle)
            real = 8 * mp.cos(angle) ** 2 + 4 * mp.sin(angle)
            terms.append(real * (edge_point + z) / (edge_point - z))
        yield same(mp.fsum(terms) / nodes, gold.at(z=z))


@check("analytic.017", route="argument principle on small circles")
def _(gold: Gold) -> Iterator[Comparison]:
    orders = []
    for centre in (0, np.pi, 2 * np.pi):
        z = centre + 0.5 * np.exp(2j * np.pi * np.arange(200) / 200)
        values = (1 - np.cos(z)) ** 2 * np.sin(z) / z**2
        turns = np.angle(np.roll(values, -1) / values).sum() / (2 * np.pi)
        orders.append(round(float(turns), 6))
    yield same(orders, gold.at(), rtol=1e-6)


@check("analytic.020", route="numerical solution of the radial equations")
def _(gold: Gold) -> Iterator[Comparison]:
    # u = a(r) + b(r) cos(theta): r(r a')' = 0 and r(r b')' = b, shot from r = 1 in s = log r
    with mp.workdps(18):
        mean = mp.odefun(lambda s, state: [state[1], 0], 0, [0, 1])
        wave = mp.odefun(lambda s, state: [state[1], state[0]], 0, [0, 1])
        for r, theta in [(1, 1), (1.5, 0.5), (2.5, -2)]:
            s = mp.log(r)
            value = 1 + 2 * mean(s)[0] / mean(1)[0] + wave(s)[0] / wave(1)[0] * mp.cos(theta)
            yield same(value, gold.at(r=r, theta=theta))
