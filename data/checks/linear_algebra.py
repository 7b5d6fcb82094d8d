"""Checks of data/linear-algebra.jsonl; those of 013 and above: linear_algebra_structure."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from random import Random

import mpmath as mp
import numpy as np
import sympy

from . import Comparison, Gold, check, same
from .framework.edges import edge


@check("linalg.001", route="power series of the exponential")
def _(gold: Gold) -> Iterator[Comparison]:
    a = mp.matrix([[3, -1, 1], [2, 0, 1], [1, -1, 2]])
    for t in (0, 0.5, -1.25, 2):
        total, term = mp.eye(3), mp.eye(3)
        for k in range(1, 80):
            term = term * a * (mp.mpf(t) / k)
            total += term
        yield same(total.tolist(), gold.at(t=t), atol=1e-15)


@check("linalg.002", route="numerical eigenvalues")
def _(gold: Gold) -> Iterator[Comparison]:
    m = mp.zeros(6)
    for k in range(6):
        m[k, k] = 2
        if k < 5:
            m[k, k + 1] = m[k + 1, k] = -1
    m[0, 5] = m[5, 0] = 1
    values = mp.eigsy(m, eigvals_only=True)
    yield same({mp.nint(value * 10**12) / 10**12 for value in values}, gold.at())


@check("linalg.003", route="numerical determinants")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (1, 2, 3, 6):
        for x in (0, 0.75, -2):
            a = mp.matrix(n, n) + x
            for k in range(n):
                a[k, k] += k + 1
            yield same(mp.det(a), gold.at(n=n, x=x), atol=1e-12)


@check("linalg.004", route="determinants of all solutions of A P = P B at random rational points")
def _(gold: Gold) -> Iterator[Comparison]:
    a = sympy.Matrix([[8, -3, 2, -1], [12, -4, 3, -2], [-2, 1, 0, 0], [9, -4, 3, 0]])
    b = sympy.Matrix([[-8, -7, 2, 3], [9, 8, -2, -3], [-9, -7, 3, 3], [0, 0, 0, 1]])
    identity = sympy.eye(4)
    # vec(A P - P B) = (I x A - B^T x I) vec P; a generic solution is invertible if any is.
    equations = sympy.kronecker_product(identity, a) - sympy.kronecker_product(b.T, identity)
    basis = equations.nullspace()
    random = Random(4)
    determinants = []
    for _ in range(6):
        vector = sum((random.randint(-999, 999) * part for part in basis), sympy.zeros(16, 1))
        determinants.append(vector.reshape(4, 4).det())
    yield same(any(determinant != 0 for determinant in determinants), gold.at())


@check("linalg.005", route="numerical singular value decomposition")
def _(gold: Gold) -> Iterator[Comparison]:
    values = mp.svd_r(mp.matrix([[1, 2, 0], [0, 1, 2]]), compute_uv=False)
    yield same(sorted(values, reverse=True), gold.at())


@check("linalg.006", route="exact ranks of powers")
def _(gold: Gold) -> Iterator[Comparison]:
    rows = [[4, 4, -3, -6, 3], [2, 3, 0, -3, 0], [3, 1, 1, -4, 1], [5, 5, -4, -8, 4], [6, 2, -2, -8, 4]]
    a = sympy.Matrix(rows)
    structure = {}
    for eigenvalue, multiplicity in ((2, 3), (-1, 2)):
        shifted = a - eigenvalue * sympy.eye(5)
        ranks = [5, *((shifted**k).rank() for k in range(1, multiplicity + 2))]
        blocks: list[int] = []
        for size in range(1, multiplicity + 1):  # second differences of the ranks count the blocks
            blocks += [size] * (ranks[size - 1] - 2 * ranks[size] + ranks[size + 1])
        structure[eigenvalue] = sorted(blocks, reverse=True)
    yield same(structure, gold.at(), rtol=0)


@check("linalg.007", route="numerical determinants")
def _(gold: Gold) -> Iterator[Comparison]:
    for n, p, q in [(1, 1, 2), (2, 0.5, -1), (5, 3, 0.25), (6, -1.5, -2)]:
        a = mp.zeros(n)
        for k in range(n):
            a[k, k] = mp.mpf(p) + q
            if k + 1 < n:
                a[k, k + 1], a[k + 1, k] = mp.mpf(p) * q, 1
        yield same(mp.det(a), gold.at(n=n, p=p, q=q))


@check("linalg.008", route="roots of the interpolated determinant")
def _(gold: Gold) -> Iterator[Comparison]:
    def determinant(t: int) -> float:
        return float(np.linalg.det(np.array([[1, t, 1], [t, 1, 1], [1, 1, t]], dtype=float)))

    times = list(range(-3, 4))
    roots = np.roots(np.polyfit(times, [determinant(t) for t in times], 3))
    yield same({round(float(root.real), 4) for root in roots}, gold.at(), rtol=1e-4)


@check("linalg.009", route="the four Penrose conditions, and a numerical pseudoinverse")
def _(gold: Gold) -> Iterator[Comparison]:
    a = np.array([[1, 0, 1], [0, 1, 1]], dtype=float)
    yield same(np.linalg.pinv(a).tolist(), gold.at(), rtol=1e-12)
    x = np.array(gold.value.tolist(), dtype=float)
    for left, right in [(a @ x @ a, a), (x @ a @ x, x), ((a @ x).T, a @ x), ((x @ a).T, x @ a)]:
        yield same(left.tolist(), right.tolist(), atol=1e-12)


@check("linalg.010", route="numerical least squares")
def _(gold: Gold) -> Iterator[Comparison]:
    x, y = np.array([0.0, 1, 2, 4]), np.array([1.0, 0, 3, 4])
    solution = np.linalg.lstsq(np.stack([x, np.ones(4)], axis=1), y, rcond=None)[0]
    yield same(tuple(float(value) for value in solution), gold.at(), rtol=1e-12)


@check("linalg.011", route="fraction-free elimination")
def _(gold: Gold) -> Iterator[Comparison]:
    a = sympy.Matrix(12, 12, lambda i, j: gcd(i + 1, j + 1) ** 2)
    yield same(a.det(method="bareiss"), gold.at(), rtol=0)


@check("linalg.012", route="numerical eigenvalues and bisection")
def _(gold: Gold) -> Iterator[Comparison]:
    def positive(p: object) -> bool:
        values = mp.eigsy(mp.matrix([[2, p, 1], [p, 2, p], [1, p, 2]]), eigvals_only=True)
        return bool(min(values) > mp.mpf(10) ** -25)

    start, end, start_open, end_open = gold.ends()
    yield same(edge(positive, inside=0, outside=-5), start, rtol=1e-8)
    yield same(edge(positive, inside=0, outside=5), end, rtol=1e-8)
    yield same((not positive(start), not positive(end)), (start_open, end_open))
