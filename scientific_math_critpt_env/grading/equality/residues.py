"""Residues of expressions modulo a chain of primes: ring homomorphisms into prime fields, chosen at random.

Symbols and unknown functions go to random residues, one for each function and residue of its argument;
exponentials go to powers of an element whose order is the next prime of the chain, so that
exp(a + b) = exp(a)*exp(b) holds. `signatures` says what this is good for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import sympy
from sympy import Add, Basic, Expr, I, Integer, Mul, Pow, Rational, Symbol

PRIMES = (
    2445764092704909580349668045785992521,
    6814780943301543132110355169,
    1940392174554475489,
)
"""Each divides its predecessor minus 1; all are 1 modulo 24 with 2, 3, 5, 7, 11 and 13 as squares."""

SYMBOL_POWER = 12
"""Residues of symbols are 12th powers, so that their square, cube and fourth roots exist and fit together."""

SHIFT_LIMIT = 30
"""Integers up to this are taken out of the argument of gamma."""

EXPONENT_LIMIT = 1 << 200


class Unknown(Exception):
    """No residue: division by zero, an exponential nested too deeply."""


class NoRoot(Exception):
    """The residue of a sum has no square root in this assignment: another one may do."""


class Field:
    """One random assignment; residues at level 0 are values, at level 1 exponents, at level 2 theirs."""

    def __init__(
        self, source: random.Random, rules: Mapping[type[Basic], Rule], *, insists: bool = False
    ) -> None:
        self._insists = insists
        self._source = source
        self._rules = rules
        self._known: dict[tuple[Basic, int], int] = {}
        self._generators: dict[tuple[object, int], int] = {}
        self.roots_chosen = False
        self._bases = [pow(source.randrange(2, p), (p - 1) // q, p) for p, q in pairwise(PRIMES)]
        self.imaginary = [_square_root(p - 1, p) or 0 for p in PRIMES]

    def residue(self, node: Basic, level: int = 0) -> int:
        key = (node, level)
        value = self._known.get(key)
        if value is None:
            value = self._known[key] = self._compute(node, level) % PRIMES[level]
        return value

    def _compute(self, node: Basic, level: int) -> int:
        p = PRIMES[level]
        if isinstance(node, Rational):
            return int(node.p) if node.q == 1 else int(node.p) * self.inverse(int(node.q), p)
        if isinstance(node, Add):
            return sum(self.residue(term, level) for term in node.args)
        if isinstance(node, Mul):
            product = 1
            for factor in node.args:
                product = product * self.residue(factor, level) % p
            return product
        if isinstance(node, Pow):
            return self._power(node, level)
        if node is I:
            return self.imaginary[level]
        rule = self._rules.get(type(node))
        if rule is not None:
            return rule(self, node, level)
        return self.opaque(node, level)

    def inverse(self, value: int, p: int) -> int:
        if value % p == 0:
            raise Unknown
        return pow(value, -1, p)

    def generator(self, key: object, level: int) -> int:
        """A random residue that stands for `key` from now on."""
        value = self._generators.get((key, level))
        if value is None:
            value = self._generators[key, level] = self._source.randrange(1, PRIMES[level])
        return value

    def opaque(self, node: Basic, level: int) -> int:
        """A function is known by its name and the residues of its arguments, anything else by itself."""
        if isinstance(node, Symbol):
            return pow(self.generator(("12th root", node), level), SYMBOL_POWER, PRIMES[level])
        if isinstance(node, sympy.Function) and node.args and all(isinstance(a, Expr) for a in node.args):
            key: object = (type(node), node.func, tuple(self.residue(argument) for argument in node.args))
            return self.generator(key, level)
        return self.generator(node, level)

    def _power(self, node: Pow, level: int) -> int:
        base, exponent = node.args
        p = PRIMES[level]
        if isinstance(exponent, Integer):
            return self._integer_power(self.residue(base, level), int(exponent), p)
        if base is sympy.E:
            return self.exponential(exponent, level)
        shift, rest = exponent.as_coeff_Add()
        if isinstance(exponent, Rational):
            shift, rest = exponent, Integer(0)
        if not isinstance(shift, Rational):
            shift, rest = Integer(0), exponent
        value = self._rational_power(base, shift, level) if shift else 1
        if rest:
            value = value * self.exponential_of(rest, base, level) % p
        return value

    def _integer_power(self, value: int, exponent: int, p: int) -> int:
        if abs(exponent) > EXPONENT_LIMIT:
            raise Unknown
        return pow(value, exponent, p) if exponent >= 0 else pow(self.inverse(value, p), -exponent, p)

    def _rational_power(self, base: Expr, exponent: Rational, level: int) -> int:
        p = PRIMES[level]
        value = self.residue(base, level)
        if exponent.q == 1:
            return self._integer_power(value, int(exponent.p), p)
        if isinstance(base, Rational) and base > 0:
            root = self._numeric_root(base, int(exponent.q), level)
        else:
            root = self._root(base, value, int(exponent.q), level)
        return self._integer_power(root, int(exponent.p), p)

    def _numeric_root(self, base: Rational, order: int, level: int) -> int:
        p, root = PRIMES[level], 1
        for prime, power in sympy.factorrat(base, limit=1 << 16).items():
            root = (
                root
                * self._integer_power(self._root(Integer(prime), int(prime) % p, order, level), power, p)
                % p
            )
        return root

    def _root(self, base: Expr, value: int, order: int, level: int) -> int:
        """A root of `value`, the same one whenever the same root is asked for."""
        p = PRIMES[level]
        if isinstance(base, Symbol) and SYMBOL_POWER % order == 0:
            return pow(self.generator(("12th root", base), level), SYMBOL_POWER // order, p)
        key = ("root", self.residue(base), order)
        if (key, level) in self._generators:
            return self._generators[key, level]
        root = _square_root(value, p) if order == 2 else None
        if root is None:
            if order == 2 and self._insists and not isinstance(base, Integer):
                raise NoRoot
            return self.generator(key, level)
        if not isinstance(base, Integer):
            self.roots_chosen = True
        if self._source.random() < 0.5:
            root = p - root
        self._generators[key, level] = root
        return root

    def exponential(self, exponent: Expr, level: int) -> int:
        """exp(exponent): an element whose order is the next prime, to the residue of the exponent there."""
        if level + 1 >= len(PRIMES):
            raise Unknown
        return pow(self._bases[level], self.residue(exponent, level + 1), PRIMES[level])

    def exponential_of(self, exponent: Expr, base: Expr, level: int) -> int:
        """base**exponent = exp(exponent*log(base))."""
        if level + 1 >= len(PRIMES):
            raise Unknown
        below = PRIMES[level + 1]
        power = self.residue(exponent, level + 1) * self.logarithm(base, level + 1) % below
        return pow(self._bases[level], power, PRIMES[level])

    def logarithm(self, argument: Expr, level: int) -> int:
        """log(argument), split where SymPy knows the factors to be positive."""
        if isinstance(argument, Rational) and argument > 0:
            factors = sympy.factorrat(argument, limit=1 << 16)
            return sum(int(k) * self.generator(("log", int(prime)), level) for prime, k in factors.items())
        if isinstance(argument, sympy.exp) and argument.args[0].is_extended_real:
            return self.residue(argument.args[0], level)
        if isinstance(argument, Mul) and all(factor.is_positive for factor in argument.args):
            return sum(self.logarithm(factor, level) for factor in argument.args)
        if isinstance(argument, Pow) and argument.base.is_positive and argument.exp.is_extended_real:
            return self.residue(argument.exp, level) * self.logarithm(argument.base, level)
        return self.generator(("log", self.residue(argument)), level)

    def circle(self, node: Expr, level: int, *, turned: bool) -> tuple[int, int, int]:
        """exp(z) and its inverse with z = I*argument (turned) or argument, and the prime."""
        if level + 1 >= len(PRIMES):
            raise Unknown
        p, below = PRIMES[level], PRIMES[level + 1]
        power = self.residue(node.args[0], level + 1)
        if turned:
            power = power * self.imaginary[level + 1] % below
        forth = pow(self._bases[level], power, p)
        return forth, pow(forth, -1, p), p

    def gamma(self, argument: Expr, level: int) -> int:
        """gamma(argument) by the shift to a constant part in [0, 1)."""
        p = PRIMES[level]
        constant, _ = argument.as_coeff_Add()
        if not isinstance(constant, Rational) or abs(constant) > SHIFT_LIMIT:
            return self.generator(("gamma", self.residue(argument)), level)
        shift = int(sympy.floor(constant))
        value = self.generator(("gamma", self.residue(argument - shift)), level)
        at = self.residue(argument - shift, level)
        for step in range(abs(shift)):
            factor = at + step if shift > 0 else self.inverse(at - step - 1, p)
            value = value * factor % p
        return value

    def quotient(self, above: list[Expr], below: list[Expr], level: int) -> int:
        """A product of gammas over another."""
        p, value = PRIMES[level], 1
        for argument in above:
            value = value * self.gamma(argument, level) % p
        for argument in below:
            value = value * self.inverse(self.gamma(argument, level), p) % p
        return value


Rule: TypeAlias = Callable[[Field, Expr, int], int]


@lru_cache(maxsize=256)
def _square_root(value: int, p: int) -> int | None:
    """A square root modulo the prime, by Tonelli and Shanks; None where there is none."""
    if pow(value, (p - 1) // 2, p) != 1:
        return None
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    unit = pow(_non_residue(p), odd, p)
    root, rest = pow(value, (odd + 1) // 2, p), pow(value, odd, p)
    while rest != 1:
        order, power = 0, rest
        while power != 1:
            power, order = power * power % p, order + 1
        step = pow(unit, 1 << (twos - order - 1), p)
        root, unit = root * step % p, step * step % p
        rest, twos = rest * unit % p, order
    return root


@lru_cache(maxsize=8)
def _non_residue(p: int) -> int:
    return next(n for n in range(2, 1000) if pow(n, (p - 1) // 2, p) == p - 1)
