"""Families with constants that are not linear: random members of each are looked for in the other.

A member of the one (its constants at random values) is solved for the constants of the other at as many
points as there are constants, and must then agree at further points. Solutions that fail there refute; where
no solution is found nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import mpmath
from sympy import Expr, Float, I, S, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import agreement
from scientific_math_critpt_env.grading.structures.sampling import points, value_at

MEMBERS = 3
"""Random members looked for in each direction."""

MAX_CONSTANTS = 4
"""Newton's method in more unknowns rarely converges from random starts."""

STARTS = 8
"""Starting points of one search."""

CHECKS = 6
"""Further points at which a found member must agree."""

DIGITS = 30

AGREEING = mpmath.mpf(10) ** -18
"""Relative; the constants are solved to 30 digits."""

SEARCH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Family:
    """An expression, its free constants, and the variables of its members."""

    expression: Expr
    constants: tuple[Symbol, ...]
    variables: tuple[Symbol, ...]

    def is_additive(self) -> bool:
        """Whether the constants (if any) only add a constant."""
        return (
            not any(self.expression.diff(v).expand().has(*self.constants) for v in self.variables)
            or not self.constants
        )

    def without_constants(self) -> Expr:
        return self.expression.subs(dict.fromkeys(self.constants, S.One))


def compare_members(gold: Family, answer: Family, context: Context) -> Finding:
    """Whether each family holds random members of the other."""
    if len(gold.constants) != len(answer.constants):
        return different(
            "structural", f"{len(answer.constants)} free constants where the gold has {len(gold.constants)}"
        )
    if len(gold.constants) > MAX_CONSTANTS:
        return undecided(f"more than {MAX_CONSTANTS} constants that do not enter linearly")
    others = (gold.expression.free_symbols | answer.expression.free_symbols) - {
        *gold.constants, *answer.constants, *gold.variables,
    }  # fmt: skip
    for draw in range(MEMBERS):
        held = next(points(others, seed=51 + draw, real=True))
        for member_of, other, name in ((gold, answer, "gold"), (answer, gold, "answer")):
            values = next(points(member_of.constants, seed=61 + draw, real=True))
            member = member_of.expression.xreplace({**held, **values})
            target = Family(other.expression.xreplace(held), other.constants, other.variables)
            found = attempt(lambda: _holds(target, member, draw, context), context, SEARCH_SECONDS)  # noqa: B023
            if found is None:
                return undecided(f"no member of the other family was found for one of the {name}'s")
            if not found:
                return different("numeric", f"a member of the {name}'s family is not in the other family")
    return agreement(f"{MEMBERS} random members of each family are in the other", context)


def _holds(family: Family, member: Expr, draw: int, context: Context) -> bool | None:
    """Whether `member` is in the family: True, False, or None where no candidate was found."""
    count = len(family.constants)
    rows = []
    for point in islice(points(family.variables, seed=71 + draw, real=True), 4 * (count + CHECKS)):
        value = value_at(member, point, context, DIGITS)
        if value is not None:
            rows.append((point, value))
    if len(rows) < count + CHECKS:
        return None
    failed = False
    for start in range(STARTS):
        constants = _solve(family, rows[:count], start)
        if constants is None:
            continue
        if all(_agrees(family, point, value, constants) for point, value in rows[count:]):
            return True
        failed = True
    return False if failed else None


def _solve(family: Family, rows: list[tuple[Any, mpmath.mpc]], start: int) -> list[mpmath.mpc] | None:
    functions = [_function(family, point, value) for point, value in rows]
    with mpmath.workdps(DIGITS):
        guess = [
            mpmath.mpc(0.7 + 0.4 * start * (-1) ** (start + i), 0.3 * (start % 3))
            for i in range(len(functions))
        ]
        try:
            if len(functions) == 1:
                return [mpmath.findroot(functions[0], guess[0], solver="secant")]
            return list(mpmath.findroot(functions, guess))
        except (ValueError, ZeroDivisionError, TypeError, OverflowError):
            return None  # no convergence from here, or no value on the way: another start is tried


def _function(family: Family, point: Any, value: mpmath.mpc) -> Callable[..., mpmath.mpc]:
    expression = family.expression.xreplace(point)

    def difference(*constants: mpmath.mpc) -> mpmath.mpc:
        return _value(expression, family, constants) - value

    return difference


def _value(expression: Expr, family: Family, constants: Any) -> mpmath.mpc:
    numbers = {
        symbol: Float(mpmath.re(c), DIGITS) + I * Float(mpmath.im(c), DIGITS)
        for symbol, c in zip(family.constants, constants, strict=True)
    }
    real, imaginary = expression.xreplace(numbers).evalf(DIGITS).as_real_imag()
    return mpmath.mpc(mpmath.mpmathify(real), mpmath.mpmathify(imaginary))


def _agrees(family: Family, point: Any, value: mpmath.mpc, constants: list[mpmath.mpc]) -> bool:
    try:
        other = _value(family.expression.xreplace(point), family, constants)
    except (ValueError, TypeError):
        return False  # no value here, while the member has one
    return bool(abs(other - value) <= AGREEING * max(abs(value), abs(other), 1))
