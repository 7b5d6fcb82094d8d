"""Checks of data/special-functions.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import sympy
from scipy.special import j0, jn_zeros, k0

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("special.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, c in [(1, 2, 3), (0.5, 1.25, 0.75), (2.5, 3, 0.5)]:
        integral = mp.quad(lambda x, a=a, b=b, c=c: x**a * (1 - x**b) ** c, [0, 0.5, 1])
        yield same(integral, gold.at(a=a, b=b, c=c))


@check("special.002", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b in [(1, 1), (2.5, 0.5), (0.75, 2)]:
        end = mp.sqrt(80 / mp.mpf(b))
        integral = mp.quad(
            lambda x, a=a, b=b: x**3 * mp.exp(-b * x**2) * mp.besselj(0, a * x), mp.linspace(0, end, 7)
        )
        yield same(integral, gold.at(a=a, b=b))


@check("special.003", route="Gauss quadrature of the polynomials from their recurrence")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    previous, current = np.zeros_like(nodes), np.ones_like(nodes)
    for n in range(9):
        yield same(float(np.sum(weights * nodes**2 * current**2)), gold.at(n=n), rtol=1e-12)
        previous, current = current, ((2 * n + 1) * nodes * current - n * previous) / (n + 1)


@check("special.004", route="quadrature of the elliptic integrals by the arithmetic-geometric mean")
def _(gold: Gold) -> Iterator[Comparison]:
    def difference(k: Any) -> Any:
        """K - E = K (sum of 2**(j-1) c_j**2) in Gauss's iteration from (1, k')."""
        a, b, total, power = mp.mpf(1), mp.sqrt((1 - k) * (1 + k)), k**2 / 2, mp.mpf(1)
        while abs(a - b) > mp.mpf(10) ** -28 * a:
            a, b, gap = (a + b) / 2, mp.sqrt(a * b), (a - b) / 2
            total += power * gap**2
            power *= 2
        return mp.pi / (2 * a) * total

    yield same(mp.quad(difference, [0, 0.5, 1]), gold.at())


@check("special.005", route="Gauss quadrature of the polynomials from their recurrence")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.hermite.hermgauss(20)
    previous, current = np.zeros_like(nodes), np.ones_like(nodes)
    for n in range(8):
        yield same(float(np.sum(weights * nodes**2 * current**2)), gold.at(n=n), rtol=1e-11)
        previous, current = current, 2 * nodes * current - 2 * n * previous


@check("special.006", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for a, b in [(1, 0), (0.75, 2), (2, -1.5)]:
        total = 0.0
        for start, end in zip([0, 4, 10, 20], [4, 10, 20, 40], strict=True):  # 0 < x < 1, x = exp(-w)
            x = np.exp(-(start + (nodes + 1) * (end - start) / 2))
            total += float(np.sum(weights * k0(a * x) * np.cos(b * x) * x)) * (end - start) / 2
        for start, end in zip([1, 3, 8, 20], [3, 8, 20, 50], strict=True):
            x = start + (nodes + 1) * (end - start) / 2
            total += float(np.sum(weights * k0(a * x) * np.cos(b * x))) * (end - start) / 2
        yield same(total, gold.at(a=a, b=b), rtol=1e-11)


@check("special.007", route="quadrature of Euler's integral for complex argument")
def _(gold: Gold) -> Iterator[Comparison]:
    for y in (0, 0.5, -1.25, 2):
        # t = exp(w)
        integral = mp.quad(
            lambda w, y=y: mp.exp(mp.mpc(1.5, y) * w - mp.exp(w)), [-50, -20, -8, -3, 0, 2, 3.5, 4.5]
        )
        yield same(abs(integral) ** 2, gold.at(y=y))


@check("special.008", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same(mp.quad(lambda x: mp.log(x) * mp.log1p(x), [0, 0.5, 1]), gold.at())


@check("special.009", route="summation with Euler-Maclaurin")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b in [(1, 2), (0.5, 0.25), (3, 0.75)]:

        def term(n: Any, a: float = a, b: float = b) -> Any:
            return 1 / ((n + a) * (n + b))

        cut = 30
        corrections = sum(
            -mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.diff(term, mp.mpf(cut), 2 * j - 1)
            for j in range(1, 6)
        )
        tail = mp.quad(term, [cut, 4 * cut, mp.inf]) + term(mp.mpf(cut)) / 2 + corrections
        yield same(mp.fsum(term(mp.mpf(n)) for n in range(cut)) + tail, gold.at(a=a, b=b))


@check("special.010", route="quadrature on each half of the interval")
def _(gold: Gold) -> Iterator[Comparison]:
    coefficients = []
    for n in range(5):
        integral = mp.quad(lambda x, n=n: abs(x) * mp.legendre(n, x), [-1, 0, 1])
        coefficients.append((2 * n + 1) * integral / 2)
    yield same(coefficients, gold.at(), atol=1e-20)


@check("special.011", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, phi in [(1, 0), (0.75, 1), (3, -2.5), (-2, 4)]:
        terms = (mp.besselj(n, x) ** 2 * mp.expj(n * phi) for n in range(-30, 31))
        yield same(mp.re(mp.fsum(terms)), gold.at(x=x, phi=phi))


@check("special.012", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b in [(2, 1), (1, 0.25), (3, 2.5)]:
        integral = mp.quad(
            lambda x, a=a, b=b: 1 / mp.sqrt((x**2 + a**2) * (x**2 + b**2)), [0, b, a, 4 * a, mp.inf]
        )
        yield same(integral, gold.at(a=a, b=b))


@check("special.013", route="growth of the pieces between zeros and towards the origin")
def _(gold: Gold) -> Iterator[Comparison]:
    zeros = [float(z) for k in (400, 401, 1600, 1601) for z in [mp.besseljzero(0, k)]]
    nodes, weights = np.polynomial.legendre.leggauss(12)

    def piece(s: float, start: float, end: float) -> float:
        x = start + (nodes + 1) * (end - start) / 2
        return float(abs(np.sum(weights * x ** (s - 1) * j0(x))) * (end - start) / 2)

    def converges(s: float) -> bool:
        """Alternating pieces must shrink at infinity, and dyadic pieces towards 0."""
        far = piece(s, zeros[2], zeros[3]) / piece(s, zeros[0], zeros[1])
        near = piece(s, 2.0**-21, 2.0**-20) / piece(s, 2.0**-20, 2.0**-19)
        return bool(far < 1 - 1e-5 and near < 1 - 1e-5)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(lambda s: converges(float(s)), inside=1, outside=-2), start, atol=1e-4)
    yield same(edge(lambda s: converges(float(s)), inside=1, outside=4), end, atol=1e-4)
    yield same((not converges(float(start)), not converges(float(end))), (start_open, end_open))


@check("special.014", route="summation over numerical zeros with a tail estimate")
def _(gold: Gold) -> Iterator[Comparison]:
    zeros = jn_zeros(0, 1000)
    # the zeros are close to (n - 1/4) pi, so that the terms left out sum to nearly an integral
    tail = 1 / (3 * np.pi * (1000.25 * np.pi) ** 3)
    for a in (0.5, 1, 2, 2.375):
        yield same(float(np.sum(1 / (zeros**4 - a**4))) + tail, gold.at(a=a), rtol=1e-10)


@check("special.015", route="root finding with the arithmetic-geometric mean")
def _(gold: Gold) -> Iterator[Comparison]:
    def ratio(k: Any) -> Any:
        """K'/K = agm(1, k') / agm(1, k)."""
        return mp.agm(1, mp.sqrt(1 - k**2)) / mp.agm(1, k)

    for k in (0.75, 0.9375, 0.9921875):
        wanted = 3 * ratio(mp.mpf(k))
        modulus = mp.findroot(lambda x, w=wanted: ratio(x) - w, (1e-4, 0.9), solver="anderson")
        yield same(gold.at(k=k, l=modulus), 0, atol=1e-18)
    difference = gold.value.lhs - gold.value.rhs
    factors = sympy.factor_list(difference)[1]
    yield same([exponent for _, exponent in factors], [1], rtol=0)


@check("special.016", route="logarithms of the functions at growing arguments")
def _(gold: Gold) -> Iterator[Comparison]:
    logarithms = {
        "A": lambda x: mp.loggamma(mp.log(x)),
        "B": lambda x: mp.log(mp.besseli(0, mp.sqrt(x))),
        "C": lambda x: mp.ei(mp.log(x)),
        "D": lambda x: mp.loggamma(mp.sqrt(x)),
        "E": lambda x: mp.log(mp.airybi(mp.sqrt(x))),
        "F": lambda x: -mp.log(mp.erfc(mp.log(x))),
        "G": lambda x: mp.log(mp.pi / 2 / mp.agm(1, 1 / x)),
    }
    near, far = ({name: f(mp.mpf(10) ** e) for name, f in logarithms.items()} for e in (14, 20))
    order = sorted(far, key=lambda name: far[name])
    for slow, fast in pairwise(order):  # the logarithms' ratio still falls
        yield same(bool(far[slow] / far[fast] < near[slow] / near[fast]), True)
    yield same("".join(order), gold.at())


@check("special.017", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (1, 2, 3):
        pieces = mp.linspace(0, 1, 2 * n + 1)
        pair = (
            mp.quad(lambda x, f=f, n=n: mp.loggamma(x) * f(2 * mp.pi * n * x), pieces)
            for f in (mp.cos, mp.sin)
        )
        yield same(tuple(mp.re(value) for value in pair), gold.at(n=n))


@check("special.018", route="numerical roots of the hypergeometric series")
def _(gold: Gold) -> Iterator[Comparison]:
    coefficients = [mp.rf(-6, k) * mp.rf(6, k) / (mp.rf(0.5, k) * mp.factorial(k)) for k in range(7)]
    roots = mp.polyroots(coefficients[::-1], maxsteps=200, extraprec=100)
    yield same(set(roots), gold.at(), rtol=1e-15)


@check("special.019", route="quadrature of the elliptic integral by the arithmetic-geometric mean")
def _(gold: Gold) -> Iterator[Comparison]:
    def second_kind(k: Any) -> Any:
        """E of the modulus complementary to k, K (1 - sum of 2**(j-1) c_j**2) in Gauss's iteration."""
        a, b, total, power = mp.mpf(1), k, (1 - k**2) / 2, mp.mpf(1)
        while abs(a - b) > mp.mpf(10) ** -28 * a:
            a, b, gap = (a + b) / 2, mp.sqrt(a * b), (a - b) / 2
            total += power * gap**2
            power *= 2
        return mp.pi / (2 * a) * (1 - total)

    for s in (0, 0.5, 3, -0.375):
        yield same(mp.quad(lambda k, s=s: k**s * second_kind(k), [0, 0.5, 1]), gold.at(s=s), rtol=1e-9)


@check("special.020", route="projection by Gauss quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(8)
    basis = [np.polynomial.Legendre.basis(k) for k in range(5)]
    matrix = [
        [(i + 0.5) * float(np.sum(weights * p(nodes) * nodes * q.deriv()(nodes))) for q in basis]
        for i, p in enumerate(basis)
    ]
    yield same(matrix, gold.at(), atol=1e-13)
