"""Checks of data/linear-algebra.jsonl: normal forms, factorisations and extremal problems of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import gcd
from typing import Any

import mpmath as mp
import numpy as np
import sympy
from scipy.optimize import least_squares, minimize
from scipy.spatial.transform import Rotation

from . import Comparison, Gold, check, same


@check("linalg.013", route="greatest common divisors of all minors")
def _(gold: Gold) -> Iterator[Comparison]:
    parts = [0, 1, 1, 2, 2, 2, 2]
    laplacian = np.array([[-float(a != b) for b in parts] for a in parts])
    laplacian -= np.diag(laplacian.sum(axis=1))
    for struck in (0, 3):
        kept = [k for k in range(7) if k != struck]
        reduced = laplacian[np.ix_(kept, kept)]
        divisors = [1]
        for size in range(1, 7):
            choices = [list(choice) for choice in combinations(range(6), size)]
            blocks = np.array([reduced[np.ix_(rows, columns)] for rows in choices for columns in choices])
            divisors.append(gcd(*(round(minor) for minor in np.linalg.det(blocks))))
        yield same([b // a for a, b in pairwise(divisors)], gold.at(), rtol=0)


@check("linalg.014", route="ranks of the powers of the squares of all nilpotent Jordan matrices")
def _(gold: Gold) -> Iterator[Comparison]:
    cases = [(3, 3, 2), (3, 2, 2, 1), (5, 4, 1), (4, 4, 2), (2, 2, 2, 1), (3, 3, 3, 1)]
    # a square root of a nilpotent matrix is nilpotent as well, so that it is one of these up to similarity
    squares = {size: [_nilpotent(sizes) for sizes in _partitions(size)] for size in set(map(sum, cases))}
    found = {size: {_rank_profile(x @ x) for x in roots} for size, roots in squares.items()}
    yield same([_rank_profile(_nilpotent(case)) in found[sum(case)] for case in cases], gold.at())


def _partitions(total: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    for first in range(min(total, largest or total), 0, -1):
        yield from ((first, *rest) for rest in _partitions(total - first, first))


def _nilpotent(sizes: tuple[int, ...]) -> Any:
    """The nilpotent Jordan matrix with blocks of these sizes."""
    ends = np.cumsum(sizes)
    return np.diag([float(k not in ends) for k in range(1, sum(sizes))], 1)


def _rank_profile(matrix: Any) -> tuple[int, ...]:
    """Ranks of the powers; two nilpotent matrices are similar exactly if these agree."""
    powers = [np.linalg.matrix_power(matrix, k) for k in range(1, len(matrix) + 1)]
    return tuple(int(rank) for rank in np.linalg.matrix_rank(np.array(powers)))


@check("linalg.015", route="Newton iteration for the orthogonal factor")
def _(gold: Gold) -> Iterator[Comparison]:
    a = mp.matrix([[2, -3, 0], [4, 9, 6], [5, 3, -3]])
    q = a.copy()
    for _ in range(12):
        q = (q + mp.inverse(q).T) / 2
    s = q.T * a
    yield same((q.tolist(), s.tolist()), gold.at(), atol=1e-15)
    yield same(bool(min(mp.eigsy(s, eigvals_only=True)) > 0), True)


@check("linalg.016", route="numerical solution of the linear system")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, x in [(1, 0.5), (2, 3), (4, 1.25), (6, 0.125)]:
        c = mp.matrix(n, n)
        for i in range(n):
            for j in range(n):
                c[i, j] = 1 / (i + j + 2 + mp.mpf(x))
        yield same(mp.fsum(mp.lu_solve(c, mp.ones(n, 1))), gold.at(n=n, x=x))


@check("linalg.017", route="eigenvalues of the quadratic form in unit quaternions")
def _(gold: Gold) -> Iterator[Comparison]:
    a = np.array([[3, -4, 2], [-3, 2, -4], [-1, -3, 3]], dtype=float)

    def trace(quaternion: Any) -> float:
        """Trace of R A for the rotation of a quaternion, homogeneous of degree 2 in it."""
        w, x, y, z = quaternion
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        axis = np.array([x, y, z])
        rotation = (w * w - axis @ axis) * np.eye(3) + 2 * np.outer(axis, axis) + 2 * w * cross
        return float(np.trace(rotation @ a))

    unit = np.eye(4)
    form = [[(trace(e + f) - trace(e) - trace(f)) / 2 for f in unit] for e in unit]
    values = np.linalg.eigvalsh(np.array(form))
    yield same((float(values[-1]), float(values[0])), gold.at())


@check("linalg.018", route="constrained optimisation over the rotated diagonal matrices")
def _(gold: Gold) -> Iterator[Comparison]:
    def diagonal(angles: Any) -> Any:
        """Diagonal of R diag(0, 1, 5) R^T for the rotation with these Euler angles."""
        return Rotation.from_euler("zyx", angles).as_matrix() ** 2 @ np.array([0.0, 1.0, 5.0])

    def miss(angles: Any, c: float) -> Any:
        return diagonal(angles) - [c, 2 * c, 6 - 3 * c]

    starts = np.random.default_rng(18).uniform(-np.pi, np.pi, (4, 3))
    found = []
    for sign in (1, -1):
        runs = [
            minimize(
                lambda angles, sign=sign: sign * diagonal(angles)[0],
                start,
                constraints={"type": "eq", "fun": lambda angles: diagonal(angles) @ [2, -1, 0]},
                options={"ftol": 1e-13, "maxiter": 100},
            )
            for start in starts
        ]
        found.append(
            min(run.fun for run in runs if np.max(np.abs(miss(run.x, sign * run.fun))) < 1e-8) * sign
        )
    start, end, *opened = gold.ends()
    yield same(found, [start, end], rtol=1e-6)
    for c in np.linspace(float(start), float(end), 4):  # all between, and the ends as well
        best = min(least_squares(miss, angles, args=(c,), xtol=1e-15, ftol=1e-15).cost for angles in starts)
        yield same(float(best), 0, atol=1e-10)
    yield same([False, False], opened)


@check("linalg.019", route="farthest points of the image in every direction")
def _(gold: Gold) -> Iterator[Comparison]:
    a = np.array([[1.0, 2, 0], [1, 0, -1]])
    for angle in np.linspace(0, 2 * np.pi, 9):
        pulled = a.T @ [np.cos(angle), np.sin(angle)]
        u, v = a @ pulled / np.linalg.norm(pulled)
        yield same(gold.at(u=float(u), v=float(v)), 0, atol=1e-12)
        yield same(bool(abs(gold.at(u=float(1.01 * u), v=float(1.01 * v))) > 0.1), True)


@check("linalg.020", route="ranks of the upper left blocks")
def _(gold: Gold) -> Iterator[Comparison]:
    rows = [[0, 0, 1, -1, 1], [0, 0, 2, -2, 3], [1, 1, -1, 3, -1], [2, 2, 1, 4, 0], [1, 2, 2, 6, 1]]
    a = sympy.Matrix(rows)

    def rank(i: int, j: int) -> int:
        """Rank of the first i rows and j columns: triangular factors do not change it."""
        return int(a[:i, :j].rank()) if i and j else 0

    places = range(1, 6)
    yield same(
        "".join(
            str(j)
            for i in places
            for j in places
            if rank(i, j) - rank(i - 1, j) - rank(i, j - 1) + rank(i - 1, j - 1)
        ),
        gold.at(),
    )
