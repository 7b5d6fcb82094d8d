"""Where something jumps or bends: the functions whose zeros these places are, and the zeros.

Along one symbol a zero is found exactly where the function is linear, and by sign changes on a logarithmic
grid otherwise. Not covered: zeros without a change of sign, and those closer together than the grid.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import sympy
from mpmath import mp
from sympy import Expr, Rational, Symbol, preorder_traversal

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, is_complex
from scientific_math_critpt_env.grading.equality.points import Coordinate

ZEROS_LIMIT = 6
"""Zeros kept of one break function along one symbol, those nearest 0."""

WHOLE_VALUES = (0, 1, -1, 2, 7)
"""Values at which floor and Mod are met jumping."""

BRANCHES_LIMIT = 8
"""Smooth functions that one break function stands for: `Min(x, y) - 10` is x - 10 or y - 10."""

_EXPONENTS = [*(k / 4 for k in range(-24, 38)), *range(10, 40, 2), *range(40, 500, 20)]
_GRID = [sign * mp.mpf(10) ** exponent for exponent in _EXPONENTS for sign in (1, -1)]
_BISECTIONS = 60
_FAR_APART = 16
"""Neighbours on the grid with a larger ratio are halved by their geometric mean."""


def break_functions(expressions: Sequence[Expr]) -> Iterator[Expr]:
    """Functions whose zeros are breaks, each once."""
    seen: set[Expr] = set()
    for expression in expressions:
        for node in preorder_traversal(expression):
            for function in itertools.chain.from_iterable(map(_branches, _breaks_of(node))):
                if function.free_symbols and function not in seen and -function not in seen:
                    seen.add(function)
                    yield function


def _branches(function: Expr) -> list[Expr]:
    """The function with what bends in it replaced by each of what it may be."""
    found = [function]
    for _ in range(BRANCHES_LIMIT):
        bent = next((f for f in found if f.has(*_BENT)), None)
        if bent is None or len(found) > BRANCHES_LIMIT:
            break
        node = next(n for n in preorder_traversal(bent) if isinstance(n, _BENT))
        found.remove(bent)
        found += [bent.xreplace({node: part}) for part in _parts(node)]
    return found[:BRANCHES_LIMIT]


_BENT = (sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise)


def _parts(node: sympy.Basic) -> list[Expr]:
    if isinstance(node, sympy.Piecewise):
        return [value for value, _ in node.args]
    return list(node.args)


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


def zeros(function: Expr, symbol: Symbol, others: dict[Symbol, Coordinate]) -> list[Fraction]:
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
                zero = bisected(lambda x: _value(function, symbol, x), low, high, at_low, _BISECTIONS)
                found.append(Fraction(mp.nstr(zero, 16)))
    return sorted(found, key=abs)[:ZEROS_LIMIT]


def _value(function: Evaluate, symbol: Symbol, x: Number) -> Number:
    try:
        value = function(Frame({symbol: x}))
    except (NoValue, *NO_VALUE_ERRORS):
        return None
    return None if is_complex(value) else value


def bisected(
    at: Callable[[Number], Number], low: Number, high: Number, at_low: Number, halvings: int
) -> Number:
    """A zero between two places of opposite signs; `at` gives None where there is no real value."""
    for _ in range(halvings):
        apart = low * high > 0 and max(low / high, high / low) > _FAR_APART
        middle = mp.sign(low) * mp.sqrt(low * high) if apart else (low + high) / 2
        value = at(middle)
        if value is None or not value:
            return middle
        if (value > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    return (low + high) / 2
