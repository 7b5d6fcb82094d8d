"""Sets of one constructor: equal where their parts are, unions and intersections in any order.

Different parts prove nothing (two conditions may have the same solutions), so only products refute: not empty
ones are equal only factor by factor.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import (
    Complement,
    ConditionSet,
    Dummy,
    ImageSet,
    Intersection,
    Interval,
    Lambda,
    Naturals,
    Naturals0,
    ProductSet,
    Set,
    Union,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, equal
from scientific_math_critpt_env.grading.structures.composites import Compare, Part, shape_mismatch, whole
from scientific_math_critpt_env.grading.structures.matching import match_collections


def compare_by_parts(left: Set, right: Set, compare: Compare, context: Context) -> Finding | None:
    """Equal (of products also different), or None where nothing is shown."""
    if isinstance(left, ProductSet) and isinstance(right, ProductSet):
        return _products(left, right, compare, context)
    for type_, parts in _PARTS:
        if isinstance(left, type_) and isinstance(right, type_):
            found = parts(left, right, compare, context)
            return found if found is not None and found.relation == "equal" else None
    return None


def _intervals(left: Interval, right: Interval, compare: Compare, context: Context) -> Finding | None:
    if (left.left_open, left.right_open) != (right.left_open, right.right_open):
        return None
    return _all(((left.start, right.start), (left.end, right.end)), compare, context)


def _unordered(left: Set, right: Set, compare: Compare, context: Context) -> Finding:
    return match_collections(left.args, right.args, compare, context)


def _in_order(left: Set, right: Set, compare: Compare, context: Context) -> Finding | None:
    if len(left.args) != len(right.args):
        return None
    return _all(tuple(zip(left.args, right.args, strict=True)), compare, context)


def _products(left: ProductSet, right: ProductSet, compare: Compare, context: Context) -> Finding | None:
    if any(factor.is_empty is not False for factor in (*left.sets, *right.sets)):
        return None
    if len(left.sets) != len(right.sets):
        return shape_mismatch(f"a product of {len(right.sets)} sets where one of {len(left.sets)} is asked")
    pairs = enumerate(zip(left.sets, right.sets, strict=True), start=1)
    return whole([(f"factor {i} of the product", compare(g, a, context)) for i, (g, a) in pairs], "factors")


def _image_sets(left: ImageSet, right: ImageSet, compare: Compare, context: Context) -> Finding | None:
    if len(left.base_sets) != len(right.base_sets):
        return None
    left, right = _zero_based(left), _zero_based(right)
    pairs: list[tuple[object, object]] = list(zip(left.base_sets, right.base_sets, strict=True))
    return _all((*pairs, (left.lamda, right.lamda)), compare, context)


def _zero_based(image: ImageSet) -> ImageSet:
    """{f(n) : n = 1, 2, ...} as {f(n + 1) : n = 0, 1, ...}."""
    if image.base_sets != (Naturals,) or len(image.lamda.variables) != 1:
        return image
    (index,) = image.lamda.variables
    shifted = image.lamda.expr.subs(index, index + 1)
    return ImageSet(Lambda(index, shifted), Naturals0)


def _condition_sets(
    left: ConditionSet, right: ConditionSet, compare: Compare, context: Context
) -> Finding | None:
    symbol = Dummy("x", **_assumed(left.sym))
    conditions = [side.condition.xreplace({side.sym: symbol}) for side in (left, right)]
    if not all(isinstance(condition, Relational | Boolean) for condition in conditions):
        return None
    return _all(((left.base_set, right.base_set), (conditions[0], conditions[1])), compare, context)


def _assumed(symbol: object) -> dict[str, bool]:
    return dict(getattr(symbol, "_assumptions_orig", {}))


def _all(pairs: Sequence[tuple[object, object]], compare: Compare, context: Context) -> Finding | None:
    parts: list[Part] = []
    for g, a in pairs:
        found = compare(g, a, context)
        if found.relation != "equal":
            return None
        parts.append(("part", found))
    return whole(parts, "parts") if parts else equal("structural")


_PARTS = (
    (Interval, _intervals),
    (Complement, _in_order),
    (ConditionSet, _condition_sets),
    (ImageSet, _image_sets),
    (Union, _unordered),
    (Intersection, _unordered),
)
