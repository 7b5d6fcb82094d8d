"""Checks of data/combinatorics-number-theory.jsonl: arithmetic and algebra."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations, pairwise, product
from math import gcd, isqrt, lcm

import mpmath as mp
import numpy as np

from . import Comparison, Gold, check, same


@check("comb.006", route="enumeration of the matrices for small primes")
def _(gold: Gold) -> Iterator[Comparison]:
    for p in (3, 5, 7, 11, 13, 17):
        a, b, c, d = np.meshgrid(*[np.arange(p)] * 4, indexing="ij", sparse=True)
        diagonal = ((a * a + b * c + 1) % p == 0) & ((d * d + b * c + 1) % p == 0)
        count = np.count_nonzero(diagonal & (b * (a + d) % p == 0) & (c * (a + d) % p == 0))
        formulas = gold.at(p=p)
        yield same(sorted(str(key) for key in formulas), ["1", "3"])
        yield same(int(count), formulas[p % 4])


@check("comb.007", route="search through the integers")
def _(gold: Gold) -> Iterator[Comparison]:
    found = []
    for n in range(1, 250_000):
        third, rest = divmod(n * (n + 1) // 2, 3)
        if not rest and isqrt(third) ** 2 == third:
            found.append(n)
    yield same(found, [gold.at(k=k) for k in range(1, 7)], rtol=1e-15)


@check("comb.008", route="direct summation")
def _(gold: Gold) -> Iterator[Comparison]:
    for p, a in [(2, 1), (2, 5), (3, 1), (3, 4), (5, 3), (7, 2), (11, 2)]:
        yield same(sum(lcm(k, p**a) for k in range(1, p**a + 1)), gold.at(p=p, a=a))


@check("comb.009", route="product over the primes of numerically summed local series")
def _(gold: Gold) -> Iterator[Comparison]:
    limit = 10_000
    sieve = np.ones(limit + 1, dtype=bool)
    sieve[:2] = False
    for n in range(2, isqrt(limit) + 1):
        sieve[n * n :: n] = False
    primes = [int(p) for p in np.flatnonzero(sieve)]
    log = mp.mpf(0)
    with mp.workdps(20):
        for p in primes[1:]:
            x, term, local, k = mp.mpf(1) / p**2, mp.mpf(1), mp.mpf(1), 1
            while term > 1e-20:  # d(p^k) = k + 1
                term *= x
                local += (k + 1) ** 2 * term
                k += 1
            log += mp.log(local)
        # beyond the limit only d(p)^2/p^2 = 4/p^2 counts; the next terms are below 1e-12
        log += 4 * (mp.primezeta(2) - mp.fsum(mp.mpf(1) / p**2 for p in primes))
        yield same(mp.exp(log), gold.at(), rtol=1e-10)


@check("comb.014", route="sieving out all products for small primes q")
def _(gold: Gold) -> Iterator[Comparison]:
    for q in (2, 3, 5):
        monic = {
            degree: [np.array([1, *rest]) for rest in product(range(q), repeat=degree)]
            for degree in range(1, 6)
        }
        places = q ** np.arange(6)[::-1]
        reducible = np.zeros(q**6, dtype=bool)
        for low in (1, 2, 3):
            others = np.stack(monic[6 - low])
            for factor in monic[low]:
                products = np.zeros((len(others), 7), dtype=int)
                for k, coefficient in enumerate(factor):
                    products[:, k : k + others.shape[1]] += coefficient * others
                reducible[products[:, 1:] % q @ places] = True
        yield same(int(np.count_nonzero(~reducible)), gold.at(q=q))


@check("comb.015", route="counting coprime integers up to a bound")
def _(gold: Gold) -> Iterator[Comparison]:
    # phi(n) >= sqrt(n/2), so that n <= 2 * 24^2
    numbers = np.arange(1, 2 * 24**2 + 1)
    totients = [int(np.count_nonzero(np.gcd(numbers[:n], n) == 1)) for n in numbers]
    yield same({n for n, phi in enumerate(totients, 1) if phi == 24}, gold.at(), rtol=0)


@check("comb.018", route="search below the fundamental solution for +1")
def _(gold: Gold) -> Iterator[Comparison]:
    # if x^2 - D y^2 = -1 is solvable, the square of its least solution is the least one for +1,
    # which therefore has the larger y: the search is finite
    solvable = set()
    for d in range(30, 61):
        if isqrt(d) ** 2 == d:
            continue
        y = 1
        while isqrt(d * y * y + 1) ** 2 != d * y * y + 1:
            if isqrt(d * y * y - 1) ** 2 == d * y * y - 1:
                solvable.add(d)
            y += 1
    yield same(solvable, gold.at(), rtol=0)


@check("comb.019", route="enumeration of the amounts")
def _(gold: Gold) -> Iterator[Comparison]:
    for m in range(1, 8):
        coins, limit = (2 * m, 2 * m + 1, 2 * m + 2), 8 * m * m + 8
        payable = [True] + [False] * limit
        for amount in range(1, limit + 1):
            payable[amount] = any(amount >= coin and payable[amount - coin] for coin in coins)
        gaps = [amount for amount, fits in enumerate(payable) if not fits]
        yield same((gaps[-1], len(gaps)), gold.at(m=m))


@check("comb.020", route="greatest common divisors of all minors")
def _(gold: Gold) -> Iterator[Comparison]:
    laplacian = np.zeros((8, 8))
    for i, j in product(range(8), repeat=2):
        if (i ^ j).bit_count() == 1:
            laplacian[i, j] -= 1
            laplacian[i, i] += 1
    reduced = laplacian[1:, 1:]
    divisors = [1]
    for size in range(1, 8):
        choices = list(combinations(range(7), size))
        minors = np.linalg.det(np.stack([reduced[np.ix_(r, c)] for r in choices for c in choices]))
        assert np.max(np.abs(minors - np.round(minors))) < 1e-6, "rounding"
        divisors.append(reduce(gcd, (int(minor) for minor in np.round(minors))))
    factors = [b // a for a, b in pairwise(divisors)]
    yield same([s for s in factors if s > 1], gold.at(), rtol=0)
