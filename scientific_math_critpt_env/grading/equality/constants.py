"""Two numbers: there is one point only, so it gets as many digits as it takes."""

from __future__ import annotations

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime
from scientific_math_critpt_env.grading.equality.points import Point
from scientific_math_critpt_env.grading.equality.sampling import Pair, Sight
from scientific_math_critpt_env.grading.equality.tally import deepest
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided

CONSTANT_DIGITS = 110
"""Working digits for two numbers: there is only one point, so it gets more digits than 40."""

DEEP_QUADRATURE_DIGITS = 80
"""Working digits of integrals in two numbers that agree to 15 digits."""

DEEP_QUADRATURE_SECONDS = 0.7

RESOLVED_DIGITS_LIMIT = 2500
"""Digits spent on a constant whose terms differ in size by hundreds of orders of magnitude."""


def probe_numbers(pair: Pair, budget: Budget) -> Finding:
    """Two numbers: as many digits as it takes to see every term, then twice as many."""
    point = Point({}, "constant")
    digits = CONSTANT_DIGITS + pair.extra_digits
    while digits <= RESOLVED_DIGITS_LIMIT:
        try:
            sight = budget.limited(lambda: pair.look(point, digits=digits), budget.left)  # noqa: B023 - called here
        except OutOfTime:
            return undecided("the probes ran out of CPU time")
        if sight.look == "differs":
            return different("numeric", f"the gold is {sight.left}, the answer {sight.right}")
        if sight.look == "undefined":
            return different("numeric", f"the gold is {sight.left}, the answer is {sight.right}")
        if sight.look != "agrees":
            return undecided(
                f"the numbers cannot be told apart or have no value ({sight.missing or 'unclear'})"
            )
        if sight.quadrature:
            return _quadrature_constants(pair, sight, budget)
        if sight.resolved:
            refutation = deepest(pair, point, budget)
            return refutation or equal("numeric", f"both numbers agree to {int(digits * 0.8)} digits")
        digits *= 2
    return undecided("terms of the numbers differ too much in size")


def _quadrature_constants(pair: Pair, sight: Sight, budget: Budget) -> Finding:
    """Numbers that agree to 15 digits by numerical integration: once more with 70 working digits."""
    if not sight.resolved:
        return undecided("numerical integration has too few digits for the numbers involved")
    point = Point({}, "constant")
    try:
        sight = budget.limited(
            lambda: pair.look(point, quadrature_digits=DEEP_QUADRATURE_DIGITS), DEEP_QUADRATURE_SECONDS
        )
    except OutOfTime:
        sight = Sight("slow")
    if sight.look == "differs":
        return different("numeric", f"the gold is {sight.left}, the answer {sight.right}")
    if sight.look == "unclear":
        return undecided("numerical integration agrees to 15 digits, not to more")
    digits = DEEP_QUADRATURE_DIGITS // 2 if sight.look == "agrees" else 15
    return equal("numeric", f"both numbers agree to {digits} digits by numerical integration or summation")
