"""Numbers too large to be computed, compared through their residues modulo random primes.

Different residues prove a difference. Equal ones modulo a dozen 61-bit primes prove equality up to an error
that does not matter: a difference of 10**8 digits has fewer than 10**7 such factors among 10**16 primes.
"""

from __future__ import annotations

import random

import sympy
from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, Symbol

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.points import seed_of
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided

PRIME_BITS = 61

PRIMES = 12

FACTORIAL_LIMIT = 2_000_000
"""Factorials are multiplied out modulo the prime: a tenth of a second for this many factors."""


class _Unknown(Exception):
    """Not an integer expression that residues can be computed of."""


def decide_gigantic(left: Expr, right: Expr, budget: Budget) -> Finding:
    """The relation of two expressions one of which holds a number that must not be computed."""
    source = random.Random(seed_of(left, right))
    for _ in range(PRIMES):
        prime = sympy.nextprime(source.getrandbits(PRIME_BITS) | 1 << (PRIME_BITS - 1))
        residues = _Residues(prime, budget)
        try:
            budget.check()
            if residues.of(left) != residues.of(right):
                if residues.generators:
                    return undecided("the large numbers differ unless functions in them are related")
                return different("exact:modular", f"the remainders modulo {prime} differ")
        except _Unknown:
            return undecided("a number too large to be computed")
        except OutOfTime:
            return undecided("the large numbers could not be compared in time")
    return equal("exact:modular", f"the same remainders modulo {PRIMES} random primes of {PRIME_BITS} bits")


class _Residues:
    def __init__(self, prime: int, budget: Budget) -> None:
        self.prime = prime
        self.budget = budget
        self.generators = False
        """Whether something other than numbers and symbols took part."""
        self._known: dict[tuple[Basic, int], int] = {}

    def of(self, node: Basic, modulus: int = 0) -> int:
        """The residue modulo the prime, or modulo another modulus (for exponents)."""
        modulus = modulus or self.prime
        key = (node, modulus)
        if key not in self._known:
            self._known[key] = self._compute(node, modulus) % modulus
        return self._known[key]

    def _compute(self, node: Basic, modulus: int) -> int:
        if isinstance(node, Integer):
            return int(node.p)
        if isinstance(node, Rational):
            return int(node.p) * self._inverse(int(node.q), modulus)
        if isinstance(node, Add):
            return sum(self.of(term, modulus) for term in node.args)
        if isinstance(node, Mul):
            product = 1
            for factor in node.args:
                product = product * self.of(factor, modulus) % modulus
            return product
        if isinstance(node, Pow):
            return self._power(node, modulus)
        if isinstance(node, sympy.Mod) and isinstance(node.args[1], Integer) and node.args[1] > 0:
            return self.of(node.args[0], int(node.args[1]))
        if isinstance(node, sympy.Function) and all(isinstance(a, Integer) for a in node.args):
            return self._function(node, modulus)
        if modulus != self.prime:
            raise _Unknown
        if not isinstance(node, Symbol):
            self.generators = True
        return random.Random(f"{node}{self.prime}").randrange(self.prime)

    def _power(self, node: Pow, modulus: int) -> int:
        base, exponent = node.args
        if not isinstance(exponent, Integer):
            if not (isinstance(base, Integer) and not exponent.free_symbols and modulus == self.prime):
                raise _Unknown
            return pow(int(base), self.of(exponent, self.prime - 1), self.prime)  # Fermat
        value = self.of(base, modulus)
        if exponent < 0:
            return pow(self._inverse(value, modulus), -int(exponent), modulus)
        return pow(value, int(exponent), modulus)

    def _function(self, node: Basic, modulus: int) -> int:
        numbers = [int(argument) for argument in node.args]
        if isinstance(node, sympy.fibonacci) and len(numbers) == 1:
            return _fibonacci(numbers[0], modulus)[0]
        if isinstance(node, sympy.lucas):
            current, following = _fibonacci(numbers[0], modulus)
            return 2 * following - current
        if isinstance(node, sympy.factorial):
            return self._factorial(numbers[0], modulus)
        if isinstance(node, sympy.gamma):
            return self._factorial(numbers[0] - 1, modulus)
        if isinstance(node, sympy.binomial) and 0 <= numbers[1] <= numbers[0]:
            n, k = numbers
            below = self._factorial(k, modulus) * self._factorial(n - k, modulus)
            return self._factorial(n, modulus) * self._inverse(below, modulus)
        raise _Unknown

    def _factorial(self, n: int, modulus: int) -> int:
        if not 0 <= n <= FACTORIAL_LIMIT:
            raise _Unknown
        product = 1
        for k in range(2, n + 1):
            product = product * k % modulus
            if k % 100_000 == 0:
                self.budget.check()
        return product

    def _inverse(self, value: int, modulus: int) -> int:
        try:
            return pow(value, -1, modulus)
        except ValueError as error:
            raise _Unknown from error


def _fibonacci(n: int, modulus: int) -> tuple[int, int]:
    """F(n) and F(n + 1), by doubling."""
    if n < 0:
        raise _Unknown
    current, following = 0, 1
    for bit in bin(n)[2:]:
        double = current * (2 * following - current) % modulus
        current, following = double, (current * current + following * following) % modulus
        if bit == "1":
            current, following = following, (current + following) % modulus
    return current, following
