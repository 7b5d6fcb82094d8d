"""Two kinds that stand for the same thing, each rule the same in both directions.

- a tuple or list of one component is its component;
- `Eq(x, 2)` answers 2, and `Eq(y(t), ...)` its right-hand side, where one side is a bare name that the other
  side is free of - unless the problem's answer type is `equation`, which asks for the equation itself;
- a nested list is a matrix or an array, a flat one a column;
- a string that spells a symbol's name is that symbol;
- a solved inequality in one real unknown is its interval;
- a `Lambda` is its body in the names of its arguments.

Nothing else: a set is not a number, a 1x1 matrix is not its entry, a string is not parsed.
"""

from __future__ import annotations

from sympy import Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.structures.arrays import compare_grids, is_grid
from scientific_math_critpt_env.grading.structures.booleans import compare_booleans
from scientific_math_critpt_env.grading.structures.composites import Compare
from scientific_math_critpt_env.grading.structures.functions import compare_functions
from scientific_math_critpt_env.grading.structures.kinds import is_boolean, kind_of
from scientific_math_critpt_env.grading.structures.sequences import items
from scientific_math_critpt_env.grading.structures.solution_sets import solution_set
from scientific_math_critpt_env.grading.structures.solutions import solved_side
from scientific_math_critpt_env.grading.structures.strings import compare_strings


def compare_mixed(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    """The finding where a rule above fits the two kinds; None where they just do not match."""
    for rule in (_grids, _single, _named_value, _named_symbol, _functions, _logical, _solutions):
        finding = rule(gold, answer, compare, context)
        if finding is not None:
            return finding
    return None


def _grids(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    if "sequence" in (kind_of(gold), kind_of(answer)) and not (is_grid(gold) or is_grid(answer)):
        return None
    if not all(is_grid(value) or kind_of(value) == "sequence" for value in (gold, answer)):
        return None
    return compare_grids(gold, answer, compare, context)


def _single(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    for value, other in ((gold, answer), (answer, gold)):
        if kind_of(value) == "sequence" and kind_of(other) != "sequence" and len(items(value)) == 1:
            only = items(value)[0]
            return compare(only, other, context) if value is gold else compare(other, only, context)
    return None


def _named_value(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    if context.problem.answer_type == "equation":
        return None
    for value, other in ((gold, answer), (answer, gold)):
        inner = solved_side(value)
        if inner is not value and kind_of(other) not in ("truth", "relation", "boolean", "set", "dict"):
            return compare(inner, other, context) if value is gold else compare(other, inner, context)
    return None


def _named_symbol(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    for value, other in ((gold, answer), (answer, gold)):
        if kind_of(value) == "string" and isinstance(other, Symbol):
            texts = (str(value), other.name) if value is gold else (other.name, str(value))
            return compare_strings(*texts)
    return None


def _functions(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    if "function" in (kind_of(gold), kind_of(answer)):
        return compare_functions(gold, answer, compare, context)
    return None


def _logical(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    if is_boolean(gold) and is_boolean(answer):
        return compare_booleans(gold, answer, compare, context)
    return None


def _solutions(gold: object, answer: object, compare: Compare, context: Context) -> Finding | None:
    for value, other in ((gold, answer), (answer, gold)):
        if kind_of(value) in ("relation", "boolean") and kind_of(other) == "set":
            solutions = solution_set(value, context, solved_only=True)
            if solutions is not None:
                return (
                    compare(solutions, other, context)
                    if value is gold
                    else compare(other, solutions, context)
                )
    return None
