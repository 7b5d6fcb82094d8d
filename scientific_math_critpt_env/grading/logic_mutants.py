"""Relations and logical expressions that are nearly the gold."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Eq, Expr, Ge, Gt, Le, Lt, Ne, Not, S
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom


def relation_mutants(gold: Relational) -> Iterator[tuple[str, object]]:
    """Of a single equation or inequality; the same factor on both sides is none."""
    left, right = gold.args
    if not (isinstance(left, Expr) and isinstance(right, Expr)) or left.is_Matrix or right.is_Matrix:
        yield "its negation", Not(gold)
        return
    kind = type(gold)
    yield "off by one", kind(left, right + 1)
    yield "sign of a side", kind(left, -right)
    yield "factor of a side", kind(2 * left, right)
    yield "one side", left
    yield "true", S.true
    if isinstance(gold, Eq):
        yield "square", kind(left**2, right**2)
        yield "an inequality", Ge(left, right, evaluate=False)
        yield "its negation", Ne(left, right)
        return
    if isinstance(gold, Ne):
        yield "its negation", Eq(left, right)
        return
    strict = {Gt: Ge, Ge: Gt, Lt: Le, Le: Lt}
    turned = {Gt: Lt, Ge: Le, Lt: Gt, Le: Ge}
    for name, table in (("strictness", strict), ("turned", turned)):
        other = next(new for old, new in table.items() if isinstance(gold, old))
        yield name, other(left, right)


def boolean_mutants(gold: Boolean) -> Iterator[tuple[str, object]]:
    """Of a logical combination."""
    yield "its negation", Not(gold)
    yield "true", S.true
    yield "false", S.false
    if len(gold.args) > 1 and all(isinstance(a, Boolean) for a in gold.args):
        yield "a part of it", gold.args[0]
        if not isinstance(gold.args[0], BooleanAtom):
            yield "a part negated", gold.func(Not(gold.args[0]), *gold.args[1:])
