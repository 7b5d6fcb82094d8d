"""Where the integrand of a finite interval jumps or bends: quadratures converge only between such places."""

from __future__ import annotations

from itertools import pairwise

from mpmath import mp
from sympy import Basic, Symbol

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.critical import bisected, break_functions
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, is_complex

FUNCTIONS_LIMIT = 6

LOOKS = 240
"""Values of a break function over the interval; two of its zeros within a step are not seen."""

KINKS_LIMIT = 24
"""More would make the quadrature slower than its budget."""


def kink_functions(integrand: Basic, variable: Symbol) -> list[Evaluate]:
    """The functions of the variable whose zeros are the kinks."""
    found: list[Evaluate] = []
    for function in break_functions([integrand]):
        if function.has(variable) and len(found) < FUNCTIONS_LIMIT:
            try:
                found.append(compiled(function))
            except NoValue:
                continue
    return found


def kinks(
    functions: list[Evaluate], frame: Frame, variable: Symbol, low: Number, high: Number
) -> list[Number]:
    """The kinks strictly between two finite real ends, in order; none where there are too many."""
    found: set[Number] = set()
    places = [low + (high - low) * k / LOOKS for k in range(LOOKS + 1)]
    for function in functions:

        def at(x: Number, function: Evaluate = function) -> Number:
            try:
                value = function(frame.bound(variable, x))
            except (NoValue, *NO_VALUE_ERRORS):
                return None
            return None if is_complex(value) else value

        values = [(x, at(x)) for x in places]
        found |= {x for x, value in values if value is not None and not value}
        for (a, at_a), (b, at_b) in pairwise(values):
            if at_a is not None and at_b is not None and at_a * at_b < 0:
                found.add(bisected(at, a, b, at_a, mp.prec))
    inside = sorted(x for x in found if low < x < high)
    return inside if len(inside) <= KINKS_LIMIT else []
