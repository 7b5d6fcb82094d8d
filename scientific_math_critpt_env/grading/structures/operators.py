"""Expressions in objects that do not commute: non-commutative symbols, matrix symbols, traces.

Decided by expanding, else by putting random matrices for the objects: a difference at one draw refutes, and
agreement at all draws is agreement. No polynomial identity of degree d holds in all matrices of a size over
d/2 (Amitsur-Levitzki), so the size follows the degree. Commutation relations that a problem has in mind
([x, p] = i hbar) are not known here: such answers must be brought to one order by their author.
"""

from __future__ import annotations

import random
from typing import Any

import mpmath
from sympy import (
    Add,
    Basic,
    Derivative,
    Expr,
    Integer,
    Integral,
    Limit,
    MatrixBase,
    MatrixExpr,
    Mul,
    Piecewise,
    Pow,
    Sum,
    Symbol,
    expand,
)

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, agreement, shape_mismatch
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.representation import Value, represent

DRAWS = 3
"""Random representations that must agree; one wrong agreement has probability zero already."""

MIN_SIZE, MAX_SIZE = 3, 8
"""Of the random matrices: 3 tells apart cubic words; above 8 the products cost more than they show."""

WORKING_DIGITS = 50

AGREEING = mpmath.mpf(10) ** -28
"""Relative difference below which two representations agree: half of the working digits may be lost."""

DRAW_SECONDS = 0.6


def compare_operators(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Whether the two are the same combination of their non-commuting parts."""
    left, right = _operand(gold), _operand(answer)
    if left is None or right is None:
        return shape_mismatch("one side is not an expression")
    if left == right:
        return equal("structural")
    same = attempt(lambda: _expanded(left) == _expanded(right), context)
    if same:
        return equal("symbolic:expand")
    return _compare_drawn(left, right, context)


def settled(value: object, context: Context) -> object:
    """`value`, carried out where it is an unevaluated operation on written-out matrices."""
    if not isinstance(value, Expr) or isinstance(value, MatrixExpr) or kind_of(value) != "operator":
        return value
    entrywise = attempt(lambda: _entrywise(value), context)
    if entrywise is not None:
        return entrywise
    done = attempt(value.doit, context)
    return done if done is not None and kind_of(done) != "operator" else value


def _entrywise(value: Expr) -> MatrixBase | None:
    """An integral, sum, derivative, limit or case distinction of matrices as a matrix of such."""
    if isinstance(value, Integral | Sum | Derivative | Limit) and isinstance(value.args[0], MatrixBase):
        return value.args[0].applyfunc(lambda entry: value.func(entry, *value.args[1:]))
    if isinstance(value, Piecewise) and all(isinstance(branch, MatrixBase) for branch, _ in value.args):
        branches = [(branch, condition) for branch, condition in value.args]
        first = branches[0][0]
        if any(branch.shape != first.shape for branch, _ in branches):
            return None
        return (
            first.copy()
            .as_mutable()
            .from_dok(
                *first.shape,
                {
                    (i, j): Piecewise(*((branch[i, j], condition) for branch, condition in branches))
                    for i in range(first.rows)
                    for j in range(first.cols)
                },
            )
        )
    return None


def _operand(value: object) -> Expr | None:
    if isinstance(value, MatrixBase):
        return value.as_immutable()
    return as_scalar(value)


def _expanded(expression: Expr) -> Basic:
    return expression.doit() if isinstance(expression, MatrixExpr) else expand(expression)


def _compare_drawn(left: Expr, right: Expr, context: Context) -> Finding:
    size = min(max(MIN_SIZE, max(_degree(left), _degree(right)) // 2 + 1), MAX_SIZE)
    with mpmath.workdps(WORKING_DIGITS):
        for draw in range(DRAWS):
            # Different sizes: an identity of 3x3 matrices only must not pass.
            pair = attempt(lambda: _drawn(left, right, size + draw % 2, draw), context, DRAW_SECONDS)  # noqa: B023
            if pair is None:
                return undecided("no representation in random matrices")
            shapes = [value.rows if isinstance(value, mpmath.matrix) else 0 for value in pair]
            if not _agree(*pair):
                return different("numeric", f"random matrices of size {max(shapes)} tell the sides apart")
    return agreement(f"equal in {DRAWS} draws of random matrices", context)


def _drawn(left: Expr, right: Expr, size: int, seed: int) -> tuple[Value, Value]:
    assignment: dict[Any, Value] = {}
    source = random.Random(seed)
    return represent(left, size, assignment, source), represent(right, size, assignment, source)


def _agree(left: Value, right: Value) -> bool:
    one, other = isinstance(left, mpmath.matrix), isinstance(right, mpmath.matrix)
    if one and not other:
        right = mpmath.eye(left.rows) * right
    elif other and not one:
        left = mpmath.eye(right.rows) * left
    if one or other:
        if (left.rows, left.cols) != (right.rows, right.cols):
            return False
        scale = max(mpmath.mnorm(left, "f"), mpmath.mnorm(right, "f"), 1)
        return bool(mpmath.mnorm(left - right, "f") <= AGREEING * scale)
    return bool(abs(left - right) <= AGREEING * max(abs(left), abs(right), 1))


def _degree(expression: Basic) -> int:
    """An upper bound of the number of non-commuting factors in a word of the expanded expression."""
    if isinstance(expression, Symbol):
        return 0 if expression.is_commutative else 1
    if isinstance(expression, Add):
        return max(map(_degree, expression.args))
    if isinstance(expression, Mul):
        return sum(map(_degree, expression.args))
    if isinstance(expression, Pow) and isinstance(expression.exp, Integer):
        return _degree(expression.base) * abs(int(expression.exp))
    if isinstance(expression, MatrixBase):
        return 1
    return sum(map(_degree, expression.args)) if expression.args else int(isinstance(expression, MatrixExpr))
