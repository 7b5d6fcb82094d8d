"""Finite unions of real intervals and points, decided exactly.

All end points of both sides are put in order (equal ones, also a float beside its exact value, are one), and
membership is looked up at every end point and in every gap between two of them.
"""

from __future__ import annotations

from sympy import Complement, Expr, FiniteSet, Intersection, Interval, S, Set, SymmetricDifference, Union, oo

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, short, weakest_method

MAX_END_POINTS = 200
"""Of both sides together; sorting needs each as a number of 40 digits."""

DIGITS = 40

NEAR = 1e-3
"""Neighbours closer than this (relatively) may be equal within a tolerance, and are decided."""

_COMBINED = (Union, Intersection, Complement, SymmetricDifference)


def compare_on_real_line(left: Set, right: Set, compare: Compare, context: Context) -> Finding | None:
    """Exact verdict; None where a side is not made of real intervals and points, or has parameters."""
    ends = _end_points(left), _end_points(right)
    if ends[0] is None or ends[1] is None or len(ends[0]) + len(ends[1]) > MAX_END_POINTS:
        return None
    order = _Order.of([*ends[0], *ends[1]], compare, context)
    if order is None:
        return undecided("end points that cannot be put in order")
    for position in range(2 * len(order.values) + 1):
        inside = _contains(left, position, order), _contains(right, position, order)
        if inside[0] != inside[1]:
            holder, other = ("gold", "answer") if inside[0] else ("answer", "gold")
            return different("exact", f"{order.shown(position)} is in the {holder} and not in the {other}")
    return equal(weakest_method([equal("exact"), *order.merged]), "the same cells of the real line")


class _Order:
    """End points in ascending order; value i stands at position 2i+1, the gaps at even positions."""

    def __init__(self) -> None:
        self.values: list[Expr] = []
        self.places: dict[Expr, int] = {}
        self.merged: list[Finding] = []

    @classmethod
    def of(cls, ends: list[Expr], compare: Compare, context: Context) -> _Order | None:
        numbers = {}
        for end in set(ends):
            number = attempt(lambda: end.evalf(DIGITS), context, 0.2)  # noqa: B023
            if number is None or (not number.is_Float and not number.is_Rational):
                return None
            numbers[end] = number
        order = cls()
        last = None
        for end in sorted(numbers, key=lambda e: (numbers[e], str(e))):
            if last is not None and abs(numbers[end] - numbers[last]) <= NEAR * max(
                abs(numbers[end]), abs(numbers[last]), 1
            ):
                found = compare(order.values[-1], end, context)
                if found.relation == "undecided":
                    return None
                if found.relation == "equal":
                    order.places[end] = order.places[last]
                    order.merged.append(found)
                    continue
            order.values.append(end)
            order.places[end] = 2 * len(order.values) - 1
            last = end
        return order

    def place(self, end: Expr) -> int:
        if end == oo:
            return 2 * len(self.values) + 1
        return -1 if end == -oo else self.places[end]

    def shown(self, position: int) -> str:
        if position % 2:
            return short(self.values[position // 2])
        if not self.values:
            return "every real number"
        if position == 0:
            return f"what is below {short(self.values[0])}"
        if position == 2 * len(self.values):
            return f"what is above {short(self.values[-1])}"
        low, high = self.values[position // 2 - 1], self.values[position // 2]
        return f"what is between {short(low)} and {short(high)}"


def _end_points(value: Set) -> list[Expr] | None:
    if value.free_symbols:
        return None
    if value == S.EmptySet:
        return []
    if isinstance(value, Interval):
        return [end for end in (value.start, value.end) if end not in (oo, -oo)]
    if isinstance(value, FiniteSet):
        return (
            list(value.args)
            if all(isinstance(p, Expr) and p.is_extended_real and p.is_finite for p in value.args)
            else None
        )
    if isinstance(value, _COMBINED):
        parts = [_end_points(part) for part in value.args]
        return None if None in parts else [end for part in parts for end in part or ()]
    return None


def _contains(value: Set, position: int, order: _Order) -> bool:
    if isinstance(value, Interval):
        start, end = order.place(value.start), order.place(value.end)
        return start < position < end or (
            (position == start and not value.left_open) or (position == end and not value.right_open)
        )
    if isinstance(value, FiniteSet):
        return any(order.place(point) == position for point in value.args)
    if value == S.EmptySet:
        return False
    inside = [_contains(part, position, order) for part in value.args]
    if isinstance(value, Union):
        return any(inside)
    if isinstance(value, Intersection):
        return all(inside)
    if isinstance(value, Complement):
        return inside[0] and not inside[1]
    return sum(inside) % 2 == 1
