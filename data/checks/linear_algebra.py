"""Checks of data/linear-algebra.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import mpmath as mp
import sympy

from . import Comparison, Gold, check, same


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
