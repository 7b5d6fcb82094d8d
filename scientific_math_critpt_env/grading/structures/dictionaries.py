"""Dicts: the same keys, compared as values, and equal values under them.

A string key and a symbol of the same name are one key ('a' and Symbol('a')); case is folded only where no
key matches exactly; True is not 1, and the integer 1 is not the string '1'.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Dict, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.structures.composites import (
    Compare,
    Part,
    fraction_right,
    shape_mismatch,
    short,
    whole,
)

MAX_KEYS = 1_000
"""Keys that match no key exactly are decided against all that are left: quadratic."""


def compare_dictionaries(
    gold: object, answer: object, compare: Compare, context: Context, compare_keys: Compare | None = None
) -> Finding:
    """Key by key; `partial` is the fraction of right values among the keys of the larger dict.

    `compare_keys` is for keys where values are compared more freely (up to a sign, say).
    """
    golds, answers = as_mapping(gold), as_mapping(answer)
    total = max(len(golds), len(answers))
    if total > MAX_KEYS:
        return shape_mismatch(f"{total} keys are more than can be compared ({MAX_KEYS})")
    pairs = key_pairs(golds, answers, compare_keys or compare, context)
    parts: list[Part] = [
        (f"key {short(key)}", compare(golds[key], answers[partner], context))
        for key, partner in pairs.items()
    ]
    missing = [key for key in golds if key not in pairs]
    taken = list(pairs.values())
    extra = [key for key in answers if not any(key is other for other in taken)]
    if not missing and not extra:
        return whole(parts, "values")
    partial = fraction_right(parts, total)
    if missing:
        return shape_mismatch(f"the key {short(missing[0])} is missing", partial)
    return shape_mismatch(f"the key {short(extra[0])} is not one of the gold's", partial)


def as_mapping(value: object) -> Mapping[object, object]:
    """A dict, Python's or SymPy's, as a mapping."""
    return dict(value.items()) if isinstance(value, Dict) else value  # type: ignore[return-value]


def key_pairs(
    golds: Mapping[object, object],
    answers: Mapping[object, object],
    compare: Compare,
    context: Context,
) -> dict[object, object]:
    """Gold key -> the answer's key object; exact matches first, each key used once."""
    pairs: dict[object, object] = {}
    free = list(answers)
    for exact in (True, False):
        for key in golds:
            if key in pairs:
                continue
            partner = next(
                (i for i, other in enumerate(free) if _same_key(key, other, exact, compare, context)), None
            )
            if partner is not None:
                pairs[key] = free.pop(partner)
    return pairs


def _same_key(gold: object, answer: object, exact: bool, compare: Compare, context: Context) -> bool:
    if exact:
        return type(_plain(gold)) is type(_plain(answer)) and _plain(gold) == _plain(answer)
    return compare(gold, answer, context).relation == "equal"


def _plain(key: object) -> object:
    return key.name if isinstance(key, Symbol) else key
