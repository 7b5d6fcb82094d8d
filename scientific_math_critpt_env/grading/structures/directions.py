"""Equality up to an overall sign or factor, where the problem's `up_to` frees one.

The sign or factor belongs to a vector: a matrix, a tuple of plain expressions, the values of a dict of such,
or a single expression. Of several vectors (a list or set of eigenvectors) each has its own; numbers beside
them (the eigenvalues) are compared as they are. Of a single expression the factor must be a number other than
0; of a vector it may depend on the symbols (eigenvectors do), but must not vanish identically.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, S

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.arrays import grid, is_grid
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch, weakest_method
from scientific_math_critpt_env.grading.structures.dictionaries import (
    as_mapping,
    compare_dictionaries,
    key_pairs,
)
from scientific_math_critpt_env.grading.structures.kinds import EXPRESSIONS, kind_of
from scientific_math_critpt_env.grading.structures.matching import match_collections
from scientific_math_critpt_env.grading.structures.residuals import proportion
from scientific_math_critpt_env.grading.structures.sequences import compare_sequences, items, listing

MAX_COMPONENTS = 64
"""Of a vector up to a factor; its components are compared crosswise against one pivot."""


def compare_up_to_factor(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Equal up to what the problem's `up_to` ("sign" or "scale") leaves free."""
    golds, answers = _collection(gold, context), _collection(answer, context)
    if golds is not None and answers is not None:
        return _collections(golds, answers, compare, context)
    if kind_of(gold) == kind_of(answer) == "dict":
        return _dictionaries(gold, answer, compare, context)
    left, right = _vector(gold, context), _vector(answer, context)
    if left is None or right is None:
        return _several(gold, answer, compare, context)
    if left[0] != right[0]:
        return shape_mismatch(f"shape {right[0]} where {left[0]} is asked")
    if context.problem.up_to == "sign":
        return _up_to_sign(left[1], right[1], compare, context)
    return _up_to_scale(left[1], right[1], context)


def _several(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Vectors among other things: each has its own factor, and plain components have none."""

    def component(g: object, a: object, c: Context) -> Finding:
        if kind_of(g) in EXPRESSIONS:
            return compare(g, a, c)
        return compare_up_to_factor(g, a, compare, c)

    if kind_of(gold) == kind_of(answer) == "sequence":
        return compare_sequences(gold, answer, component, context)
    return compare(gold, answer, context)


def _collection(value: object, context: Context) -> Sequence[object] | None:
    """The members of a set, or of an unordered list."""
    return listing(value) if kind_of(value) == "set" or context.problem.unordered else None


def _collections(
    golds: Sequence[object], answers: Sequence[object], compare: Compare, context: Context
) -> Finding:
    if any(kind_of(member) in EXPRESSIONS for member in golds):
        plain = match_collections(golds, answers, compare, context)
        scalars = [as_scalar(member) for member in answers]
        if plain.relation == "equal" or context.problem.up_to != "sign" or None in scalars:
            return plain
        turned = match_collections(golds, [-s for s in scalars if s is not None], compare, context)
        return turned if turned.relation == "equal" else plain
    return match_collections(golds, answers, lambda g, a, c: compare_up_to_factor(g, a, compare, c), context)


def _dictionaries(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Plain values together are one vector; where some are vectors themselves, each has its own factor."""
    golds, answers = as_mapping(gold), as_mapping(answer)
    pairs = key_pairs(golds, answers, compare, context)
    plain = all(kind_of(value) == "scalar" for side in (golds, answers) for value in side.values())
    if not plain or len(golds) != len(answers) or len(pairs) != len(golds):
        return compare_dictionaries(
            gold,
            answer,
            lambda g, a, c: (
                _several(g, a, compare, c)
                if kind_of(g) in EXPRESSIONS
                else compare_up_to_factor(g, a, compare, c)
            ),
            context,
            compare_keys=compare,
        )
    return compare_up_to_factor(
        tuple(golds[key] for key in pairs),
        tuple(answers[partner] for partner in pairs.values()),
        compare,
        context,
    )


def _vector(value: object, context: Context) -> tuple[tuple[int, ...], tuple[Expr, ...]] | None:
    """Shape and components of a vector, matrix or single expression; None for what holds vectors itself."""
    kind = kind_of(value)
    if kind == "scalar":
        single = as_scalar(value)
        return None if single is None else ((), (single,))
    if kind == "sequence":
        components = [as_scalar(item) for item in items(value)]
        if not components or None in components:
            return None
        return (len(components),), tuple(c for c in components if c is not None)
    if is_grid(value):
        written = grid(value, context)
        entries = [as_scalar(entry) for entry in written.entries] if written else [None]
        if written is None or None in entries:
            return None
        shape = written.shape[:1] if written.shape[1:] == (1,) else written.shape
        return shape, tuple(e for e in entries if e is not None)
    return None


def _up_to_sign(
    golds: tuple[Expr, ...], answers: tuple[Expr, ...], compare: Compare, context: Context
) -> Finding:
    plain = compare_sequences(golds, answers, compare, context)
    if plain.relation == "equal":
        return plain
    turned = compare_sequences(golds, tuple(-a for a in answers), compare, context)
    if turned.relation == "equal":
        return Finding(
            relation="equal", method=turned.method, reason=f"up to the sign: {turned.reason}", partial=1.0
        )
    best = plain if plain.partial >= turned.partial else turned
    if "undecided" in (plain.relation, turned.relation):
        return Finding(relation="undecided", method=best.method, reason=best.reason, partial=best.partial)
    return best


def _up_to_scale(golds: tuple[Expr, ...], answers: tuple[Expr, ...], context: Context) -> Finding:
    if len(golds) > MAX_COMPONENTS:
        return undecided(f"more than {MAX_COMPONENTS} components up to a factor")
    zeros = [[decide(component, S.Zero, context).relation for component in side] for side in (golds, answers)]
    if "undecided" in (*zeros[0], *zeros[1]):
        return undecided("whether a component is 0 is not known")
    if zeros[0] != zeros[1]:
        place = next(i for i, (g, a) in enumerate(zip(*zeros, strict=True)) if g != a)
        return different("exact", f"component {place + 1} is 0 on one side only")
    live = [i for i, relation in enumerate(zeros[0]) if relation == "different"]
    if not live:
        return equal("exact", "zero on both sides")
    if len(live) == 1 and len(golds) == 1:
        return proportion(golds[0], answers[0], context, numbers_only=True).finding
    pivot = live[0]
    findings = []
    for i in live[1:] or live:
        finding = decide(golds[i] * answers[pivot], golds[pivot] * answers[i], context)
        if finding.relation != "equal":
            reason = f"components {pivot + 1} and {i + 1} are not in the gold's ratio"
            return Finding(relation=finding.relation, method=finding.method, reason=reason)
        findings.append(finding)
    return equal(weakest_method(findings), "the same up to an overall factor")
