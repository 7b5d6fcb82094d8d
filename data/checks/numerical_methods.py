"""Checks of data/numerical-methods.jsonl: quadrature, interpolation, linear algebra, acceleration."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("num.001", route="roots of the moment equations with quadrature moments")
def _(gold: Gold) -> Iterator[Comparison]:
    moments = [mp.quad(lambda x, k=k: -(x**k) * mp.log(x), [0, 0.1, 1]) for k in range(4)]

    def residuals(*rule: Any) -> list[Any]:
        x1, x2, w1, w2 = rule
        return [w1 * x1**k + w2 * x2**k - moments[k] for k in range(4)]

    yield same(list(mp.findroot(residuals, (0.1, 0.6, 0.7, 0.3))), gold.at(), rtol=1e-15)


@check("num.003", route="derivatives of monomials, solved by a Vandermonde system")
def _(gold: Gold) -> Iterator[Comparison]:
    points = [mp.cos(j * mp.pi / 3) for j in range(4)]
    values = mp.matrix([[x**k for k in range(4)] for x in points])
    slopes = mp.matrix([[k * x ** max(k - 1, 0) for k in range(4)] for x in points])
    yield same((slopes * values**-1).tolist(), gold.at(), rtol=1e-15)


@check("num.004", route="linear equations from exponential test functions, extrapolated in the step")
def _(gold: Gold) -> Iterator[Comparison]:
    # the weights that are exact for 1, e^(sx), e^(2sx), e^(3sx) tend to those of the highest order as s -> 0
    with mp.workdps(60):

        def weights(s: Any) -> list[Any]:
            rows = [[1, mp.exp(k * s), mp.exp(2 * k * s), k * s] for k in range(4)]
            return list(mp.lu_solve(mp.matrix(rows), mp.matrix([(k * s) ** 2 for k in range(4)])))

        coarse, fine = weights(mp.mpf("1e-8")), weights(mp.mpf("5e-9"))
        limit = [2 * b - a for a, b in zip(coarse, fine, strict=True)]
        h, exact = mp.mpf("1e-9"), [mp.nint(2 * w) / 2 for w in limit]
        yield same(limit, exact, rtol=1e-12)
        a, b, c, d = exact
        error = (a + b * mp.exp(h) + c * mp.exp(2 * h)) / h**2 + d / h - 1
        yield same([*limit, error / h**2], gold.at(), rtol=1e-7)


@check("num.005", route="the rule itself for growing N, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    for a in (0.25, 0.5, 0.8125):
        with mp.workdps(20):
            exact = mp.quad(lambda t, a=a: mp.cos(t ** (1 / (1 - mp.mpf(a)))) / (1 - mp.mpf(a)), [0, 1])

        def scaled(count: int, a: float = a, exact: Any = exact) -> Any:
            points = np.arange(1, count + 1, dtype=np.longdouble) / count
            values = points ** np.longdouble(-a) * np.cos(points)
            total = (np.sum(values) - values[-1] / 2) / count
            whole = int(total)
            rest = mp.mpf(repr(total - whole).split("'")[1])
            return (whole + rest - exact) * mp.mpf(count) ** (1 - a)

        table = [scaled(2000 * 2**k) for k in range(3)]
        for power in (1 + a, 2):  # the powers of 1/N that the two end points leave
            factor = mp.mpf(2) ** power
            table = [(factor * b - c) / (factor - 1) for c, b in pairwise(table)]
        yield same(table[0], gold.at(a=a), rtol=1e-9)


@check("num.006", route="largest error over piecewise constant second derivatives")
def _(gold: Gold) -> Iterator[Comparison]:
    edges = np.linspace(-1, 1, 4001)
    node = 1 / np.sqrt(3)

    def second(x: Any, start: Any) -> Any:
        """The function with second derivative 1 right of `start`, 0 left of it."""
        return np.maximum(x - start, 0) ** 2 / 2

    error = np.maximum(1 - edges, 0) ** 3 / 6 - second(-node, edges) - second(node, edges)
    cells = error[:-1] - error[1:]  # what f'' = 1 on one cell contributes; the worst f'' takes the sign of it
    yield same(float(np.sum(np.abs(cells))), gold.at(), rtol=1e-6)


@check("num.010", route="two steps of the Cholesky LR algorithm")
def _(gold: Gold) -> Iterator[Comparison]:
    matrix = mp.matrix([[2, 1, 0], [1, 2, 1], [0, 1, 2]])
    for _ in range(2):
        lower = mp.cholesky(matrix)
        matrix = lower.T * lower
    yield same(matrix.tolist(), gold.at(), rtol=1e-15, atol=1e-20)


@check("num.011", route="equal ripple of the error polynomial by Newton's method, and random competitors")
def _(gold: Gold) -> Iterator[Comparison]:
    def factor(x: Any, steps: Any) -> Any:
        return (1 - steps[0] * x) * (1 - steps[1] * x) * (1 - steps[2] * x)

    def ripple(*unknown: Any) -> list[Any]:
        """The extrema at 1, two inner points and 9 have the values q, -q, q, -q."""
        *steps, q, x1, x2 = unknown
        slopes = [mp.diff(lambda x: factor(x, steps), x) for x in (x1, x2)]
        return [
            factor(1, steps) - q,
            factor(x1, steps) + q,
            factor(x2, steps) - q,
            factor(9, steps) + q,
            *slopes,
        ]

    found = list(mp.findroot(ripple, (0.12, 0.2, 0.65, 0.25, 3, 7)))
    yield same(tuple(found[:4]), gold.at(), rtol=1e-15)
    grid = np.linspace(1, 9, 401)
    steps = np.array([[float(s)] for s in found[:3]])
    rng = np.random.default_rng(11)
    rivals = [
        np.max(np.abs(factor(grid, steps * (1 + rng.normal(size=(3, 1)) * size))))
        for size in (0.01, 0.1, 0.5)
        for _ in range(200)
    ]
    assert min(rivals) > float(found[3]), "a competitor damps better"


@check("num.013", route="numerical solution of the alternation equations")
def _(gold: Gold) -> Iterator[Comparison]:
    for a, b in [(1, 2), (0.5, 3), (2, 2.75)]:

        def alternation(c0: Any, c1: Any, e: Any, x: Any, a: float = a, b: float = b) -> list[Any]:
            """The error is e at both ends and -e at an inner extremum x."""
            return [1 / a - c0 - c1 * a - e, 1 / b - c0 - c1 * b - e, 1 / x - c0 - c1 * x + e, -1 / x**2 - c1]

        start = (2 / mp.mpf(a), -1 / mp.mpf(a * b), 0.1, (a + b) / 2)
        c0, c1, e, _ = mp.findroot(alternation, start)
        for x in (a, 0.25, 5):
            yield same((c0 + c1 * x, e), gold.at(x=x, a=a, b=b), rtol=1e-15)


@check("num.014", route="zeros of the perturbed polynomial in high precision")
def _(gold: Gold) -> Iterator[Comparison]:
    with mp.workdps(60):
        for n in (2, 5, 6):
            coefficients = [mp.mpf(1)]
            for k in range(1, n + 1):
                shifted = [*coefficients, mp.mpf(0)]
                coefficients = [a - k * b for a, b in zip(shifted, [0, *coefficients], strict=True)]
            step = mp.mpf("1e-20")
            moved = []
            for size in (step, -step):
                changed = [coefficients[0], coefficients[1] + size, *coefficients[2:]]
                moved.append(
                    [mp.findroot(lambda x, c=changed: mp.polyval(c, x), j + step) for j in range(1, n + 1)]
                )
            for j in range(1, n + 1):
                slope = (moved[0][j - 1] - moved[1][j - 1]) / (2 * step)
                yield same(slope, gold.at(j=j, k=n - j), rtol=1e-12)


@check("num.015", route="execution in hardware arithmetic, read back exactly")
def _(gold: Gold) -> Iterator[Comparison]:
    cases = {"A": (1.0, 3 * 2.0**-53), "B": (1 + 2.0**-52, 2.0**-53), "C": (1.0, -3 * 2.0**-55)}
    gained = {}
    for name, (start, added) in cases.items():
        s = start
        for _ in range(1000):
            s = s + added
        gained[name] = Fraction(s) - Fraction(start)
    yield same(gained, gold.at(), rtol=1e-20)


@check("num.018", route="the process in high precision, extrapolated in 1/n")
def _(gold: Gold) -> Iterator[Comparison]:
    for p in (1.5, 2, 3.25):
        with mp.workdps(60):

            def ratios(n: int, p: float = p) -> list[Any]:
                """Errors after 0, 1, 2 and 3 applications, over the error before, at index n."""
                tail = mp.zeta(p, n + 8)
                errors = [tail + mp.fsum(mp.mpf(j) ** -p for j in range(n + k + 1, n + 8)) for k in range(7)]
                first, found = errors[0], []
                while errors:
                    found.append(errors[0] / first)
                    steps = zip(errors, errors[1:], errors[2:], strict=False)
                    errors = [a - (b - a) ** 2 / (c - 2 * b + a) for a, b, c in steps]
                return found

            table = [ratios(1000 * 2**k) for k in range(5)]
            for power in range(1, 5):
                factor = 2**power
                table = [
                    [(factor * f - c) / (factor - 1) for c, f in zip(coarse, fine, strict=True)]
                    for coarse, fine in pairwise(table)
                ]
            for m, limit in enumerate(table[0]):
                yield same(limit, gold.at(p=p, m=m))


@check("num.019", route="quadrature of the variances, minimised numerically")
def _(gold: Gold) -> Iterator[Comparison]:
    def variance(c: Any) -> Any:
        first, second = (mp.quad(lambda x, k=k: (mp.exp(x) - c * (x - 0.5)) ** k, [0, 1]) for k in (1, 2))
        return second - first**2

    best = mp.findroot(lambda c: mp.diff(variance, c), 1)
    assert variance(best) < min(variance(best - 0.01), variance(best + 0.01)), "not a minimum"
    yield same((best, variance(best) / variance(0)), gold.at(), rtol=1e-8)
