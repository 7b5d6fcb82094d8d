"""What integrals, sums and products share: limits within limits, and two evaluations that must agree."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Basic, Expr, Symbol

from scientific_math_critpt_env.grading.equality.arithmetic import NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, simplest

TRUSTED_SHARE = 0.6
"""Share of the working digits in which two evaluations of one integral or sum must agree."""

Binder = Callable[[Evaluate, Symbol, Evaluate, Evaluate], Evaluate]


def nested(node: Basic, bind: Binder) -> Evaluate:
    """One binder within the other; the first limits are the innermost."""
    evaluate = compiled(node.function)
    for limit in node.limits:
        if len(limit) != 3:
            raise NoValue("an indefinite integral has no value")
        variable, low, high = limit
        evaluate = bind(evaluate, variable, bound_value(low), bound_value(high))
    return guarded(evaluate)


def bound_value(limit: Expr) -> Evaluate:
    if limit is sympy.oo or limit is -sympy.oo:
        infinity = mp.inf if limit is sympy.oo else mp.ninf
        return lambda frame: infinity
    return compiled(limit)


def guarded(evaluate: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        try:
            return evaluate(frame)
        except NO_VALUE_ERRORS as error:
            raise NoValue(str(error)) from error

    return value


def trusted() -> Number:
    """The relative error that is accepted at the present working precision."""
    return mp.mpf(10) ** int(-TRUSTED_SHARE * mp.dps)


def confirmed(first: Number, second: Number) -> Number:
    """The second value, if the first one agrees with it; raises `NoValue` otherwise."""
    scale = max(abs(first), abs(second))
    if abs(first - second) > scale * trusted():
        raise NoValue("numerical integration or summation does not converge")
    return simplest(second)
