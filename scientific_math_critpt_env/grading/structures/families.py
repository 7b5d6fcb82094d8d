"""Equality up to constants of integration, where the problem says `up_to: constant`.

Free constants are the symbols named C, C1, C_1, c1, K, K1, const (unless they are `parameters`), and in the
answer also every symbol that the gold and the problem do not know and that is no usual variable. The gold
decides what is free:

- an additive constant (or none written): the derivatives agree, so the sides differ by a constant on each
  interval between singularities; the answer may leave its constant out;
- a family linear in its constants (`C1*sin(x) + C2*cos(x)`): the same solutions, by a span test;
- any other family: random members of each are found in the other;
- an equation with one constant (`x**2 + y**2 = C`): the same level curves.

The variables are the problem's `parameters`; else the only symbol; else the one of x, t, y, z, r, s, u,
theta, tau that occurs, if only one does; else every symbol that is no constant. Composites are compared part
by part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sympy import Eq, Expr, Heaviside, Mod, Piecewise, S, Symbol, ceiling, floor, frac, sign

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.names import canonical
from scientific_math_critpt_env.grading.structures.arrays import compare_grids, is_grid
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare
from scientific_math_critpt_env.grading.structures.conventions import CONVENTIONAL
from scientific_math_critpt_env.grading.structures.dictionaries import compare_dictionaries
from scientific_math_critpt_env.grading.structures.family import Family, linear_parts
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.level_curves import compare_level_curves
from scientific_math_critpt_env.grading.structures.members import compare_members
from scientific_math_critpt_env.grading.structures.sequences import compare_sequences
from scientific_math_critpt_env.grading.structures.solutions import solved_side
from scientific_math_critpt_env.grading.structures.spans import compare_spans
from scientific_math_critpt_env.grading.structures.symbols import symbols_of
from scientific_math_critpt_env.problems.schema import Problem

_CONSTANT = re.compile(r"(?:[CcK]_?\d+|[CK]|const(?:ant)?_?\d*)'?\d*")

_STEPS = (floor, ceiling, frac, Mod, sign, Heaviside, Piecewise)
"""Functions with jumps at which nothing is singular: equal derivatives say nothing about them."""


def compare_up_to_constant(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Equal up to free constants; structure by structure down to expressions and equations."""

    def recursion(g: object, a: object, c: Context) -> Finding:
        return compare_up_to_constant(g, a, compare, c)

    kinds = kind_of(gold), kind_of(answer)
    if kinds == ("sequence", "sequence"):
        return compare_sequences(gold, answer, recursion, context)
    if kinds == ("dict", "dict"):
        return compare_dictionaries(gold, answer, recursion, context, compare_keys=compare)
    if is_grid(gold) and is_grid(answer):
        return compare_grids(gold, answer, recursion, context)
    if isinstance(gold, Eq) or isinstance(answer, Eq):
        return _compare_equations(gold, answer, compare, context)
    left, right = as_scalar(gold), as_scalar(answer)
    if left is None or right is None or set(kinds) != {"scalar"}:
        return compare(gold, answer, context)
    return _compare_expressions(left, right, context)


def _compare_equations(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    constants = free_constants(symbols_of(gold), symbols_of(answer), context.problem)
    sides = [solved_side(side, excluding=constants.symbols) for side in (gold, answer)]
    left, right = as_scalar(sides[0]), as_scalar(sides[1])
    if left is not None and right is not None and {kind_of(left), kind_of(right)} == {"scalar"}:
        return _compare_expressions(left, right, context)
    if isinstance(gold, Eq) and isinstance(answer, Eq):
        found = compare_level_curves(gold, answer, constants, context)
        if found is not None:
            return found
    return compare(gold, answer, context)


def _compare_expressions(gold: Expr, answer: Expr, context: Context) -> Finding:
    same = decide(gold, answer, context)
    if same.relation == "equal":
        return same
    constants = free_constants(gold.free_symbols, answer.free_symbols, context.problem)
    variables = variables_of(gold.free_symbols | answer.free_symbols, constants, context.problem)
    if not variables:
        return same
    left = Family(gold, constants.of(gold), variables)
    right = Family(answer, constants.of(answer), variables)
    if left.is_additive() and right.is_additive():
        return _compare_additive(left, right, context)
    if bool(left.constants) != bool(right.constants):
        bare = "answer" if left.constants else "gold"
        return different("structural", f"the {bare} has no free constant, so it is one member of a family")
    parts = attempt(lambda: (linear_parts(left), linear_parts(right)), context)
    if parts is not None and parts[0] is not None and parts[1] is not None:
        return compare_spans(parts[0], parts[1], variables, context)
    return compare_members(left, right, context)


def _compare_additive(left: Family, right: Family, context: Context) -> Finding:
    stepped = left.expression.has(*_STEPS) or right.expression.has(*_STEPS)
    difference = right.without_constants() - left.without_constants()
    findings = []
    for variable in left.variables:
        if stepped:
            moved = difference.subs(variable, S(17) / 23 if variable.is_integer is None else S.One)
            found = decide(difference, moved, context)
        else:
            slopes = attempt(
                lambda v=variable: (left.expression.diff(v), right.expression.diff(v)),  # type: ignore[misc]
                context,
            )
            if slopes is None:
                return undecided("a side cannot be differentiated")
            found = decide(*slopes, context)
        if found.relation == "different":
            return different(found.method, f"the sides differ by more than a constant in {variable}")
        if found.relation == "undecided":
            return found
        findings.append(found)
    worst = next((f for f in findings if f.method.startswith("numeric")), findings[0])
    return equal(worst.method, "the same up to a constant")


@dataclass(frozen=True, slots=True)
class Constants:
    """The free constants among the symbols of both sides."""

    symbols: frozenset[Symbol]

    def of(self, expression: Expr) -> tuple[Symbol, ...]:
        return tuple(sorted(self.symbols & expression.free_symbols, key=lambda s: s.name))


def free_constants(gold: set[Symbol], answer: set[Symbol], problem: Problem) -> Constants:
    """What is free in the gold and in the answer, by the names above."""
    parameters = {canonical(name) for name in problem.parameters}
    declared = parameters | {canonical(name) for name in problem.symbols}
    known = declared | {canonical(s.name) for s in gold} | set(CONVENTIONAL)
    return Constants(
        frozenset(
            s
            for s in gold | answer
            if canonical(s.name) not in parameters
            and (_CONSTANT.fullmatch(s.name) or (s in answer - gold and canonical(s.name) not in known))
        )
    )


def variables_of(symbols: set[Symbol], constants: Constants, problem: Problem) -> tuple[Symbol, ...]:
    """What the members of a family are functions of."""
    candidates = sorted(symbols - constants.symbols, key=lambda s: s.name)
    parameters = {canonical(name) for name in problem.parameters}
    named = [s for s in candidates if canonical(s.name) in parameters]
    conventional = [s for s in candidates if s.name in CONVENTIONAL]
    if named:
        return tuple(named)
    return tuple(conventional if len(conventional) == 1 else candidates)
