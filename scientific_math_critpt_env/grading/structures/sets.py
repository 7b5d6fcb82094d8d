"""Sets: written out, on the real line, periodic, or built by a rule.

Members that are written out match by equality, and repetitions collapse. Finite unions of real intervals and
points are decided exactly on the cells between their end points, finite unions of arithmetic progressions
exactly by their residues. What is built by a rule (`ConditionSet`, `ImageSet`, products, complements) is
equal where its parts are; a member of only one side refutes; the rest is undecided.
A set is never equal to a number, and a tuple or list is one only where the problem says `unordered`.
"""

from __future__ import annotations

from itertools import islice

from sympy import Basic, ConditionSet, Dummy, FiniteSet, Intersection, S, Set, Symbol, sympify

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, agreement, shape_mismatch
from scientific_math_critpt_env.grading.structures.matching import match_sets
from scientific_math_critpt_env.grading.structures.memberships import refute_by_members
from scientific_math_critpt_env.grading.structures.progressions import compare_progressions
from scientific_math_critpt_env.grading.structures.real_cells import compare_on_real_line
from scientific_math_critpt_env.grading.structures.sampling import points, shown
from scientific_math_critpt_env.grading.structures.sequences import listing
from scientific_math_critpt_env.grading.structures.set_builders import compare_by_parts
from scientific_math_critpt_env.grading.structures.solution_sets import solution_set

MAX_WRITTEN_OUT = 500
"""Members up to which a finite set given by a rule (`Range(1, 7)`) is written out."""

SUBSTITUTIONS = 6
"""Values of the parameters (end points `a`, `b`) at which two sets are compared."""


def compare_sets(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Whether both have the same members; `partial` counts them where they are written out."""
    golds, answers = written_out(gold, context), written_out(answer, context)
    if golds is not None and answers is not None:
        return match_sets(golds, answers, compare, context)
    left, right = _solved(_as_set(gold), context), _solved(_as_set(answer), context)
    if left is None or right is None:
        return shape_mismatch("a set of objects that SymPy has no sets of")
    if left == right:
        return equal("structural")
    for decider in (compare_on_real_line, compare_progressions, compare_by_parts):
        found = decider(left, right, compare, context)
        if found is not None:
            return found
    if left.free_symbols | right.free_symbols:
        return _compare_substituted(left, right, compare, context)
    return _compare_by_algebra(left, right, context)


def written_out(value: object, context: Context) -> tuple[object, ...] | None:
    """The members of a finite set, where there are not too many to write down."""
    members = listing(value)
    if members is not None:
        return tuple(members)
    if isinstance(value, Set) and not value.free_symbols and value.is_finite_set:
        size = attempt(lambda: len(value), context, 0.1)
        if size is not None and size <= MAX_WRITTEN_OUT:
            found = attempt(lambda: tuple(islice(iter(value), MAX_WRITTEN_OUT)), context)
            return found if found is not None and len(found) == size else None
    return None


def _as_set(value: object) -> Set | None:
    if isinstance(value, Set):
        return value
    if isinstance(value, set | frozenset) and all(
        isinstance(item, Basic | int | float | complex) for item in value
    ):
        return FiniteSet(*(sympify(item) for item in value))
    return None


def _solved(value: Set | None, context: Context) -> Set | None:
    """A set of the real numbers under a solved condition (0 < x < 1) as these numbers."""
    if isinstance(value, ConditionSet) and value.base_set.is_subset(S.Reals):
        condition = value.condition.xreplace({value.sym: Dummy("x", real=True)})
        solutions = solution_set(condition, context, solved_only=True)
        if solutions is not None:
            return Intersection(solutions, value.base_set)
    return value


def _compare_substituted(left: Set, right: Set, compare: Compare, context: Context) -> Finding:
    symbols: set[Symbol] = left.free_symbols | right.free_symbols
    agreed = 0
    for point in islice(points(symbols, seed=3, real=True), 3 * SUBSTITUTIONS):
        sides = attempt(lambda: (left.subs(point), right.subs(point)), context)  # noqa: B023
        if sides is None or any(side.free_symbols for side in sides):
            continue
        found = compare(*sides, context)
        if found.relation == "different":
            return different(found.method, f"at {shown(point)}: {found.reason}")
        agreed += found.relation == "equal"
        if agreed == SUBSTITUTIONS:
            return agreement(f"the same set at {agreed} values of the parameters", context)
    return undecided("the sets have parameters at whose values they cannot be compared")


def _compare_by_algebra(left: Set, right: Set, context: Context) -> Finding:
    included = [attempt(lambda a=a, b=b: a.is_subset(b), context) for a, b in ((left, right), (right, left))]  # type: ignore[misc]
    if all(included):
        return equal("symbolic:set algebra", "each is a subset of the other")
    if False in included:
        side = "gold" if included[0] is False else "answer"
        return different("symbolic:set algebra", f"the {side}'s set is not inside the other")
    return refute_by_members(left, right, context) or undecided("no set algebra settles it")
