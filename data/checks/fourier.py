"""Checks of data/fourier.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("fourier.001", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, a in [(0, 1), (1, 0.5), (-3, 1.25), (4, 2)]:
        integral = mp.quad(lambda x, n=n, a=a: mp.exp(a * x) * mp.expj(-n * x), mp.linspace(-mp.pi, mp.pi, 5))
        yield same(integral / (2 * mp.pi), gold.at(n=n, a=a))


@check("fourier.002", route="oscillatory quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):
        for k, a in [(0, 1), (1, 1), (-0.5, 2), (2.5, 0.75), (-3, 1.5)]:

            def density(x: Any, a: float = a) -> Any:
                return x**2 / (x**2 + a**2) ** 2

            if k == 0:
                integral = mp.quad(density, [0, 1, 4, mp.inf])
            else:
                integral = mp.quadosc(
                    lambda x, k=k, f=density: f(x) * mp.cos(k * x), [0, mp.inf], omega=abs(k)
                )
            yield same(2 * integral, gold.at(k=k, a=a), rtol=1e-8)


@check("fourier.003", route="direct summation with a tail estimate")
def _(gold: Gold) -> Iterator[Comparison]:
    count = 2_000_000
    n = np.arange(count, 0, -1, dtype=np.float64)
    for a in (0.25, 0.8, 1.25, 1.5):
        # sin**4 averages 3/8, so the tail is 1/8 N**-3 up to higher order: below the tolerance by far
        total = float(np.sum((np.sin(n * a) / n) ** 4)) + 0.125 / count**3
        yield same(total, gold.at(a=a), rtol=1e-11)


@check("fourier.004", route="partial sums at large N, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    def minimum(count: int) -> float:
        n = np.arange(1, count + 1)
        x = np.linspace(1.5, 2.5, 4001) * np.pi / count
        sums = np.array([np.sum(np.sin(n * point) / n) for point in x[1900:2101]])
        k = int(np.argmin(sums))
        left, centre, right = sums[k - 1 : k + 2]
        assert 0 < k < len(sums) - 1, "the minimum lies outside the scan"
        return float(centre - (right - left) ** 2 / (8 * (left - 2 * centre + right)))

    coarse, middle, fine = minimum(1000), minimum(2000), minimum(4000)
    first = (2 * middle - coarse, 2 * fine - middle)  # removes the 1/N term
    yield same((4 * first[1] - first[0]) / 3, gold.at(), rtol=1e-8)  # and the 1/N**2 term


@check("fourier.005", route="trapezoidal rule on the line")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b, k in [(1, 0.5, 1), (0.75, -2, 2), (2, 3, -0.5)]:
        step = mp.mpf(1) / 16
        points = [step * n for n in range(-160, 161)]
        terms = (mp.exp(-mp.mpc(a, b) * x**2 - mp.mpc(0, k) * x) for x in points)
        yield same(step * mp.fsum(terms), gold.at(a=a, b=b, k=k))


@check("fourier.006", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for x, a, b in [(0, 1, 1), (1.5, 0.5, 2), (-3, 1.25, 0.75)]:
        breaks = sorted({-8, min(0, x), (0 + x) / 2, max(0, x), 8})
        integral = mp.quad(
            lambda y, x=x, a=a, b=b: 1 / ((y**2 + a**2) * ((x - y) ** 2 + b**2)), [-mp.inf, *breaks, mp.inf]
        )
        yield same(integral, gold.at(x=x, a=a, b=b))


@check("fourier.007", route="summation with Euler-Maclaurin")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, c in [(1, 0), (0.5, 0.25), (0.25, 0.625)]:

        def term(n: Any, a: float = a, c: float = c) -> Any:
            return 1 / ((n + c) ** 2 + a**2)

        cut = 20  # corrections: half the end terms, and the first odd derivatives of the tails
        total = mp.fsum(term(mp.mpf(n)) for n in range(-cut + 1, cut))
        for side in (1, -1):

            def tail(n: Any, side: int = side, term: Any = term) -> Any:
                return term(side * n)

            bernoulli = sum(
                -mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.diff(tail, mp.mpf(cut), 2 * j - 1)
                for j in range(1, 6)
            )
            total += mp.quad(tail, [cut, 2 * cut, mp.inf]) + tail(mp.mpf(cut)) / 2 + bernoulli
        yield same(total, gold.at(a=a, c=c))


@check("fourier.008", route="fast Fourier transform")
def _(gold: Gold) -> Iterator[Comparison]:
    yield same([complex(value) for value in np.fft.fft([1, 0, -2, 3])], gold.at(), rtol=1e-14)


@check("fourier.009", route="trapezoidal rule on the line")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, a in [(1, 1), (-0.5, 0.75), (3, 2)]:
        step = mp.mpf(1) / (8 * a)
        terms = (mp.cos(k * step * n) / mp.cosh(a * step * n) ** 2 for n in range(-300, 301))
        yield same(step * mp.fsum(terms), gold.at(k=k, a=a))


@check("fourier.010", route="numerical matrix product")
def _(gold: Gold) -> Iterator[Comparison]:
    matrix = mp.matrix([[mp.expjpi(mp.mpf(-2 * j * k) / 5) / mp.sqrt(5) for k in range(5)] for j in range(5)])
    yield same((matrix * matrix).tolist(), gold.at(), atol=1e-20)


@check("fourier.011", route="growth of the square norm over dyadic blocks")
def _(gold: Gold) -> Iterator[Comparison]:
    n = np.arange(2**10, 2**20, dtype=np.float64)

    def converges(s: float) -> bool:
        """By Parseval: the squares over a block from N to 2N must shrink as N doubles."""
        squares = n ** (-2 * s)
        late, early = squares[2**19 - 2**10 :].sum(), squares[2**18 - 2**10 : 2**19 - 2**10].sum()
        return bool(late < (1 - 1e-5) * early)

    start, end, start_open, _ = gold.ends()
    yield same(edge(lambda s: converges(float(s)), inside=2, outside=-1), start, rtol=1e-4)
    yield same(converges(float(start)), not start_open)
    yield same([converges(s) for s in (5, 20)], [True, True])
    yield same(end, mp.inf)


@check("fourier.012", route="quadrature over strips of the disc")
def _(gold: Gold) -> Iterator[Comparison]:
    for k, a in [(1, 1), (2.5, 0.75), (0.5, 3)]:
        strips = mp.quad(
            lambda v, k=k, a=a: 2 * (a * mp.cos(v)) ** 2 * mp.cos(k * a * mp.sin(v)),
            [-mp.pi / 2, 0, mp.pi / 2],
        )
        yield same(strips, gold.at(k=k, a=a))


@check("fourier.013", route="quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, a in [(0, 0.5), (1, 2.25), (4, -0.75)]:
        integral = mp.quad(lambda x, n=n, a=a: mp.cos(a * x) * mp.cos(n * x), mp.linspace(-mp.pi, mp.pi, 5))
        yield same(integral / mp.pi, gold.at(n=n, a=a))


@check("fourier.014", route="growth of the square norm of partial sums")
def _(gold: Gold) -> Iterator[Comparison]:
    norms = []
    for terms in (8, 16):
        x = 2 * np.pi * np.arange(4096) / 4096
        slope = -sum(np.sin(n**2 * x) for n in range(1, terms + 1))
        norms.append(float(np.mean(slope**2)))
    # a square-integrable derivative would keep the partial sums' norms bounded: they double instead
    yield same(bool(norms[1] < 1.5 * norms[0]), gold.at())


@check("fourier.015", route="direct summation, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    def limit(power: int, sign: int) -> float:
        n = np.arange(1, 8001, dtype=np.longdouble)
        sums = np.cumsum(np.where(n % 2 == 1, 1, sign) / n**power)
        if sign < 0:
            sums = (sums[1:] + sums[:-1]) / 2
        values = [sums[500 * 2**k - 2] for k in range(5)]
        counts = [500 * 2**k - 1 for k in range(5)]
        # fit the rest by powers of 1/(N + 1/2), or of 1/(N + 1) for the averaged alternating sums
        shift = 0.5 if sign > 0 else 1.0
        rows = [[1.0] + [(c + shift) ** -(power - (sign > 0) + 2.0 * j) for j in range(4)] for c in counts]
        return float(np.linalg.solve(np.array(rows), np.array(values, dtype=np.float64))[0])

    sums = {"alternating": limit(2, -1), "plain": limit(2, 1), "fourth": limit(4, 1)}
    yield same(sums, gold.at(), rtol=1e-8)


@check("fourier.016", route="trapezoidal rule for the integrals and the transform")
def _(gold: Gold) -> Iterator[Comparison]:
    x = np.arange(-400, 401) / 40
    packet = x * np.exp(-(1 + 1j) * x**2 / 2)
    packet /= np.sqrt(np.sum(np.abs(packet) ** 2) / 40)
    k = np.arange(-400, 401) / 40
    image = np.exp(-1j * np.outer(k, x)) @ packet / 40 / np.sqrt(2 * np.pi)
    widths = [np.sqrt(np.sum(q**2 * np.abs(f) ** 2) / 40) for q, f in ((x, packet), (k, image))]
    yield same(tuple(float(width) for width in widths), gold.at())


@check("fourier.017", route="quadrature over one period of the summed pulses")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, weights = np.polynomial.legendre.leggauss(30)
    x = (nodes + 1) / 2
    for n, a in [(0, 1), (1, 0.75), (-3, 2)]:
        train = np.exp(-a * np.abs(x[:, None] - np.arange(-60, 62)[None, :])).sum(axis=1)
        coefficient = np.sum(weights * train * np.exp(-2j * np.pi * n * x)) / 2
        yield same(complex(coefficient), gold.at(n=n, a=a))


@check("fourier.018", route="trapezoidal rule on the averaged Dirichlet sums")
def _(gold: Gold) -> Iterator[Comparison]:
    x = 2 * np.pi * np.arange(64) / 64
    for count in (1, 2, 5, 9):
        sums = [1 + 2 * sum(np.cos(j * x) for j in range(1, k + 1)) for k in range(count)]
        kernel = sum(sums) / count + 0 * x
        yield same(float(np.mean(kernel**2)), gold.at(N0=count))


@check("fourier.019", route="quadrature of the inverse transform")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(15):
        # the transform of exp(-|x|) is 2/(1 + k**2), that of -f'' + f is (1 + k**2) times f's
        for x in (0, 1, -2.5, 0.375):

            def density(k: Any, x: float = x) -> Any:
                return 2 / (1 + k**2) ** 2 * mp.cos(k * x) / mp.pi

            if x:
                integral = mp.quadosc(density, [0, mp.inf], omega=abs(x))
            else:
                integral = mp.quad(density, [0, 1, 4, mp.inf])
            yield same(integral, gold.at(x=x), rtol=1e-8)


@check("fourier.020", route="fast Fourier transform")
def _(gold: Gold) -> Iterator[Comparison]:
    x = 2 * np.pi * np.arange(64) / 64
    sines = -2 * np.fft.fft(np.sin(x) ** 3 * np.cos(x) ** 2).imag / 64
    yield same({n for n in range(1, 32) if abs(sines[n]) > 1e-10}, gold.at(), rtol=0)
