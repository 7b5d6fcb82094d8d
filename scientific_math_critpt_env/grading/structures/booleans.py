"""Truth values and logical expressions: what they say, not how they are written.

`True` is `S.true` and never 1. Logical expressions of one real unknown are compared as solution sets, others
by their truth table over the different relations and symbols in them; where these depend on each other a
point at which only one side holds refutes, and without one the comparison is undecided.
"""

from __future__ import annotations

from itertools import islice, product

from sympy import (
    Basic,
    Dummy,
    Eq,
    Expr,
    Ne,
    Not,
    S,
    Symbol,
    sympify,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, short
from scientific_math_critpt_env.grading.structures.inequalities import compare_inequalities
from scientific_math_critpt_env.grading.structures.residuals import proportion, residuals
from scientific_math_critpt_env.grading.structures.sampling import points, shown
from scientific_math_critpt_env.grading.structures.solution_sets import leaves_of, solution_set, unknowns_of

MAX_LEAVES = 24
"""Relations and symbols in both sides, which are compared pairwise."""

MAX_DIFFERENT = 10
"""Of them that say different things: a table of 1,024 rows."""

PROBES = 60
"""Points at which the two sides are tried against each other, besides those on their borders."""

_INEQUALITY = (">", ">=", "<", "<=")


def compare_booleans(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Whether the two have the same truth value whatever their symbols are."""
    left, right = sympify(gold), sympify(answer)
    if left == right == S.false and context.problem.answer_type == "equation":
        return undecided("SymPy reduces equations without solutions to False, whatever they say")
    if left == right:
        return equal("structural")
    if isinstance(left, BooleanAtom) and isinstance(right, BooleanAtom):
        return different("structural", f"{right} where {left} is asked")
    for relation, truth in ((left, right), (right, left)):
        if isinstance(relation, Eq | Ne) and isinstance(truth, BooleanAtom):
            return _compare_identity(relation, truth, context)
    if _one_unknown(left, right):
        sets = solution_set(left, context), solution_set(right, context)
        if sets[0] is not None and sets[1] is not None:
            return compare(*sets, context)
    return _by_table(left, right, context)


def _compare_identity(relation: Relational, truth: BooleanAtom, context: Context) -> Finding:
    """An equation is a truth value only where it holds identically (or an inequation where it never does)."""
    pair = residuals(relation, relation, context)
    held = None if pair is None else decide(pair[0], S.Zero, context)
    if held is not None and held.relation == "undecided":
        return held
    if held is not None and held.relation == "equal" and truth == S(isinstance(relation, Eq)):
        return held
    return different("structural", f"{short(relation)} is not the truth value {truth}")


def _one_unknown(left: Basic, right: Basic) -> bool:
    """One unknown in both together; a truth value stands for all reals or none, so not beside equations."""
    leaves = leaves_of(left) + leaves_of(right)
    with_atom = isinstance(left, BooleanAtom) or isinstance(right, BooleanAtom)
    excluded = (Symbol, Eq, Ne) if with_atom else (Symbol,)
    if any(isinstance(leaf, excluded) for leaf in leaves):
        return False
    return len(set(unknowns_of(left)) | set(unknowns_of(right))) == 1


def _by_table(left: Boolean, right: Boolean, context: Context) -> Finding:
    leaves = leaves_of(left) + [leaf for leaf in leaves_of(right) if leaf not in leaves_of(left)]
    if len(leaves) > MAX_LEAVES:
        return undecided(f"{len(leaves)} relations are too many to compare")
    names, inexact = _named(leaves, context)
    one, other = left.xreplace(names), right.xreplace(names)
    variables = sorted(one.free_symbols | other.free_symbols, key=str)
    if len(variables) > MAX_DIFFERENT:
        return undecided(f"{len(variables)} different relations are too many for a truth table")
    for row in product((S.true, S.false), repeat=len(variables)):
        assignment = dict(zip(variables, row, strict=True))
        if one.xreplace(assignment) != other.xreplace(assignment):
            break
    else:
        return equal(inexact or "symbolic:truth table")
    if all(isinstance(leaf, Symbol) for leaf in leaves):
        return different("symbolic:truth table", f"only one side holds for {shown(assignment)}")
    return _by_probes(left, right, context)


def _named(leaves: list[Basic], context: Context) -> tuple[dict[Basic, Basic], str]:
    """Each leaf -> a boolean symbol or its negation, one for leaves that say the same; and the method."""
    names: dict[Basic, Basic] = {}
    method = ""
    for index, leaf in enumerate(leaves):
        for earlier in leaves[:index]:
            for negated, other in ((False, earlier), (True, Not(earlier))):
                found = _same_leaf(other, leaf, context)
                if found is not None and found.relation == "equal":
                    names[leaf] = Not(names[earlier]) if negated else names[earlier]
                    method = found.method if found.method.startswith("numeric") else method
                    break
            if leaf in names:
                break
        names.setdefault(leaf, Dummy(f"leaf{index}"))
    return names, method


def _same_leaf(left: Basic, right: Basic, context: Context) -> Finding | None:
    if not isinstance(left, Relational) or not isinstance(right, Relational):
        return None
    if left.rel_op in _INEQUALITY and right.rel_op in _INEQUALITY:
        return compare_inequalities(left, right, context)[0]
    if left.rel_op == right.rel_op:
        pair = residuals(left, right, context)
        return None if pair is None else proportion(*pair, context, clear=True).finding
    return None


def _by_probes(left: Boolean, right: Boolean, context: Context) -> Finding:
    symbols = left.free_symbols | right.free_symbols
    relations = [leaf for leaf in (*leaves_of(left), *leaves_of(right)) if isinstance(leaf, Relational)]
    for point in islice(points(symbols, seed=5, real=True), PROBES):
        for probe in (point, *_on_borders(relations, point, context)):
            truths = [attempt(lambda side=side: _truth(side, probe), context, 0.1) for side in (left, right)]  # type: ignore[misc] # noqa: B023
            if None not in truths and truths[0] != truths[1]:
                return different(
                    "numeric", f"at {shown(probe)} the answer is {truths[1]} and the gold {truths[0]}"
                )
    return undecided(f"{short(right)} agrees with the gold at all probes, which proves nothing")


def _truth(side: Boolean, point: dict[Basic, Expr]) -> bool | None:
    value = side.xreplace(point)
    if not isinstance(value, BooleanAtom):
        value = value.simplify()
    return bool(value) if isinstance(value, BooleanAtom) else None


def _on_borders(
    relations: list[Relational], point: dict[Basic, Expr], context: Context
) -> list[dict[Basic, Expr]]:
    """The point moved along one axis onto the border of each relation, where that is linear."""
    moved = []
    for relation in relations:
        if not all(isinstance(side, Expr) for side in relation.args):
            continue
        for symbol in sorted(relation.free_symbols, key=str)[:2]:
            others = {s: v for s, v in point.items() if s != symbol}
            difference = relation.lhs - relation.rhs
            root = attempt(lambda: _linear_root(difference.xreplace(others), symbol), context, 0.05)  # noqa: B023
            if root is not None:
                moved.append({**point, symbol: root})
    return moved


def _linear_root(residual: Expr, symbol: Basic) -> Expr | None:
    slope = residual.diff(symbol)
    if slope.free_symbols or slope == 0:
        return None
    return -residual.xreplace({symbol: S.Zero}) / slope
