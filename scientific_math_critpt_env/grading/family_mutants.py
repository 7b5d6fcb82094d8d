"""Wrong answers to a gold with free constants, which ordinary mutants (a sign, a factor) would not leave.

Also the facts that put a mutant back into the family, without the comparison's own means: its Wronskian with
the family's functions vanishes, or it differs from the gold by the same number everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import mpmath
from sympy import Expr, Matrix, S, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.families import free_constants, variables_of
from scientific_math_critpt_env.grading.structures.family import Family, linear_parts
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.sampling import points, value_at
from scientific_math_critpt_env.problems.schema import Problem

POINTS = 6
"""At which a Wronskian vanishes, or a difference is the same."""

DIGITS = 40

VANISHING = mpmath.mpf(10) ** -25
"""Relative to the size of what cancels."""


def family_of(gold: object, problem: Problem) -> Family | None:
    """The gold as a family whose constants do more than add a constant; None for everything else."""
    family = _with_constants(gold, problem)
    return None if family is None or family.is_additive() else family


def family_mutants(family: Family) -> Iterator[tuple[str, Expr]]:
    """(name, mutant) pairs; some are in the family again (x -> -x in C1*exp(x) + C2*exp(-x))."""
    gold, constants = family.expression, family.constants
    for variable in family.variables[:1]:
        yield "variable turned", gold.subs(variable, -variable)
        yield "variable doubled", gold.subs(variable, 2 * variable)
        yield "times the variable", gold * variable
        yield "with the variable added", gold + variable
    yield "a constant fixed", gold.subs(constants[0], S.One)
    yield "a constant dropped", gold.subs(constants[0], S.Zero)
    if len(constants) > 1:
        yield "constants merged", gold.subs(constants[1], constants[0])


def membership(gold: object, mutant: object, context: Context) -> str:
    """The fact that `mutant` has the gold's freedom only; "" where there is none."""
    family, other = _with_constants(gold, context.problem), as_scalar(mutant)
    if context.problem.up_to != "constant" or family is None or other is None:
        return ""
    found = attempt(lambda: _membership(family, other, context), context, seconds=2.0)
    return found or ""


def _with_constants(gold: object, problem: Problem) -> Family | None:
    expression = as_scalar(gold)
    if problem.up_to != "constant" or expression is None or kind_of(gold) != "scalar":
        return None
    symbols = {s for s in expression.free_symbols if isinstance(s, Symbol)}
    constants = free_constants(symbols, symbols, problem)
    return Family(expression, constants.of(expression), variables_of(symbols, constants, problem))


def _membership(family: Family, mutant: Expr, context: Context) -> str:
    if family.is_additive():
        difference = mutant - family.expression
        constants = set(family.constants)
        return _same_everywhere(difference.xreplace(dict.fromkeys(constants, S.One)), family, context)
    own = linear_parts(family)
    constants_left = tuple(c for c in family.constants if mutant.has(c))
    other = linear_parts(Family(mutant, constants_left, family.variables))
    if own is None or other is None or len(family.variables) != 1 or len(own.parts) != len(other.parts):
        return ""
    (variable,) = family.variables
    for function in (*other.parts, other.offset - own.offset):
        if not _wronskian_vanishes([*own.parts, function], variable, context):
            return ""
    for function in own.parts:
        if not _wronskian_vanishes([*other.parts, function], variable, context):
            return ""
    return "the Wronskians vanish"


def _same_everywhere(difference: Expr, family: Family, context: Context) -> str:
    held = next(points(difference.free_symbols - set(family.variables), seed=103, real=True))
    found = []
    for point in islice(points(family.variables, seed=107, real=True), 4 * POINTS):
        value = value_at(difference.xreplace(held), point, context, DIGITS)
        if value is not None:
            found.append(value)
    if len(found) < POINTS or any(abs(v - found[0]) > VANISHING * max(abs(found[0]), 1) for v in found):
        return ""
    return f"the same difference at {len(found)} points"


def _wronskian_vanishes(functions: list[Expr], variable: Symbol, context: Context) -> bool:
    rows = [[f.diff(variable, k) for f in functions] for k in range(len(functions))]
    others = Matrix(rows).free_symbols - {variable}
    held = next(points(others, seed=109, real=True))
    seen = 0
    with mpmath.workdps(DIGITS):
        for point in islice(points([variable], seed=113, real=True), 4 * POINTS):
            values = [[value_at(e.xreplace(held), point, context, DIGITS) for e in row] for row in rows]
            if any(None in row for row in values):
                continue
            size = mpmath.mpf(1)
            for row in values:
                size *= max(*(abs(v) for v in row if v is not None), mpmath.mpf(10) ** -30)
            if abs(mpmath.det(mpmath.matrix(values))) > VANISHING * size:
                return False
            seen += 1
    return seen >= POINTS
