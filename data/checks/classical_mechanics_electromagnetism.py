"""Checks of data/classical-mechanics-electromagnetism.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

from . import Comparison, Gold, check, same


@check("mechem.001.a", route="minimum of the effective potential, numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, g, rate in [(1, 1, 1), (0.5, 9.75, 3), (2, 1.5, 4)]:
        x = _rest(k, g, rate)
        yield same(x, gold.at(k=k, g=g, Omega=rate))


def _rest(k: float, g: float, rate: float) -> Any:
    """Where gravity along the wire balances the centrifugal force, away from the axis."""

    def potential(x: Any) -> Any:
        return g * k * x**4 - mp.mpf(rate) ** 2 * x**2 / 2

    scan = [mp.mpf(i) / 100 for i in range(1, 1000)]
    lowest = min(scan, key=potential)
    return mp.findroot(lambda x: mp.diff(potential, x), lowest)


@check("mechem.001.b", route="period of a small oscillation of the full equation of motion")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, g, rate in [(1, 1, 1), (0.5, 9.75, 3), (2, 1.5, 4)]:
        rest = _rest(k, g, rate)

        def potential(x: Any, k: float = k, g: float = g, rate: float = rate) -> Any:
            return g * k * x**4 - mp.mpf(rate) ** 2 * x**2 / 2

        def period(size: Any, k: float = k, rest: Any = rest, potential: Any = potential) -> Any:
            """2 int dx / velocity between the turning points, from energy conservation on the wire."""
            left = rest - size
            level = potential(left)
            right = mp.findroot(lambda x: potential(x) - level, rest + size)
            middle, half = (left + right) / 2, (right - left) / 2

            def slowness(angle: Any) -> Any:
                x = middle + half * mp.sin(angle)
                speed = mp.sqrt(2 * (level - potential(x)) / (1 + (4 * k * x**3) ** 2))
                return half * mp.cos(angle) / speed

            return 2 * mp.quad(slowness, [-mp.pi / 2, 0, mp.pi / 2])

        with mp.workdps(22):
            sizes = [rest * mp.mpf("0.01") / 2**i for i in range(3)]
            coarse, middle, fine = (period(size) for size in sizes)
            # the expansion in the left amplitude holds all powers from the second on
            first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
            limit = (8 * first[1] - first[0]) / 7
            yield same(2 * mp.pi / limit, gold.at(k=k, g=g, Omega=rate), rtol=1e-6)


@check("mechem.002", route="numerical mass and stiffness matrices")
def _(gold: Gold) -> Iterator[Comparison]:
    for g, length in [(1, 1), (9.75, 0.5)]:

        def bobs(a: Any, b: Any, length: float = length) -> list[Any]:
            x, y = length * mp.sin(a), -length * mp.cos(a)
            return [x, y, x + length * mp.sin(b), y - length * mp.cos(b)]

        def potential(a: Any, b: Any, g: float = g, bobs: Any = bobs) -> Any:
            return g * (3 * bobs(a, b)[1] + bobs(a, b)[3])

        slopes = [
            [mp.diff(lambda a, b, i=i, bobs=bobs: bobs(a, b)[i], (0, 0), order) for i in range(4)]
            for order in [(1, 0), (0, 1)]
        ]
        masses = [3, 3, 1, 1]
        mass = mp.matrix(
            [
                [mp.fsum(w * p * q for w, p, q in zip(masses, a, b, strict=True)) for b in slopes]
                for a in slopes
            ]
        )
        stiffness = mp.matrix(
            [
                [mp.diff(potential, (0, 0), (2, 0)), mp.diff(potential, (0, 0), (1, 1))],
                [mp.diff(potential, (0, 0), (1, 1)), mp.diff(potential, (0, 0), (0, 2))],
            ]
        )
        squares = sorted(mp.re(value) for value in mp.eig(mass**-1 * stiffness, left=False, right=False))
        slow, fast = (mp.sqrt(square) for square in squares)
        yield same({"slow": slow, "fast": fast}, gold.at(g=g, l=length))


@check("mechem.003", route="Legendre series of the potential")
def _(gold: Gold) -> Iterator[Comparison]:
    # Outside a grounded sphere each multipole r**l of the charge is cancelled at r = R; the induced
    # surface charge then goes as sum (2l + 1) (R/(R + h))**l P_l(cos), and half of it integrates P_l over
    # (0, 1).
    for height, radius in [(1, 1), (0.75, 0.75), (1, 2)]:
        ratio, total = mp.mpf(radius) / (radius + height), mp.mpf(0)
        for order in range(240):
            half = mp.mpf(1) if order == 0 else _half_range(order)
            total += (2 * order + 1) * ratio**order * half
        yield same(total / 2, gold.at(h=height, R=radius), rtol=1e-12)


def _half_range(order: int) -> Any:
    """Integral of P_l over (0, 1), from (2l + 1) P_l = P'_{l+1} - P'_{l-1}."""
    return (mp.legendre(order - 1, 0) - mp.legendre(order + 1, 0)) / (2 * order + 1)


@check("mechem.004", route="quadrature of the orbit between the turning points")
def _(gold: Gold) -> Iterator[Comparison]:
    for m, h, spin, k, energy in [(1, 0.25, 1, 1, -0.125), (2, 0.5, 3, 4, -0.5)]:
        # in u = 1/r the radial momentum squared is quadratic: 2m(E + k u) - (l**2 + 2 m h) u**2
        def squared(
            u: Any, m: float = m, h: float = h, s: float = spin, k: float = k, e: float = energy
        ) -> Any:
            return 2 * m * (e + k * u - h * u**2) - s**2 * u**2

        peak = mp.findroot(lambda u, f=squared: mp.diff(f, u), 0.5)
        low = mp.findroot(squared, (0, peak), solver="anderson")
        high = mp.findroot(squared, (peak, 20 * peak), solver="anderson")
        middle, half = (low + high) / 2, (high - low) / 2

        def turn(
            angle: Any, middle: Any = middle, half: Any = half, f: Any = squared, s: float = spin
        ) -> Any:
            return s * half * mp.cos(angle) / mp.sqrt(f(middle + half * mp.sin(angle)))

        period = 2 * mp.quad(turn, [-mp.pi / 2, 0, mp.pi / 2])
        yield same(period - 2 * mp.pi, gold.at(m=m, h=h, l=spin))


@check("mechem.005", route="Gauss quadrature over the block")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(4)
    for mass, sides in [(1, (1, 1, 1)), (2, (0.5, 3, 1.25))]:
        axes = [(nodes + 1) * side / 2 for side in sides]
        x, y, z = np.meshgrid(*axes, indexing="ij")
        mesh = np.einsum("i,j,k->ijk", weights, weights, weights) * mass / 8
        place = np.stack([x, y, z])
        second = np.einsum("aijk,bijk,ijk->ab", place, place, mesh)
        tensor = np.trace(second) * np.eye(3) - second
        a, b, c = sides
        yield same(tensor.tolist(), gold.at(M=mass, a=a, b=b, c=c))


@check(
    "mechem.006",
    route="quadrature of the field of the bound surface charge that solves the boundary condition",
)
def _(gold: Gold) -> Iterator[Comparison]:
    for q, d, relative, vacuum in [(1, 1, 2, 1), (2, 0.75, 4.5, 0.5)]:

        def field(rho: Any, q: float = q, d: float = d, vacuum: float = vacuum) -> Any:
            """The charge's field across the face, away from the dielectric: negative for q > 0."""
            return -q * d / (4 * mp.pi * vacuum * (rho**2 + d**2) ** 1.5)

        def pull(
            rho: Any, d: float = d, q: float = q, vacuum: float = vacuum, e: float = relative, f: Any = field
        ) -> Any:
            # e (f - s) = f + s with s the bound charge over twice the vacuum permittivity
            bound = 2 * vacuum * f(rho) * (e - 1) / (e + 1)
            return q * bound * d / (4 * mp.pi * vacuum * (rho**2 + d**2) ** 1.5) * 2 * mp.pi * rho

        force = -mp.quad(pull, [0, d, 4 * d, mp.inf])
        yield same(force, gold.at(q=q, d=d, chi=relative - 1, epsilon_0=vacuum))


@check("mechem.007", route="quadrature of the law of Biot and Savart")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, radius, current, mu in [(3, 1, 1, 1), (4, 0.5, 2, 3), (7, 2, 0.75, 1)]:
        corners = [radius * mp.expjpi(mp.mpf(2 * k) / n) for k in range(n)]
        total = mp.mpf(0)
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):

            def density(s: Any, start: Any = start, side: Any = end - start) -> Any:
                place = start + s * side
                return mp.im(mp.conj(place) * side) / abs(place) ** 3

            total += mp.quad(density, [0, 0.5, 1])
        yield same(mu * current / (4 * mp.pi) * total, gold.at(n=n, R=radius, I_0=current, mu_0=mu))


@check(
    "mechem.008", route="numerical period from energy conservation with the moment of inertia by quadrature"
)
def _(gold: Gold) -> Iterator[Comparison]:
    for g, outer, a in [(1, 3, 1), (9.75, 2, 0.5)]:
        # second moment about an axis of the unit-mass ball, sliced across the axis
        slices = mp.quad(lambda z, a=a: mp.pi * (a**2 - z**2) ** 2 / 2, [-a, a])
        inertia = slices / (4 * mp.pi * mp.mpf(a) ** 3 / 3)
        arm = outer - a
        # no slipping: the spin is the centre's speed over the ball's radius
        weight = (1 + inertia / mp.mpf(a) ** 2) * arm**2 / 2

        def period(top: Any, g: float = g, arm: Any = arm, weight: Any = weight) -> Any:
            """4 int dphi / rate from 0 to the turning angle, with sin(phi/2) = sin(top/2) sin(s)."""
            size = mp.sin(top / 2)

            def slowness(s: Any) -> Any:
                rate = mp.sqrt(2 * g * arm / weight) * size * mp.cos(s)
                return 2 * size * mp.cos(s) / mp.sqrt(1 - (size * mp.sin(s)) ** 2) / rate

            return 4 * mp.quad(slowness, [0, mp.pi / 2])

        coarse, fine = period(mp.mpf("0.02")), period(mp.mpf("0.01"))
        yield same(2 * mp.pi / ((4 * fine - coarse) / 3), gold.at(g=g, b=arm, a=a))


@check("mechem.009", route="specular reflection with a numerically differentiated surface")
def _(gold: Gold) -> Iterator[Comparison]:
    for b, a, c in [(0.5, 1, 1), (1, 2, 0.5), (0.3125, 0.5, 3)]:

        def shape(rho: Any, z: Any, a: float = a, c: float = c) -> Any:
            return (z / c) ** 2 + (rho / a) ** 2 - 1

        height = mp.findroot(lambda z, f=shape, b=b: f(b, z), (0, 2 * c), solver="anderson")
        normal = [mp.diff(shape, (b, height), order) for order in [(1, 0), (0, 1)]]
        size = mp.sqrt(mp.fdot(normal, normal))
        before = [0, -1]
        along = mp.fdot(before, normal) / size
        after = [v - 2 * along * n / size for v, n in zip(before, normal, strict=True)]
        yield same(mp.acos(mp.fdot(before, after)), gold.at(b=b, a=a, c=c))


@check("mechem.010", route="eigenvalues of the linearised field and current equations")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, plasma, light in [(1, 1, 1), (0.5, 3, 2)]:
        # scaled electric and magnetic fields and current: d/dt of each
        wave = 1j * k * light
        matrix = np.array([[0, -wave, -plasma], [-wave, 0, 0], [plasma, 0, 0]])
        omega = float(max(abs(np.linalg.eigvals(matrix))))
        yield same(gold.at(omega=omega, k=k, omega_p=plasma, c=light), 0, atol=1e-9)
        yield same(abs(gold.at(omega=omega + 0.1, k=k, omega_p=plasma, c=light)) > 0.01, True)


@check("mechem.011", route="numerical integration of energy and momentum conservation")
def _(gold: Gold) -> Iterator[Comparison]:
    # In the rest frame of the moment dm of rest mass lost gives the fuel the momentum -dm/2 per unit of
    # (rest + kinetic) energy, so the rocket gains dv' = -dm/(2m), added relativistically.
    path = solve_ivp(
        lambda s, v: (1 - v**2) * 0.5,
        (0, np.log(10)),
        [0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    yield same(float(path.y[0, -1]), gold.at())
