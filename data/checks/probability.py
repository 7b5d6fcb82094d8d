"""Checks of data/probability.jsonl; those of walks, games and Brownian motion: probability_processes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, factorial
from typing import Any

import mpmath as mp
import numpy as np
import sympy
from scipy.linalg import solve_banded

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("prob.001", route="exact iterated integration over the ordered cube")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (2, 3, 4, 5):
        x = sympy.symbols(f"x1:{n + 1}")

        def mean(power: int, n: int = n, x: Any = x) -> Any:
            """Mean of range**power: n! times the integral over 0 < x1 < ... < xn < 1."""
            density = sympy.Poly((x[-1] - x[0]) ** power, *x)
            for k in range(n):
                upper = x[k + 1] if k + 1 < n else 1
                density = sympy.Poly(density.integrate(x[k]).as_expr().subs(x[k], upper), *x)
            return sympy.factorial(n) * density.as_expr()

        yield same(mean(2) - mean(1) ** 2, gold.at(n=n))


@check("prob.002", route="linear equations of the Markov chain")
def _(gold: Gold) -> Iterator[Comparison]:
    for p in (0.5, 0.25, 0.8125):
        chain = _progress(["HTHT"])
        matrix, right = mp.eye(4), mp.ones(4, 1)
        for state in range(4):
            for letter, chance in (("H", p), ("T", 1 - p)):
                target = chain["HTHT"[:state], letter]
                if target != "HTHT":
                    matrix[state, len(target)] -= chance
        yield same(mp.lu_solve(matrix, right)[0], gold.at(p=p))


@check("prob.003", route="linear equations of the Markov chain for all fifteen words")
def _(gold: Gold) -> Iterator[Comparison]:
    words = ["".join(letters) for letters in product("HT", repeat=4)]
    chances = {word: _wins(word, "HTHH") for word in words if word != "HTHH"}
    best = max(chances, key=lambda word: chances[word])
    yield same(sum(abs(chance - chances[best]) < 1e-12 for chance in chances.values()), 1)
    yield same(best, gold.at())


def _wins(mine: str, theirs: str) -> Any:
    """Probability that `mine` appears before `theirs` in fair tosses."""
    chain = _progress([mine, theirs])
    states = sorted({state for state, _ in chain})
    matrix, right = mp.eye(len(states)), mp.zeros(len(states), 1)
    for row, state in enumerate(states):
        for letter in "HT":
            target = chain[state, letter]
            if target == mine:
                right[row] += 0.5
            elif target != theirs:
                matrix[row, states.index(target)] -= 0.5
    return mp.lu_solve(matrix, right)[states.index("")]


def _progress(words: list[str]) -> dict[tuple[str, str], str]:
    """From each proper prefix of a word and a toss to the longest prefix that the tosses end in."""
    prefixes = {word[:k] for word in words for k in range(len(word) + 1)}
    steps = {}
    for prefix in prefixes - set(words):
        for letter in "HT":
            text = prefix + letter
            steps[prefix, letter] = next(text[k:] for k in range(len(text) + 1) if text[k:] in prefixes)
    return steps


@check("prob.004", route="exact recursion over the counts of faces")
def _(gold: Gold) -> Iterator[Comparison]:
    @cache
    def rolls(unseen: int, once: int) -> Fraction:
        """Expected further rolls with so many faces never seen and seen once."""
        if unseen == once == 0:
            return Fraction(0)
        total = Fraction(6)
        if unseen:
            total += unseen * rolls(unseen - 1, once + 1)
        if once:
            total += once * rolls(unseen, once - 1)
        return total / (unseen + once)

    yield same(rolls(6, 0), gold.at(), rtol=1e-12)


@check("prob.005", route="polar quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for rho in (0, 0.5, -0.75):
        yield same(_normal_mean(lambda x, y: max(x, y), 1, rho), gold.at(rho=rho))


@check("prob.006", route="polar quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for rho in (0, 0.25, -0.625, 0.9375):
        yield same(_normal_mean(lambda x, y: abs(x * y), 2, rho), gold.at(rho=rho))


def _normal_mean(function: Any, degree: int, rho: float) -> Any:
    """Mean of a function, homogeneous of this degree, of two correlated standard normal variables.

    In polar coordinates of the independent pair the radius factors out: its moment of the degree of the
    function, times the mean over the directions, with breaks where the function has kinks.
    """
    lean = mp.sqrt(1 - mp.mpf(rho) ** 2)

    def along(angle: Any) -> Any:
        x, other = mp.cos(angle), mp.sin(angle)
        return function(x, rho * x + lean * other)

    radial = mp.quad(lambda r: r ** (degree + 1) * mp.exp(-(r**2) / 2), [0, 2, 5, 14])
    kinks = [mp.pi / 2, mp.atan(-rho / lean), mp.atan((1 - rho) / lean)]  # x = 0, y = 0, x = y
    turns = sorted({(kink + half) % (2 * mp.pi) for kink in kinks for half in (0, mp.pi)})
    directions = mp.quad(along, [*turns, turns[0] + 2 * mp.pi])
    return radial * directions / (2 * mp.pi)


@check("prob.007", route="summation over the rounds")
def _(gold: Gold) -> Iterator[Comparison]:
    step = mp.matrix([[0, 1, 0], [2, 0, 1], [0, 2, 0]]) / 3
    total, power = mp.eye(3), mp.eye(3)
    for _ in range(200):
        power = power * step
        total += power
    yield same(total.tolist(), gold.at())


@check("prob.008", route="double summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for p, q in [(0.5, 0.5), (0.25, 0.625), (0.75, 0.3125)]:
        k = np.arange(1, 301, dtype=np.float64)
        joint = np.outer(p * (1 - p) ** (k - 1), q * (1 - q) ** (k - 1))
        yield same(float(np.triu(joint, 1).sum()), gold.at(p=p, q=q))


@check("prob.009", route="enumeration of all permutations")
def _(gold: Gold) -> Iterator[Comparison]:
    counts: dict[int, int] = {}
    for order in permutations(range(5)):
        unseen, cycles = set(range(5)), 0
        while unseen:
            start = place = unseen.pop()
            cycles += 1
            while (place := order[place]) != start:
                unseen.remove(place)
        counts[cycles] = counts.get(cycles, 0) + 1
    yield same({cycles: Fraction(count, 120) for cycles, count in counts.items()}, gold.at(), rtol=1e-20)


@check("prob.010", route="numerical derivative of the distribution function found by quadrature")
def _(gold: Gold) -> Iterator[Comparison]:
    for z, a, b in [(0.5, 1, 3), (0.25, 2, 0.5), (0.875, 1.5, 1)]:

        def distribution(level: Any, a: float = a, b: float = b) -> Any:
            """P(X <= level (X + Y)): X below a multiple of Y, averaged over Y."""
            odds = level / (1 - level)
            return mp.quad(
                lambda y: b * mp.exp(-b * y) * (1 - mp.exp(-a * odds * y)), mp.linspace(0, 80 / b, 9)
            )

        yield same(mp.diff(distribution, z), gold.at(z=z, a=a, b=b))


@check("prob.011", route="random walks with small steps, extrapolated")
def _(gold: Gold) -> Iterator[Comparison]:
    for mu, a, b in [(0.5, 1, 2), (-0.75, 2, 1), (1, 0.5, 0.25)]:

        def chance(per_unit: int, mu: float = mu, a: float = a, b: float = b) -> float:
            """Steps of 1/per_unit with the drift's bias; gambler's ruin as a linear system."""
            size = round((a + b) * per_unit) - 1
            up = (1 + mu / per_unit) / 2
            matrix = np.zeros((3, size))
            matrix[0, 1:], matrix[1], matrix[2, :-1] = -up, 1, up - 1
            right = np.zeros(size)
            right[-1] = up
            return float(solve_banded((1, 1), matrix, right)[round(a * per_unit) - 1])

        coarse, middle, fine = (chance(64 * 2**k) for k in range(3))
        first = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
        yield same((16 * first[1] - first[0]) / 15, gold.at(mu=mu, a=a, b=b))


@check("prob.012", route="exact counting with generating polynomials")
def _(gold: Gold) -> Iterator[Comparison]:
    def without_triple(people: int) -> Any:
        """Probability that every day is taken by none, one or two, summed over the number of shared days."""
        total = Fraction(0)
        for pairs in range(people // 2 + 1):
            singles = people - 2 * pairs
            if pairs + singles <= 365:
                ways = comb(365, pairs) * comb(365 - pairs, singles) * factorial(people)
                total += Fraction(ways, 2**pairs * 365**people)
        return total

    smallest = next(people for people in range(3, 200) if without_triple(people) <= Fraction(1, 2))
    yield same(smallest, gold.at(), rtol=0)


@check("prob.013", route="smallest eigenvalue of the correlation matrix and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def possible(c: Any) -> bool:
        three_fifths, four_fifths = mp.mpf(3) / 5, mp.mpf(4) / 5
        matrix = mp.matrix([[1, three_fifths, c], [three_fifths, 1, four_fifths], [c, four_fifths, 1]])
        return bool(min(mp.eigsy(matrix, eigvals_only=True)) > -(mp.mpf(10) ** -25))

    start, end, start_open, end_open = gold.ends()
    yield same(edge(possible, inside=0.5, outside=-1), start, atol=1e-8)
    yield same(edge(possible, inside=0.5, outside=1.5), end, atol=1e-8)
    yield same((not possible(start), not possible(end)), (start_open, end_open))


@check("prob.014", route="Fourier coefficients of the logarithm on a circle")
def _(gold: Gold) -> Iterator[Comparison]:
    nodes, radius = 96, mp.mpf(1) / 2
    points = [radius * mp.expjpi(mp.mpf(2 * k) / nodes) for k in range(nodes)]
    for p in (0.5, 0.25, 0.8125):
        values = [mp.log(1 + p * mp.expm1(t)) for t in points]
        cumulants = [
            mp.re(mp.fsum(v * t**-j for v, t in zip(values, points, strict=True))) / nodes * mp.factorial(j)
            for j in range(1, 5)
        ]
        yield same(cumulants, gold.at(p=p), atol=1e-15)


@check("prob.017", route="quadrature of the products of numerical scores")
def _(gold: Gold) -> Iterator[Comparison]:
    def log_density(x: Any, k: Any, lam: Any) -> Any:
        return np.log(k / lam) + (k - 1) * np.log(x / lam) - (x / lam) ** k

    tiny = 1e-30  # derivatives by a complex step
    for k, lam in [(1, 1), (2.5, 0.5), (0.75, 3)]:
        v = np.arange(-45, 5, 0.03125)  # x = lam exp(v / k)
        x = lam * np.exp(v / k)
        measure = np.exp(log_density(x, k, lam)) * x / k * 0.03125
        scores = [
            log_density(x, k + 1j * tiny, lam).imag / tiny,
            log_density(x, k, lam + 1j * tiny).imag / tiny,
        ]
        information = [[float(np.sum(measure * one * other)) for other in scores] for one in scores]
        yield same(information, gold.at(k=k, lam=lam), rtol=1e-9)
