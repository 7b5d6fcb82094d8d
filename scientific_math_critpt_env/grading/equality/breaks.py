"""Points at, next to and on both sides of the places where something jumps or bends.

`sin(x)` and `sin(x) + Heaviside(x - 50)` agree wherever one usually looks. The functions whose zeros (or
whole values, for floor) are the break points are collected from both sides; along each symbol their zeros
are found exactly where they are linear with rational coefficients, and by sign changes on a logarithmic grid
otherwise.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import sympy
from mpmath import mp
from sympy import Expr, Rational, Symbol, preorder_traversal

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.domains import Domain
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, is_complex
from scientific_math_critpt_env.grading.equality.points import Coordinate, Point

FUNCTIONS_LIMIT = 12
"""Break functions that are followed; real expressions have one to four."""

CONSTANTS_LIMIT = 6
"""Whole numbers of the expressions whose multiples are tried, the smallest ones."""

ZEROS_LIMIT = 6
"""Zeros kept of one break function along one symbol, those nearest 0."""

WHOLE_VALUES = (0, 1, -1, 2, 7)
"""Values at which floor and Mod are met jumping."""

OFFSETS = ("1e-1", "1e-4", "1e-12")
"""Relative distances from a break point at which both sides are probed."""

_GRID = [sign * mp.mpf(10) ** (exponent / 4) for exponent in range(-24, 38) for sign in (1, -1)]
_BISECTIONS = 60


def break_points(expressions: Sequence[Expr], domains: dict[Symbol, Domain], seed: int) -> Iterator[Point]:
    """Points around the breaks, one symbol moving, the others at generic values of their domains."""
    source = random.Random(seed + 1)
    yield from _at_constants(expressions, domains, source)
    functions = (f for f in _break_functions(expressions) if f.free_symbols <= domains.keys())
    for function in itertools.islice(functions, FUNCTIONS_LIMIT):
        for symbol in sorted(function.free_symbols & domains.keys(), key=lambda s: s.name):
            if domains[symbol].kind == "imaginary":
                continue
            others = {s: _generic(d, source) for s, d in domains.items() if s != symbol}
            for zero in _zeros(function, symbol, others):
                for value in _around(zero, domains[symbol]):
                    yield Point({s: others.get(s, (value, Fraction(0))) for s in domains}, "break")


def _at_constants(
    expressions: Sequence[Expr], domains: dict[Symbol, Domain], source: random.Random
) -> Iterator[Point]:
    """Whole numbers at and around multiples of those in the expressions: `n**12 - 1` modulo 13 at n = 13."""
    whole = [symbol for symbol, domain in domains.items() if domain.kind == "integer" and not domain.small]
    if not whole:
        return
    numbers = {abs(int(atom)) for e in expressions for atom in e.atoms(sympy.Integer)}
    for number in sorted(number for number in numbers if 1 < number < 10**6)[:CONSTANTS_LIMIT]:
        for symbol in whole:
            others = {s: _generic(d, source) for s, d in domains.items() if s != symbol}
            for value in (number, 2 * number, 3 * number, number - 1, number + 1, -number):
                if domains[symbol].admits(Fraction(value)):
                    moved = Fraction(value), Fraction(0)
                    yield Point({s: others.get(s, moved) for s in domains}, "break")


def _break_functions(expressions: Sequence[Expr]) -> Iterator[Expr]:
    """Functions whose zeros are breaks, each once."""
    seen: set[Expr] = set()
    for expression in expressions:
        for node in preorder_traversal(expression):
            for function in _breaks_of(node):
                if function.free_symbols and function not in seen and -function not in seen:
                    seen.add(function)
                    yield function


def _breaks_of(node: sympy.Basic) -> list[Expr]:
    if isinstance(node, sympy.Abs | sympy.sign | sympy.Heaviside):
        return [node.args[0]]
    if isinstance(node, sympy.core.relational.Relational):
        finite = node.lhs.is_finite is not False and node.rhs.is_finite is not False
        return [node.lhs - node.rhs] if finite else []
    if isinstance(node, sympy.Max | sympy.Min):
        return [a - b for a, b in itertools.combinations(node.args, 2)]
    if isinstance(node, sympy.floor | sympy.ceiling | sympy.frac):
        return [node.args[0] - whole for whole in WHOLE_VALUES]
    if isinstance(node, sympy.Mod):
        return [node.args[0] - whole * node.args[1] for whole in WHOLE_VALUES]
    if isinstance(node, sympy.atan2):
        return list(node.args)
    if isinstance(node, sympy.KroneckerDelta):
        return [node.args[0] - node.args[1]]
    return []


def _generic(domain: Domain, source: random.Random) -> Coordinate:
    for _ in range(60):
        value = Fraction(source.randint(-3000, 3000), 1 if domain.kind == "integer" else 1000)
        if domain.kind == "integer":
            value = Fraction(source.randint(-6, 12))
        if domain.admits(value):
            return (Fraction(0), value) if domain.kind == "imaginary" else (value, Fraction(0))
    return Fraction(domain.sign or 1), Fraction(0)


def _zeros(function: Expr, symbol: Symbol, others: dict[Symbol, Coordinate]) -> list[Fraction]:
    """Zeros along the symbol with the other symbols fixed; exact ones where the function is linear."""
    exact = {s: Rational(re.numerator, re.denominator) for s, (re, _) in others.items()}
    along = function.xreplace(exact) if exact else function
    slope = along.diff(symbol) if along.is_polynomial(symbol) else None
    if slope is not None and not slope.free_symbols and slope != 0:
        zero = -along.xreplace({symbol: sympy.S.Zero}) / slope
        if zero.is_Rational:
            return [Fraction(int(zero.p), int(zero.q))]
        value = _number(zero)
        return [] if value is None else [value]
    try:
        return _sign_changes(compiled(along), symbol)
    except NoValue:
        return []


def _number(zero: Expr) -> Fraction | None:
    """A constant, wherever it lies: `exp(60)` is beyond every grid."""
    try:
        with mp.workdps(30):
            value = compiled(zero)(Frame({}))
            return None if is_complex(value) else Fraction(mp.nstr(value, 25))
    except (NoValue, *NO_VALUE_ERRORS):
        return None


def _sign_changes(function: Evaluate, symbol: Symbol) -> list[Fraction]:
    found: list[Fraction] = []
    with mp.workdps(30):
        values = [(x, _value(function, symbol, x)) for x in sorted(_GRID)]
        found += [Fraction(mp.nstr(x, 16)) for x, at in values if at is not None and not at]
        for (low, at_low), (high, at_high) in itertools.pairwise(values):
            if at_low is not None and at_high is not None and at_low * at_high < 0:
                found.append(_bisected(function, symbol, low, high, at_low))
    return sorted(found, key=abs)[:ZEROS_LIMIT]


def _value(function: Evaluate, symbol: Symbol, x: Number) -> Number:
    try:
        value = function(Frame({symbol: x}))
    except (NoValue, *NO_VALUE_ERRORS):
        return None
    return None if is_complex(value) else value


def _bisected(function: Evaluate, symbol: Symbol, low: Number, high: Number, at_low: Number) -> Fraction:
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        at = _value(function, symbol, middle)
        if at is None or not at:
            low = high = middle
            break
        if (at > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    return Fraction(mp.nstr((low + high) / 2, 16))


def _around(zero: Fraction, domain: Domain) -> Iterator[Fraction]:
    """The break itself, and both sides of it."""
    if domain.kind == "integer":
        whole = zero.numerator // zero.denominator
        candidates = [Fraction(whole + step) for step in (0, 1, -1, 2, -2)]
    else:
        scale = abs(zero) if zero else Fraction(1)
        candidates = [zero, *(zero + sign * scale * Fraction(o) for o in OFFSETS for sign in (1, -1))]
    return (value for value in candidates if domain.admits(value))
