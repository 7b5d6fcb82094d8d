"""Implicit solutions with one free constant: h(x, y) = C and its like have the same curves."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sympy import Dummy, Eq, Expr, S, Symbol
from sympy.core.function import AppliedUndef

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.finding import Finding, different, equal
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import weakest_method

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.structures.families import Constants


def compare_level_curves(gold: Eq, answer: Eq, constants: Constants, context: Context) -> Finding | None:
    """Parallel gradients; None where a side is not solvable for one constant."""
    names = {
        f: Dummy(str(f.func)) for f in sorted(gold.atoms(AppliedUndef) | answer.atoms(AppliedUndef), key=str)
    }
    levels = []
    for side in (gold, answer):
        residual = (side.lhs - side.rhs).xreplace(names)
        level = _level(residual, constants.of(residual))
        if level is None:
            return None
        levels.append(level)
    coordinates = sorted((levels[0].free_symbols | levels[1].free_symbols) - constants.symbols, key=str)
    gradients = attempt(lambda: [[level.diff(c) for c in coordinates] for level in levels], context)
    if gradients is None:
        return None
    findings = []
    if not all(any(_varies(slope, context) for slope in gradient) for gradient in gradients):
        return None
    for i, j in combinations(range(len(coordinates)), 2):
        found = decide(gradients[0][i] * gradients[1][j], gradients[0][j] * gradients[1][i], context)
        if found.relation != "equal":
            reason = f"the curves of the family differ in {coordinates[i]} and {coordinates[j]}"
            return different(found.method, reason) if found.relation == "different" else found
        findings.append(found)
    return equal(weakest_method(findings), "the same family of curves") if findings else None


def _varies(slope: Expr, context: Context) -> bool:
    """A level function that is constant has no curves: its zero gradient would be parallel to every other."""
    return decide(slope, S.Zero, context).relation == "different"


def _level(residual: Expr, constants: tuple[Symbol, ...]) -> Expr | None:
    """h with `residual = 0` as h = constant, where the residual is linear in its one constant."""
    if len(constants) != 1:
        return None
    (constant,) = constants
    slope = residual.diff(constant)
    if slope.has(constant) or slope == 0:
        return None
    return -residual.xreplace({constant: slope * 0}) / slope
