"""Tuples and lists: the same length, every component equal in its place.

A list is accepted for a tuple and a tuple for a list. Where the problem says `unordered`, the outermost
tuple, list or set is compared as a collection with repetitions: each component of the one is used up by one
of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import FiniteSet, S, Tuple

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.structures.composites import (
    Compare,
    fraction_right,
    shape_mismatch,
    whole,
)
from scientific_math_critpt_env.grading.structures.matching import match_collections

Items = tuple[object, ...]


def compare_sequences(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Component by component; `partial` counts the right ones also where the lengths differ."""
    golds, answers = items(gold), items(answer)
    parts = [
        (f"component {i}", compare(g, a, context))
        for i, (g, a) in enumerate(zip(golds, answers, strict=False), start=1)
    ]
    if len(golds) == len(answers):
        return whole(parts, "components")
    partial = fraction_right(parts, max(len(golds), len(answers)))
    return shape_mismatch(f"{len(answers)} components where the gold has {len(golds)}", partial)


def compare_unordered(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    """Two listings whose order does not count; None where one of them is no listing."""
    golds, answers = listing(gold), listing(answer)
    if golds is None or answers is None:
        return None
    return match_collections(golds, answers, compare, context)


def items(value: object) -> Items:
    """The components of a tuple or list, Python's or SymPy's."""
    return tuple(value.args) if isinstance(value, Tuple) else tuple(value)  # type: ignore[arg-type]


def listing(value: object) -> Sequence[object] | None:
    """The members of a tuple, list or set that is written out; None for anything else."""
    if isinstance(value, tuple | list | Tuple):
        return items(value)
    if isinstance(value, FiniteSet) or value == S.EmptySet:
        return tuple(value.args)  # type: ignore[attr-defined]
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return None
