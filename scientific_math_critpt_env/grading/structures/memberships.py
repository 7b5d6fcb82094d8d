"""Members of one set looked up in the other: refutes, and proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sympy import (
    Complement,
    ConditionSet,
    Expr,
    FiniteSet,
    ImageSet,
    Integer,
    Integers,
    Intersection,
    Interval,
    Naturals,
    Naturals0,
    Range,
    Rational,
    Rationals,
    S,
    Set,
    Union,
    oo,
    simplify,
)

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import short

MAX_MEMBERS = 20
"""Looked up from each side: a refutation is found among the first or hardly ever."""

LOOK_UP_SECONDS = 0.1

_INTEGERS = tuple(Integer(n) for n in (0, 1, -1, 2, -2, 3, -3, 4, 5, -7, 10, 17, -30, 101, 1000, -1000))

_REALS = (
    *_INTEGERS,
    Rational(1, 2),
    Rational(-1, 2),
    Rational(22, 7),
    S.Pi,
    -S.Pi,
    S.Pi / 2,
    Rational(1, 100),
)


def refute_by_members(left: Set, right: Set, context: Context) -> Finding | None:
    """Different, with a member of only one side; None where none was found."""
    for holder, other, names in ((left, right, ("gold", "answer")), (right, left, ("answer", "gold"))):
        for member in islice(_members(holder), MAX_MEMBERS):
            if _has(holder, member, context) is True and _has(other, member, context) is False:
                return different("exact", f"{short(member)} is in the {names[0]} and not in the {names[1]}")
    return None


def _has(value: Set, member: Expr, context: Context) -> bool | None:
    if isinstance(value, Union):
        found = [_has(part, member, context) for part in value.args]
        return True if True in found else None if None in found else False
    index = attempt(lambda: _index(value, member), context, LOOK_UP_SECONDS)
    if index is not None:
        member, value = index, value.args[1]
    contained = attempt(lambda: value.contains(member), context, LOOK_UP_SECONDS)
    if contained in (True, S.true):
        return True
    return False if contained in (False, S.false) else None


def _index(value: Set, member: Expr) -> Expr | None:
    """n with member = offset + period*n, for the linear image of a set of integers."""
    if not isinstance(value, ImageSet) or value.base_sets[0] not in (Integers, Naturals, Naturals0):
        return None
    if len(value.lamda.variables) != 1:
        return None
    (variable,) = value.lamda.variables
    period = value.lamda.expr.diff(variable)
    if period.has(variable) or period.is_zero is not False:
        return None
    return simplify((member - value.lamda.expr.xreplace({variable: S.Zero})) / period)


def _members(value: Set) -> Iterator[Expr]:
    """Candidates near the set: they are looked up in it as well, so that too many do no harm."""
    if isinstance(value, FiniteSet):
        yield from value.args
    elif isinstance(value, Interval):
        ends = [end for end in (value.start, value.end) if end not in (oo, -oo)]
        yield from ends
        if len(ends) == 2:
            yield (ends[0] + ends[1]) / 2
        yield from (end + step for end in ends for step in (Rational(1, 7), -Rational(1, 7), 3, -3))
        yield from _REALS
    elif isinstance(value, ImageSet) and len(value.lamda.variables) == 1:
        (variable,) = value.lamda.variables
        yield from (value.lamda.expr.xreplace({variable: m}) for m in _members(value.base_set))
    elif isinstance(value, Union | Intersection):
        parts = [_members(part) for part in value.args]
        for _ in range(MAX_MEMBERS):
            yield from (member for part in parts if (member := next(part, None)) is not None)
    elif isinstance(value, Complement):
        yield from _members(value.args[1])
        yield from _members(value.args[0])
    elif isinstance(value, ConditionSet):
        yield from _members(value.base_set)
    elif isinstance(value, Range) and not value.free_symbols:
        ends = [end for end in (value.inf, value.sup) if end not in (oo, -oo)]
        yield from (end + step * k for end in ends for k in (0, 1, -1, 2) for step in (value.step,))
        yield from _INTEGERS
    elif value in (Integers, Naturals, Naturals0, Rationals):
        yield from _INTEGERS
        yield from _REALS
    else:
        yield from _REALS
