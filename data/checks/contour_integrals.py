"""Checks of data/contour-integrals.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("contour.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 3.25):
        # x = s**4 tames the square root and the logarithm at 0
        integral = mp.quad(
            lambda s, a=a: 4 * s**5 * 4 * mp.log(s) / (s**8 + mp.mpf(a) ** 2), [0, 0.5, 1, 2, 8, mp.inf]
        )
        yield same(integral, gold.at(a=a))


@check("contour.002", route="quadrature on the circle")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, radius in [(1, 0.5, 1), (mp.mpc(1.5, -0.5), 1, 2), (-2, 1.5, 3)]:
        nodes = 200
        points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
        terms = (z**5 * mp.exp(a / z) / (z**2 + mp.mpf(b) ** 2) for z in points)
        yield same(mp.mpc(0, 2) * mp.pi * mp.fsum(terms) / nodes, gold.at(a=a, b=b))


@check("contour.003", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, k in [(0.5, 1), (1, 0.3), (2, 2.5), (3, 1.7)]:
        integral = 2 * mp.quad(
            lambda x, a=a, k=k: mp.cos(k * x) / (mp.cosh(x) + mp.cosh(a)), mp.linspace(0, 75, 31)
        )
        yield same(integral, gold.at(a=a, k=k))


@check("contour.004", route="high-precision summation")
def _(gold: Gold) -> Iterator[Comparison]:
    terms = ((-1) ** (n + 1) / (mp.mpf(n) ** 7 * mp.sinh(mp.pi * n)) for n in range(1, 30))
    yield same(mp.fsum(terms), gold.at(), rtol=1e-25)


@check("contour.005", route="quadrature after folding about the singular point")
def _(gold: Gold) -> Iterator[Comparison]:
    for p, a in [(0.5, 2), (0.25, 1), (0.375, 3.5), (0.75, 0.5)]:
        # x = a u, and u -> 1/u beyond 1 leaves an integrable difference
        folded = mp.quad(
            lambda s, p=p: (s ** (8 * p - 1) - s ** (7 - 8 * p)) * 8 / (1 - s**8), [0, 0.25, 0.5, 0.75, 1]
        )
        yield same(mp.mpf(a) ** (mp.mpf(p) - 1) * folded, gold.at(p=p, a=a), atol=1e-15)


@check("contour.006", route="trapezoidal rule")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 120
    angles = [2 * mp.pi * k / nodes for k in range(nodes)]
    for a, n in [(1, 0), (-0.5, 3), (2, 5), (1.25, 1)]:
        terms = (mp.exp(a * mp.cos(t)) * mp.cos(n * t - a * mp.sin(t)) for t in angles)
        yield same(2 * mp.pi * mp.fsum(terms) / nodes, gold.at(a=a, n=n))


@check("contour.007", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 4):
        integral = mp.quad(lambda x, a=a: mp.sin(a * x) / mp.expm1(2 * mp.pi * x), [0, 0.5, 1, 2, 4, 8, 12])
        yield same(integral, gold.at(a=a))


@check("contour.008", route="trapezoidal rule on the circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 600
    points = [6 * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    terms = (z * (z**2 + z) * mp.tan(z) for z in points)
    yield same(mp.mpc(0, 2) * mp.pi * mp.fsum(terms) / nodes, gold.at())


@check("contour.009", route="trapezoidal rule")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 300
    angles = [2 * mp.pi * k / nodes for k in range(nodes)]
    for b, c in [(1, 1), (0.5, 1), (2.5, 0.5)]:
        total = mp.fsum((b + c + b * mp.cos(angle)) ** -2 for angle in angles)
        yield same(2 * mp.pi * total / nodes, gold.at(b=b, c=c))


@check("contour.010", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (1, 2, 3, 7):
        # the part beyond 1 is folded back by x -> 1/x
        folded = mp.quad(lambda x, n=n: (1 + x ** (2 * n - 2)) / (1 + x ** (2 * n)), [0, 0.5, 1])
        yield same(2 * folded, gold.at(n=n))


@check("contour.011", route="oscillatory quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):
        for a, b, c in [(1, 1, 2), (2.5, 0.5, 0.75), (0.5, 3, 1)]:
            integral = mp.quadosc(
                lambda x, a=a, b=b, c=c: x * mp.sin(a * x) / ((x**2 + b**2) * (x**2 + c**2)),
                [0, mp.inf],
                omega=a,
            )
            yield same(integral, gold.at(a=a, b=b, c=c), rtol=1e-8)


@check("contour.012", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    step = mp.mpf(1) / 10
    for a, b in [(1, 2), (0.5, 3), (4, 1.5)]:
        points = (step * k for k in range(-800, 801))  # x = exp(w), trapezoidal rule in w
        total = mp.fsum(w * mp.exp(w) / ((mp.exp(w) + a) * (mp.exp(w) + b)) for w in points)
        yield same(step * total, gold.at(a=a, b=b))


@check("contour.013", route="quadrature along the line with a tail correction")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):
        for x, place in [(2, 1), (5, 0.5), (1.5, 2)]:

            def density(height: Any, x: float = x, place: float = place) -> Any:
                s = mp.mpc(place, height)
                return mp.re(mp.mpf(x) ** s / (s * (s + 1) * (s + 2)))

            integral = mp.quadosc(density, [0, mp.inf], omega=mp.log(x))
            yield same(integral / mp.pi, gold.at(x=x), rtol=1e-8)


@check("contour.014", route="trapezoidal rule after a trigonometric substitution")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes = 400
    angles = [mp.pi * k / nodes for k in range(nodes)]
    for a in (0.5, 1, 3):
        total = mp.fsum(mp.sin(t) ** 2 / (mp.cos(t) ** 2 + mp.mpf(a) ** 2) for t in angles)
        yield same(mp.pi * total / nodes, gold.at(a=a))


def _residue(function: Any, pole: Any, radius: Any) -> Any:
    """Mean of f(z) (z - pole) over a circle that holds no other pole."""
    nodes = 120
    steps = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    return mp.fsum(function(pole + step) * step for step in steps) / nodes


@check("contour.015", route="trapezoidal rule on small circles")
def _(gold: Gold) -> Iterator[Comparison]:
    residues = [mp.re(_residue(mp.gamma, mp.mpf(-n), mp.mpf(1) / 2)) for n in range(4)]
    yield same(residues, gold.at())


@check("contour.016", route="trapezoidal rule on the line")
def _(gold: Gold) -> Iterator[Comparison]:
    step = mp.mpf(1) / 8
    for a in (0.5, 0.25, 0.6875):
        points = [step * k for k in range(-2400, 2401)]
        total = mp.fsum(x * mp.exp(a * x) / (1 + mp.exp(x)) for x in points)
        yield same(step * total, gold.at(a=a), atol=1e-15)


@check("contour.017", route="trapezoidal rule on small circles")
def _(gold: Gold) -> Iterator[Comparison]:
    def function(z: Any) -> Any:
        return mp.exp(z) / (z**2 * (z**2 + mp.pi**2))

    poles = {"origin": mp.mpf(0), "upper": mp.mpc(0, mp.pi), "lower": mp.mpc(0, -mp.pi)}
    residues = {name: _residue(function, pole, mp.mpf(1)) for name, pole in poles.items()}
    yield same(residues, gold.at())


@check("contour.018", route="trapezoidal rule on small circles")
def _(gold: Gold) -> Iterator[Comparison]:
    def function(z: Any) -> Any:
        return 1 / (z**2 * mp.sin(z) - z**3)

    values = [function(mp.expjpi(mp.mpf(2 * k) / 200)) for k in range(200)]
    turns = mp.fsum(mp.arg(b / a) for a, b in zip(values, values[1:] + values[:1], strict=True))
    yield same((-turns / (2 * mp.pi), mp.re(_residue(function, mp.mpf(0), mp.mpf(2)))), gold.at())


@check("contour.019", route="growth over dyadic pieces and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def exists(p: Any) -> bool:
        """Pieces must shrink towards both ends, each from one octave to the next."""

        def piece(start: Any) -> Any:
            return mp.quad(lambda x: x**p / (1 + x**3), [start, 2 * start])

        far, near = mp.mpf(2) ** 30, mp.mpf(2) ** -30
        return bool(piece(2 * far) < piece(far) * (1 - 1e-8) and piece(near / 2) < piece(near) * (1 - 1e-8))

    start, end, start_open, end_open = gold.ends()
    with mp.workdps(15):
        yield same(edge(exists, inside=0, outside=-4), start, rtol=1e-6)
        yield same(edge(exists, inside=0, outside=5), end, rtol=1e-6)
        yield same((not exists(start), not exists(end)), (start_open, end_open))


@check("contour.020", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.5, 1, 3.5):
        # x = tan(v)
        integral = mp.quad(
            lambda v, a=a: mp.log1p((a * mp.tan(v)) ** 2), [0, mp.pi / 8, mp.pi / 4, 3 * mp.pi / 8, mp.pi / 2]
        )
        yield same(integral, gold.at(a=a))
