"""Families with constants that are not linear: random members of each are looked for in the other.

A member of the one (its constants at random values) is solved for the constants of the other at as many
points as there are constants, and must then agree at further points. Solutions that fail there refute; where
no solution is found nothing is known.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

import mpmath
from sympy import Expr

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import agreement
from scientific_math_critpt_env.grading.structures.family import Family
from scientific_math_critpt_env.grading.structures.newton import DIGITS, System, evaluate
from scientific_math_critpt_env.grading.structures.sampling import points, value_at
from scientific_math_critpt_env.grading.structures.spans import rank_of, value_rows

MEMBERS = 2
"""Random members looked for in each direction."""

MAX_CONSTANTS = 4
"""Newton's method in more unknowns rarely converges from random starts."""

STARTS = 8
"""Starting points of one search."""

CHECKS = 6
"""Further points at which a found member must agree."""

AGREEING = mpmath.mpf(10) ** -18
"""Relative; the constants are solved to 30 digits."""

SEARCH_SECONDS = 0.5


def compare_members(gold: Family, answer: Family, context: Context) -> Finding:
    """Whether each family holds random members of the other."""
    targets = {"gold": gold, "answer": answer}
    if len(gold.constants) != len(answer.constants):
        reason = f"{len(answer.constants)} free constants where the gold has {len(gold.constants)}"
        freedoms = _freedom(gold, context), _freedom(answer, context)
        if freedoms[0] is None or freedoms[1] is None:
            return undecided(reason)
        if freedoms[0] != freedoms[1]:
            return different("numeric", reason)
        targets = {name: _without_redundant(family, freedoms[0], context) for name, family in targets.items()}
    if max(len(family.constants) for family in targets.values()) > MAX_CONSTANTS:
        return undecided(f"more than {MAX_CONSTANTS} constants that do not enter linearly")
    for draw in range(MEMBERS):
        for member_of, other, name in (
            (gold, targets["answer"], "gold"),
            (answer, targets["gold"], "answer"),
        ):
            found = _drawn_member_held(member_of, other, draw, context)
            if found is None:
                return undecided(f"no member of the other family was found for one of the {name}'s")
            if not found:
                return different("numeric", f"a member of the {name}'s family is not in the other family")
    return agreement(f"{MEMBERS} random members of each family are in the other", context)


def _drawn_member_held(member_of: Family, other: Family, draw: int, context: Context) -> bool | None:
    held = next(points(member_of.others() | other.others(), seed=51 + draw, real=True))
    values = next(points(member_of.constants, seed=61 + draw, real=True))
    member = member_of.expression.xreplace({**held, **values})
    target = Family(other.expression.xreplace(held), other.constants, other.variables)
    return attempt(lambda: _holds(target, member, draw, context), context, SEARCH_SECONDS)


def _without_redundant(family: Family, freedom: int, context: Context) -> Family:
    """The family with as many constants as change its members independently, the others held somewhere."""
    for kept in combinations(family.constants, freedom):
        rest = [c for c in family.constants if c not in kept]
        held = next(points(rest, seed=91, real=True))
        smaller = Family(family.expression.xreplace(held), kept, family.variables)
        if _freedom(smaller, context) == freedom:
            return smaller
    return family


def _freedom(family: Family, context: Context) -> int | None:
    """In how many independent ways the constants change a member."""
    slopes = attempt(lambda: [family.expression.diff(c) for c in family.constants], context)
    held = next(points([*family.others(), *family.constants], seed=81, real=True))
    with mpmath.workdps(DIGITS):
        rows = slopes and value_rows([s.xreplace(held) for s in slopes], family.variables, 0, context)
        return rank_of(rows, range(len(slopes))) if rows and slopes else None


def _holds(family: Family, member: Expr, draw: int, context: Context) -> bool | None:
    """Whether `member` is in the family: True, False, or None where no candidate was found."""
    count = len(family.constants)
    failed = False
    with mpmath.workdps(DIGITS):
        rows = []
        for point in islice(points(family.variables, seed=71 + draw, real=True), 4 * (count + CHECKS)):
            value = value_at(member, point, context, DIGITS)
            if value is not None:
                rows.append((point, value))
        if len(rows) < count + CHECKS:
            return None
        system = System.at(family, rows[:count])
        for start in range(STARTS):
            constants = system.solve(start)
            if constants is None:
                continue
            if all(_agrees(family, point, value, constants) for point, value in rows[count:]):
                return True
            failed = True
    return False if failed else None


def _agrees(family: Family, point: Any, value: mpmath.mpc, constants: list[mpmath.mpc]) -> bool:
    other = evaluate(family.expression.xreplace(point), family.constants, constants)
    return other is not None and bool(abs(other - value) <= AGREEING * max(abs(value), abs(other), 1))
