"""Where a symbol may lie: from its assumptions, and from what is done with it where nothing is declared.

A symbol without assumptions is a complex number. It is real where something orders it (Max, Heaviside, an
inequality), and a small whole number where it bounds a sum or is an index of a Kronecker delta. An integer of
either sign is nonnegative where it stands in a factorial or a binomial.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import sympy
from sympy import Expr, Rational, Symbol
from sympy.logic.boolalg import BooleanFunction

Kind = Literal["integer", "real", "imaginary", "complex"]

ORDERED = (sympy.Max, sympy.Min, sympy.Heaviside, sympy.Mod, sympy.atan2, sympy.DiracDelta)
"""What asks for an order of its arguments."""

COUNTING = (sympy.factorial, sympy.factorial2, sympy.subfactorial, sympy.binomial, sympy.catalan)

_NOT_TESTED = frozenset(
    {"commutative", "finite", "infinite", "extended_real", "hermitian", "antihermitian", "polar"}
    | {"real", "complex", "rational", "irrational", "algebraic", "transcendental", "imaginary"}
)
"""Assumptions that a generic number of the right kind satisfies, or that no rational number could."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The set that values of one symbol are drawn from."""

    kind: Kind
    sign: int = 0
    """1 and -1: that sign only; 0: both."""
    facts: tuple[tuple[str, bool], ...] = ()
    """Further assumptions that each value is tested against."""
    small: bool = False
    """An index or a bound: small whole numbers only."""
    declared: bool = True
    """Whether the assumptions say so; an undeclared domain may be narrowed further."""

    def admits(self, value: Fraction) -> bool:
        """Whether a real (or the imaginary part of an imaginary) value fits sign and facts."""
        if self.sign and value * self.sign < 0:
            return False
        number = Rational(value.numerator, value.denominator)
        return all(getattr(number, f"is_{name}") is wanted for name, wanted in self.facts)


def domains(expressions: Iterable[Expr]) -> dict[Symbol, Domain]:
    """The domain of each free symbol, in an order that depends on names alone."""
    parts = list(expressions)
    symbols = set().union(*(part.free_symbols for part in parts))
    found = {symbol: _declared(symbol) for symbol in sorted(symbols, key=str)}
    if not all(domain.declared for domain in found.values()):
        for part in parts:
            _narrow_by_use(part, found)
    if any(domain.kind == "integer" and not domain.sign for domain in found.values()):
        for part in parts:
            _count_up(part, found)
    return found


def narrowed(found: dict[Symbol, Domain]) -> list[dict[Symbol, Domain]]:
    """Smaller domains to try where expressions have no value at complex points: reals, then whole numbers."""
    if all(domain.declared for domain in found.values()):
        return []
    choices = (
        Domain("real", declared=False),
        Domain("real", 1, declared=False),
        Domain("integer", 1, small=True),
    )
    return [{s: d if d.declared else choice for s, d in found.items()} for choice in choices]


def _declared(symbol: Symbol) -> Domain:
    given = symbol._assumptions_orig
    if symbol.is_zero:
        return Domain("integer", facts=(("zero", True),))
    sign = 1 if symbol.is_extended_nonnegative else -1 if symbol.is_extended_nonpositive else 0
    facts = tuple(sorted((name, wanted) for name, wanted in given.items() if name not in _NOT_TESTED))
    if symbol.is_integer:
        return Domain("integer", sign, facts)
    if symbol.is_extended_real:
        return Domain("real", sign, facts)
    if symbol.is_imaginary:
        return Domain("imaginary", declared=True)
    return Domain("complex", declared=symbol.is_real is False)


def _narrow_by_use(expression: Expr, found: dict[Symbol, Domain]) -> None:
    for node in sympy.preorder_traversal(expression):
        if isinstance(node, sympy.Sum | sympy.Product):
            for limit in node.limits:
                _narrow(limit[1:], found, Domain("integer", 1, small=True))
        elif isinstance(node, sympy.KroneckerDelta):
            _narrow(node.args, found, Domain("integer", small=True))
        elif isinstance(node, sympy.Piecewise):
            _narrow(_truths(node), found, Domain("integer", small=True))
        elif isinstance(node, (*ORDERED, sympy.Gt, sympy.Ge, sympy.Lt, sympy.Le)):
            unordered = [side for side in node.args if not side.is_extended_real]
            _narrow(unordered, found, Domain("real", declared=False))


def _count_up(expression: Expr, found: dict[Symbol, Domain]) -> None:
    """Integers inside of counting functions are 0, 1, 2 ...: below, SymPy's values follow no one formula."""
    for node in expression.atoms(*COUNTING):
        for symbol in node.free_symbols & found.keys():
            domain = found[symbol]
            if domain.kind == "integer" and not domain.sign:
                found[symbol] = replace(domain, sign=1)


def _truths(node: sympy.Piecewise) -> list[Symbol]:
    """Symbols that stand for a condition."""
    found: list[Symbol] = []
    waiting = [condition for _, condition in node.args]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Symbol):
            found.append(part)
        elif isinstance(part, BooleanFunction):
            waiting.extend(part.args)
    return found


def _narrow(parts: Iterable[Expr], found: dict[Symbol, Domain], domain: Domain) -> None:
    for part in parts:
        for symbol in part.free_symbols:
            known = found.get(symbol)
            if known is not None and not known.declared and known.kind != "integer":
                found[symbol] = replace(domain, declared=domain.kind == "integer")
