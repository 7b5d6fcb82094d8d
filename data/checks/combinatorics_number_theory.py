"""Checks of data/combinatorics-number-theory.jsonl: counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import comb, factorial
from typing import Any

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("comb.001", route="enumeration of the coverings of short strips")
def _(gold: Gold) -> Iterator[Comparison]:
    domino = [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    tromino = [tuple(cell for cell in square if cell != missing) for missing in square]
    # every piece that can hold a given cell as its first one, columns before rows
    pieces = [
        tuple((i - piece[0][0], j - piece[0][1]) for i, j in sorted(piece)) for piece in domino + tromino
    ]

    def coverings(free: frozenset[tuple[int, int]]) -> Counter[int]:
        """Number of coverings by number of trominoes."""
        if not free:
            return Counter({0: 1})
        i, j = min(free)
        found: Counter[int] = Counter()
        for piece in pieces:
            cells = {(i + a, j + b) for a, b in piece}
            if cells <= free:
                for count, ways in coverings(free - cells).items():
                    found[count + (len(piece) == 3)] += ways
        return found

    longest = 8
    counts = [coverings(frozenset((i, j) for i in range(n) for j in range(2))) for n in range(longest + 1)]
    with mp.workdps(50):
        for x, t in [("1e-3", 1), ("-1e-3", 0.5), ("1e-3", 2)]:
            total = mp.fsum(
                ways * mp.mpf(t) ** k * mp.mpf(x) ** n for n, c in enumerate(counts) for k, ways in c.items()
            )
            yield same(total, gold.at(x=mp.mpf(x), t=t), rtol=1e-22)


@check("comb.002", route="squares of all permutations")
def _(gold: Gold) -> Iterator[Comparison]:
    squares = {tuple(s[k] for k in s) for s in permutations(range(8))}
    yield same(len(squares), gold.at(), rtol=0)


@check("comb.003", route="enumeration of the colourings")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, q in [(3, 2), (3, 3), (3, 5), (4, 2), (4, 3), (4, 4), (5, 3), (6, 2)]:
        edges = [edge for k in range(n) for edge in ((k, (k + 1) % n), (n + k, n + (k + 1) % n), (k, n + k))]
        earlier = [[min(e) for e in edges if max(e) == vertex] for vertex in range(2 * n)]

        def colourings(colours: list[int], q: int = q, earlier: Any = earlier) -> int:
            vertex = len(colours)
            if vertex == len(earlier):
                return 1
            taken = {colours[other] for other in earlier[vertex]}
            return sum(colourings([*colours, c]) for c in range(q) if c not in taken)

        yield same(colourings([]), gold.at(n=n, q=q))


@check("comb.004", route="enumeration of the subsets")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, k in [(3, 1), (7, 2), (9, 3), (11, 3), (13, 4)]:
        count = sum(
            all((b - a) % n > 2 for a, b in pairwise([*chosen, chosen[0] + n])) if k > 1 else True
            for chosen in combinations(range(n), k)
        )
        yield same(count, gold.at(f=n - 3 * k, k=k))


@check("comb.005", route="orbits of all paintings with few colours")
def _(gold: Gold) -> Iterator[Comparison]:
    edges = [m for m in product((-1, 0, 1), repeat=3) if m.count(0) == 1]
    rotations = []
    for order in permutations(range(3)):
        for signs in product((-1, 1), repeat=3):
            matrix = np.zeros((3, 3), dtype=int)
            for row, (column, sign) in enumerate(zip(order, signs, strict=True)):
                matrix[row, column] = sign
            if round(np.linalg.det(matrix)) == 1:
                rotations.append([edges.index(tuple(int(c) for c in matrix @ edge)) for edge in edges])
    assert len(rotations) == 24
    for n in (1, 2, 3):
        paintings = np.stack([np.arange(n**12) // n**k % n for k in range(12)]).astype(np.float64)
        places = float(n) ** np.arange(12)
        # the painting with the smallest number stands for its orbit
        least = np.min([places[rotation] @ paintings for rotation in rotations], axis=0)
        yield same(int(np.count_nonzero(least == np.arange(n**12))), gold.at(n=n))


@check("comb.010", route="enumeration of the paths")
def _(gold: Gold) -> Iterator[Comparison]:
    def total(left: int, height: int, area: int) -> int:
        """Sum of the areas of all paths that go on from here."""
        if height > left:
            return 0
        if not left:
            return area
        rise = total(left - 1, height + 1, area + height + 1)
        return rise + (total(left - 1, height - 1, area + height - 1) if height else 0)

    for n in (1, 2, 3, 5, 7):
        yield same(total(2 * n, 0, 0), gold.at(n=n))


@check("comb.011", route="enumeration of all maps of small sets")
def _(gold: Gold) -> Iterator[Comparison]:
    counts = [
        sum(all(f[f[f[x]]] == f[f[x]] for x in range(n)) for f in product(range(n), repeat=n))
        for n in range(7)
    ]
    coefficients = mp.taylor(lambda x: gold.at(x=x), 0, 6)
    yield same(counts, [c * factorial(n) for n, c in enumerate(coefficients)], rtol=1e-12)


@check("comb.012", route="enumeration of edge subsets, and exact determinants")
def _(gold: Gold) -> Iterator[Comparison]:
    for m in (2, 3, 4, 6):
        size = 2 * m
        edges = [(i, j) for i, j in combinations(range(size), 2) if j != i + m]
        if m < 4:
            trees = sum(_is_tree(size, chosen) for chosen in combinations(edges, size - 1))
        else:
            laplacian = [[Fraction(0)] * size for _ in range(size)]
            for i, j in edges:
                laplacian[i][i] += 1
                laplacian[j][j] += 1
                laplacian[i][j] -= 1
                laplacian[j][i] -= 1
            trees = int(_determinant([row[1:] for row in laplacian[1:]]))
        yield same(trees, gold.at(m=m))


def _is_tree(size: int, edges: tuple[tuple[int, int], ...]) -> bool:
    """Whether size - 1 edges connect all vertices."""
    group = list(range(size))
    for i, j in edges:
        if group[i] == group[j]:
            return False
        group = [group[i] if g == group[j] else g for g in group]
    return True


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    """Gaussian elimination without exchanges: the matrix is positive definite."""
    rows, value = [list(row) for row in rows], Fraction(1)
    for k, pivot in enumerate(rows):
        value *= pivot[k]
        for row in rows[k + 1 :]:
            factor = row[k] / pivot[k]
            row[k:] = [a - factor * b for a, b in zip(row[k:], pivot[k:], strict=True)]
    return value


@check("comb.013", route="enumeration of the foldings of few points")
def _(gold: Gold) -> Iterator[Comparison]:
    def foldings(points: list[int], arcs: list[tuple[int, int]]) -> int:
        if not points:
            return 1
        first, *rest = points
        total = foldings(rest, arcs)
        for k, other in enumerate(rest):
            crosses = any(a < first < b < other or first < a < other < b for a, b in arcs)
            if other > first + 1 and not crosses:
                total += foldings(rest[:k] + rest[k + 1 :], [*arcs, (first, other)])
        return total

    counts = [foldings(list(range(n)), []) for n in range(10)]
    yield same(counts[:4], [1, 1, 1, 2])
    with mp.workdps(50):
        for x in (mp.mpf("1e-3"), mp.mpf("-5e-4")):
            series = mp.fsum(count * x**n for n, count in enumerate(counts))
            yield same(gold.at(F=series, x=x), 0, atol=1e-24)


@check("comb.016", route="sorting all arrangements")
def _(gold: Gold) -> Iterator[Comparison]:
    words = sorted({"".join(letters) for letters in permutations("SYMMETRY")})
    yield same(words[0], "EMMRSTYY")
    yield same(words[4999], gold.at())


@check("comb.017", route="exact recursion for large n")
def _(gold: Gold) -> Iterator[Comparison]:
    counts = [1]
    for n in range(1, 61):
        counts.append(sum(comb(n, k) * counts[n - k] for k in range(1, n + 1, 2)))
    yield same(counts[1:4], [1, 2, 7])
    for n in (40, 60):
        yield same(counts[n], gold.at(n=n), rtol=1e-15)
