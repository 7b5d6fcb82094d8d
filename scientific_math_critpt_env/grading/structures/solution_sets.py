"""Relations in one real unknown as the set of its values."""

from __future__ import annotations

from sympy import (
    And,
    Basic,
    Contains,
    Derivative,
    Dummy,
    Eq,
    FiniteSet,
    Ge,
    Gt,
    Intersection,
    Interval,
    Le,
    Lt,
    Ne,
    Not,
    Or,
    S,
    Set,
    Subs,
    Symbol,
    Union,
    oo,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom, BooleanFunction

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.structures.attempts import attempt


def solution_set(value: object, context: Context, *, solved_only: bool = False) -> Set | None:
    """The real values of its one unknown for which `value` holds; None where that is not to be had.

    With `solved_only`, only for relations that have the bare unknown on one side.
    """
    if not isinstance(value, Boolean) or isinstance(value, Symbol):
        return None
    if isinstance(value, BooleanAtom):
        return None if solved_only else (S.Reals if value == S.true else S.EmptySet)
    unknowns, leaves = unknowns_of(value), leaves_of(value)
    if len(unknowns) != 1:
        return None
    unknown = unknowns[0]
    if solved_only and not all(_is_solved(leaf, unknown) for leaf in leaves):
        return None
    if not unknown.is_real and not any(isinstance(leaf, Gt | Ge | Lt | Le) for leaf in leaves):
        # Nothing says that the unknown is real, and `as_set` would drop complex solutions.
        if not all(_is_solved(leaf, unknown) for leaf in leaves):
            return None
        return attempt(lambda: _as_set(value, unknown, S.Complexes), context)
    real = Dummy("unknown", real=True)
    replaced = value.xreplace({unknown: real})
    if replaced.free_symbols - {real}:
        return None
    return attempt(lambda: Intersection(_as_set(replaced, real, S.Reals), _domain(unknown)), context)


def unknowns_of(value: Basic) -> list[Basic]:
    """Symbols, and unknown functions (with their derivatives) in place of their arguments."""
    functions = value.atoms(AppliedUndef) | {d for d in value.atoms(Derivative, Subs) if d.has(AppliedUndef)}
    outside = value.xreplace({f: Dummy("f") for f in functions}).free_symbols & value.free_symbols
    return sorted(functions | outside, key=str)


def _is_solved(leaf: Basic, unknown: Basic) -> bool:
    if not isinstance(leaf, Relational):
        return False
    return any(
        side == unknown and not other.has(unknown)
        for side, other in ((leaf.lhs, leaf.rhs), (leaf.rhs, leaf.lhs))
    )


def _as_set(value: Boolean, unknown: Basic, universe: Set) -> Set:
    if isinstance(value, And):
        return Intersection(*(_as_set(part, unknown, universe) for part in value.args))
    if isinstance(value, Or):
        return Union(*(_as_set(part, unknown, universe) for part in value.args))
    if isinstance(value, Not):
        return universe - _as_set(value.args[0], unknown, universe)
    if isinstance(value, Contains) and value.args[0] == unknown:
        return value.args[1]
    if isinstance(value, Eq | Ne) and _is_solved(value, unknown):
        point = FiniteSet(value.rhs if value.lhs == unknown else value.lhs)
        return point if isinstance(value, Eq) else universe - point
    return value.as_set()


def _domain(unknown: Basic) -> Set:
    if not isinstance(unknown, Symbol):
        return S.Reals
    domain: Set = S.Integers if unknown.is_integer else S.Reals
    for has_it, part in (
        (unknown.is_positive, Interval.open(0, oo)),
        (unknown.is_nonnegative, Interval(0, oo)),
        (unknown.is_negative, Interval.open(-oo, 0)),
        (unknown.is_nonpositive, Interval(-oo, 0)),
    ):
        if has_it:
            return Intersection(domain, part)
    return domain


def leaves_of(value: Basic) -> list[Basic]:
    """The relations and symbols that a logical expression is made of."""
    if isinstance(value, BooleanAtom):
        return []
    if isinstance(value, BooleanFunction) and not isinstance(value, Contains):
        found: list[Basic] = []
        for argument in value.args:
            found += [leaf for leaf in leaves_of(argument) if leaf not in found]
        return found
    return [value]
