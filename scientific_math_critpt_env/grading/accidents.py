"""Why a mutant may equal its gold after all, by a fact that does not rest on the comparison under test.

The facts: both are written the same; the problem frees what was changed (`up_to`, `unordered`); the texts
fold to the same; both have the same values at points of their own, by plain evaluation; both are within the
row's own tolerance. No fact, and the comparison has accepted a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import mpmath
from sympy import Eq, Expr, Float, Lambda, MatrixBase, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.family_mutants import membership
from scientific_math_critpt_env.grading.mutants import Mutant
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.residuals import residuals
from scientific_math_critpt_env.grading.structures.sampling import points, value_at
from scientific_math_critpt_env.grading.structures.sequences import items, listing
from scientific_math_critpt_env.grading.structures.strings import folded
from scientific_math_critpt_env.grading.structures.symbols import symbols_of

POINTS = 8
"""With values on both sides; fewer prove nothing."""

DIGITS = 40

AGREEING = mpmath.mpf(10) ** -30
"""Relative difference of two equal values of 40 digits."""


def accident(gold: object, mutant: Mutant, context: Context) -> str:
    """The fact that makes them equal; "" where there is none."""
    freed = _freed(mutant.name, context)
    return freed or _same(gold, mutant.value, context) or membership(gold, mutant.value, context)


def _freed(name: str, context: Context) -> str:
    problem = context.problem
    last = name.split(": ")[-1]
    if problem.unordered and last in ("swapped components", "reversed", "a set of it", "a list"):
        return "the problem is unordered"
    if problem.up_to in ("sign", "scale") and last == "sign":
        return f"the problem is up to {problem.up_to}"
    if problem.up_to == "scale" and last in (
        "factor 2",
        "factor 10",
        "nearby exact",
        "nearby float",
        "inverse",
    ):
        return "the problem is up to scale"
    return ""


def _same(gold: object, mutant: object, context: Context) -> str:
    if type(gold) is type(mutant) and gold == mutant and repr(gold) == repr(mutant):
        return "written the same"
    kinds = kind_of(gold), kind_of(mutant)
    if kinds == ("string", "string"):
        return "the same text" if folded(str(gold)) == folded(str(mutant)) else ""
    if kinds == ("sequence", "sequence"):
        return _same_items(list(items(gold)), list(items(mutant)), context)
    if kinds == ("set", "set"):
        return _same_members(gold, mutant, context)
    if isinstance(gold, MatrixBase) and isinstance(mutant, MatrixBase):
        return (
            _same_items(list(gold.flat()), list(mutant.flat()), context) if gold.shape == mutant.shape else ""
        )
    if isinstance(gold, dict) and isinstance(mutant, dict):
        same_keys = list(gold) == list(mutant)
        return _same_items(list(gold.values()), list(mutant.values()), context) if same_keys else ""
    if isinstance(gold, Lambda) and isinstance(mutant, Lambda):
        return _same(gold.expr, mutant.expr, context) if gold.signature == mutant.signature else ""
    if isinstance(gold, Symbol) and isinstance(mutant, str):
        return "a symbol is answered by its name" if folded(gold.name) == folded(mutant) else ""
    if isinstance(gold, Eq) and isinstance(mutant, Eq):
        return _same_equation(gold, mutant, context)
    left, right = as_scalar(gold), as_scalar(mutant)
    if left is not None and right is not None:
        return _same_values(left, right, context)
    if isinstance(gold, Boolean) and isinstance(mutant, Boolean):
        return attempt(lambda: _same_truths(gold, mutant), context) or ""
    return ""


def _same_items(golds: list[object], mutants: list[object], context: Context) -> str:
    if len(golds) != len(mutants):
        return ""
    facts = {_same(g, m, context) or membership(g, m, context) for g, m in zip(golds, mutants, strict=True)}
    return "" if "" in facts else " and ".join(sorted(facts))


def _same_members(gold: object, mutant: object, context: Context) -> str:
    golds, mutants = listing(gold), listing(mutant)
    if golds is None or mutants is None:
        return ""
    pairs: list[Callable[[], bool]] = [
        lambda: all(any(_same(g, m, context) for m in mutants) for g in golds),
        lambda: all(any(_same(g, m, context) for g in golds) for m in mutants),
    ]
    return "the same members" if all(pair() for pair in pairs) else ""


def _same_values(gold: Expr, mutant: Expr, context: Context) -> str:
    symbols = symbols_of(gold) | symbols_of(mutant)
    problem, policy = context.problem, context.policy
    tolerance = mpmath.mpf(AGREEING)
    if gold.has(Float):
        tolerance = mpmath.mpf(problem.rtol if problem.rtol is not None else policy.rtol)
    elif mutant.has(Float):
        tolerance = mpmath.mpf(policy.float_rtol)
    absolute = mpmath.mpf(problem.atol or 0)
    compared = 0
    with mpmath.workdps(DIGITS):
        for point in islice(points(symbols, seed=97), 1 if not symbols else 4 * POINTS):
            left, right = value_at(gold, point, context, DIGITS), value_at(mutant, point, context, DIGITS)
            if left is None or right is None:
                continue
            if abs(left - right) > max(tolerance * max(abs(left), abs(right)), absolute):
                return ""
            compared += 1
    needed = POINTS if symbols else 1
    if compared < needed:
        return ""
    within = "" if tolerance == AGREEING and not absolute else " within the tolerance"
    return f"the same values at {compared} points{within}"


def _same_equation(gold: Eq, mutant: Eq, context: Context) -> str:
    """The residuals have one and the same ratio at points of their own."""
    pair = residuals(gold, mutant, context)
    if pair is None:
        return ""
    ratios: list[mpmath.mpc] = []
    with mpmath.workdps(DIGITS):
        for point in islice(points(symbols_of(pair), seed=97), 4 * POINTS):
            left, right = (value_at(side, point, context, DIGITS) for side in pair)
            if left and right:
                ratios.append(right / left)
        if len(ratios) < POINTS or any(abs(r - ratios[0]) > AGREEING * abs(ratios[0]) for r in ratios):
            return ""
    return f"residuals in one ratio at {len(ratios)} points"


def _same_truths(gold: Boolean, mutant: Boolean) -> str:
    if isinstance(gold, Relational) != isinstance(mutant, Relational):
        return ""
    symbols = symbols_of(gold) | symbols_of(mutant)
    compared = 0
    for point in islice(points(symbols, seed=97, real=True), 8 * POINTS):
        truths = gold.xreplace(point), mutant.xreplace(point)
        if not all(isinstance(truth, BooleanAtom) for truth in truths):
            continue
        if truths[0] != truths[1]:
            return ""
        compared += 1
    return f"the same truth at {compared} points" if compared >= POINTS else ""
