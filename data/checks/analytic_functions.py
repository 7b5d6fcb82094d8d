"""Checks of data/analytic-functions.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same
from .framework.edges import edge


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


@check("analytic.002", route="boundary modulus, normalisation, and winding number of the boundary")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (1, 1.75):
        corner = mp.expjpi(mp.mpf(1) / 3)
        edges = [[t * direction for t in (0.2, 0.9, 2.5, 30)] for direction in (mp.mpf(1), corner)]
        for z in edges[0] + edges[1]:
            yield same(abs(gold.at(z=z, a=a)), 1)
        yield same(gold.at(z=a * mp.expjpi(mp.mpf(1) / 6), a=a), 0, atol=1e-20)
        yield same(gold.at(z=0, a=a), 1)
        outline = [t * corner for t in _decades(12)[::-1]] + [mp.mpf(0)] + _decades(12)
        images = [gold.at(z=z, a=a) for z in outline]
        turns = mp.fsum(mp.arg(b / c) for c, b in zip(images, images[1:] + images[:1], strict=True))
        yield same(turns / (2 * mp.pi), 1, rtol=1e-6)


def _decades(count: int) -> list[Any]:
    """Radii from 0.05 to 20 at which the image moves by less than half a turn each step."""
    return [mp.mpf(0.05) * mp.mpf(400) ** (mp.mpf(k) / count) for k in range(count + 1)]


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


@check("analytic.005", route="integration of the Loewner equation of the growing slit")
def _(gold: Gold) -> Iterator[Comparison]:
    # dg/dt = 2/g grows a vertical slit from 0; g = z + 2t/z + ... belongs to the height h with h**2 = 4t,
    # seen at the tip: the flow takes i h to 0 in that time.
    def flow(_: Any, state: list[Any]) -> list[Any]:
        return [2 / state[0]]

    with mp.workdps(18):
        near_tip = mp.odefun(flow, 0, [mp.mpc(0, mp.sqrt(6))])(mp.mpf("1.49"))[0]
        yield same(near_tip.imag**2, 4 * mp.mpf("0.01"), rtol=1e-8)
        yield same(mp.odefun(flow, 0, [mp.mpc(-1, 2)])(mp.mpf("1.5"))[0], gold.at())


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


@check("analytic.009", route="cross ratio with numerical points")
def _(gold: Gold) -> Iterator[Comparison]:
    for z in (0, mp.mpc(2, 1), mp.mpc(-0.5, 3)):
        # (T, 1; 0, oo) = T must equal (z, i; 1, -1)
        ratio = (z - 1) * (mp.mpc(0, 1) + 1) / ((z + 1) * (mp.mpc(0, 1) - 1))
        yield same(ratio, gold.at(z=z))


@check("analytic.010", route="circle through three image points")
def _(gold: Gold) -> Iterator[Comparison]:
    a, b, c = (1 / (mp.mpc(1, 1) + mp.expjpi(mp.mpf(2 * k) / 3) / 2) for k in range(3))
    area = mp.im(mp.conj(b - a) * (c - a)) * 2
    shift = mp.mpc(0, 1) * ((b - a) * abs(c - a) ** 2 - (c - a) * abs(b - a) ** 2) / area
    yield same((a + shift, abs(shift)), gold.at())


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


@check("analytic.013", route="numerical preimages of many values and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    angles = np.exp(2j * np.pi * np.arange(24) / 24)
    samples = np.concatenate([radius * angles for radius in (0.3, 0.9, 0.999, 0.99999)])

    def injective(a: Any) -> bool:
        for z in samples:
            roots = np.roots([float(a), 1, -(z + float(a) * z**2)]) if a else np.array([z])
            others = roots[np.abs(roots - z) > 1e-7]
            if np.any(np.abs(others) < 1):
                return False
        return True

    start, end, start_open, end_open = gold.ends()
    yield same(edge(injective, inside=0.1, outside=-2), start, rtol=1e-4)
    yield same(edge(injective, inside=0.1, outside=2), end, rtol=1e-4)
    yield same((not injective(start), not injective(end)), (start_open, end_open))


@check("analytic.014", route="quadrature along the third side, at infinity")
def _(gold: Gold) -> Iterator[Comparison]:
    # t = 1/(1 - w**3) from 1 to infinity, then w**3 = 1 - v**3 on the half where the other end is singular
    def near(w: Any) -> Any:
        return 3 * (1 - w**3) ** (mp.mpf(-2) / 3)

    half = mp.root(mp.mpf(1) / 2, 3)
    yield same(2 * mp.quad(near, [0, half]), gold.at())


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
