"""Values that are nearly the gold, of every kind, and of the wrong kind.

For scalars see `scalar_mutants`; composites are mutated in one component and in their form. What an answer
type leaves free is not a mutant: the factor of an equation, the order of a set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sympy import (
    Dict,
    Expr,
    FiniteSet,
    Integer,
    Interval,
    Lambda,
    MatrixBase,
    MatrixExpr,
    Mul,
    Order,
    S,
    Set,
    Symbol,
    Union,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.family_mutants import family_mutants, family_of
from scientific_math_critpt_env.grading.logic_mutants import boolean_mutants, relation_mutants
from scientific_math_critpt_env.grading.scalar_mutants import as_far_as_possible, scalar_mutants
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.grading.structures.sequences import items
from scientific_math_critpt_env.problems.schema import Problem

COMPONENTS = 3
"""Components of a composite that are mutated, from the first on; the comparison treats all alike."""

OF_A_COMPONENT = 4
"""Mutants of one component: sign, factor 2, off by one, factor 10."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong answer and what is wrong with it."""

    name: str
    value: object


def mutants(gold: object, problem: Problem, rtol: float) -> Iterator[Mutant]:
    """The mutants of a gold; `rtol` is the tolerance that float golds are compared with."""
    family = family_of(gold, problem)
    of_kind = _of(gold, rtol) if family is None else family_mutants(family)
    for name, value in as_far_as_possible(of_kind):
        yield Mutant(name, value)
    if kind_of(gold) == "scalar" and not problem.test_points:
        yield Mutant("its text", str(gold))
        yield Mutant("a set of it", {as_scalar(gold)})
        yield Mutant("two candidates", (gold, as_scalar(gold) + 1))  # type: ignore[operator]


def _of(gold: object, rtol: float) -> Iterator[tuple[str, object]]:
    kind = kind_of(gold)
    scalar = as_scalar(gold)
    if kind in ("scalar", "quantity") and scalar is not None:
        yield from scalar_mutants(scalar, rtol)
    elif kind == "distribution" and scalar is not None:
        yield from _of_distribution(scalar)
    elif kind == "operator" and scalar is not None:
        yield from _of_operator(scalar)
    elif kind == "series" and scalar is not None:
        yield from _of_series(scalar)
    elif kind == "string":
        yield from _of_string(str(gold))
    elif kind == "truth":
        yield "the other truth value", not bool(gold)
        yield "its number", Integer(int(bool(gold)))
    elif kind == "relation" and isinstance(gold, Relational):
        yield from relation_mutants(gold)
    elif kind == "boolean" and isinstance(gold, Boolean):
        yield from boolean_mutants(gold)
    elif kind == "sequence":
        yield from _of_sequence(list(items(gold)), rtol)
    elif kind == "dict":
        yield from _of_dict(dict(gold.items()) if isinstance(gold, Dict) else dict(gold), rtol)  # type: ignore[call-overload]
    elif kind == "set":
        yield from _of_set(gold, rtol)
    elif kind == "matrix" and isinstance(gold, MatrixBase | MatrixExpr):
        yield from _of_matrix(gold, rtol)
    elif isinstance(gold, Lambda):
        yield from (
            (name, Lambda(gold.signature, body)) for name, body in _of(gold.expr, rtol) if _is_body(body)
        )


def _of_distribution(gold: Expr) -> Iterator[tuple[str, object]]:
    yield "sign", -gold
    yield "factor 2", 2 * gold
    yield "off by one", gold + 1
    for symbol in sorted(gold.free_symbols, key=str)[:1]:
        yield "shifted", gold.subs(symbol, symbol + 1)
        yield "doubled variable", gold.subs(symbol, 2 * symbol)
    yield "nothing", Integer(0)
    if gold.is_Add:
        yield "dropped term", gold.func(*gold.args[1:])


def _of_operator(gold: Expr) -> Iterator[tuple[str, object]]:
    yield "sign", -gold
    yield "factor 2", 2 * gold
    for term in gold.args if gold.is_Add else (gold,):
        factors = term.args_cnc()[1] if isinstance(term, Mul) else []
        if len(factors) > 1:
            yield "reversed factors", gold.xreplace({term: Mul(*term.args_cnc()[0], *reversed(factors))})
            break
    if gold.is_Add:
        yield "dropped term", gold.func(*gold.args[1:])


def _of_series(gold: Expr) -> Iterator[tuple[str, object]]:
    order = gold.getO()
    if not isinstance(order, Order):
        return
    terms = gold.removeO()
    yield "without its order", terms
    yield "sign", -terms + order
    yield "factor 2", 2 * terms + order
    yield "other order", terms + Order(order.expr / order.variables[0], *order.args[1:])
    if terms.is_Add:
        yield "dropped term", terms.func(*terms.args[1:]) + order


def _of_string(gold: str) -> Iterator[tuple[str, object]]:
    yield "another letter", gold + "x"
    yield "reversed", gold[::-1]
    yield "first letter dropped", gold[1:]
    yield "empty", ""
    yield "not", "not " + gold
    yield "a number", Integer(1)
    yield "in a list with another", [gold, gold + "x"]


def _of_sequence(gold: list[object], rtol: float) -> Iterator[tuple[str, object]]:
    for index, component in enumerate(gold[:COMPONENTS]):
        for name, value in islice(_of(component, rtol), OF_A_COMPONENT):
            changed = (*gold[:index], value, *gold[index + 1 :])
            yield f"component {index + 1}: {name}", changed
    if len(gold) > 1:
        yield "swapped components", (gold[1], gold[0], *gold[2:])
        yield "reversed", tuple(reversed(gold))
        yield "last component dropped", tuple(gold[:-1])
    if gold:
        yield "last component twice", (*gold, gold[-1])
        yield "a dict of it", dict(enumerate(gold))
    if len(gold) > 1 and all(as_scalar(item) is not None for item in gold):
        yield "a set of it", FiniteSet(*(as_scalar(item) for item in gold))


def _of_dict(gold: dict[object, object], rtol: float) -> Iterator[tuple[str, object]]:
    for key, component in list(gold.items())[:COMPONENTS]:
        for name, value in islice(_of(component, rtol), OF_A_COMPONENT):
            yield f"key {key}: {name}", {**gold, key: value}
    keys = list(gold)
    if keys:
        yield "key dropped", {key: value for key, value in gold.items() if key != keys[-1]}
        yield "key renamed", {(f"{k} other" if k == keys[0] else k): v for k, v in gold.items()}
    yield "key added", {**gold, "another key": Integer(1)}
    if len(keys) > 1:
        yield "values swapped", {**gold, keys[0]: gold[keys[1]], keys[1]: gold[keys[0]]}
    yield "its items", list(gold.items())


def _of_set(gold: object, rtol: float) -> Iterator[tuple[str, object]]:
    if isinstance(gold, FiniteSet | set | frozenset):
        members = sorted(gold.args if isinstance(gold, FiniteSet) else gold, key=str)
        for index, member in enumerate(members[:COMPONENTS]):
            for name, value in islice(_of(member, rtol), 3):
                rest = [*members[:index], *members[index + 1 :]]
                if not isinstance(value, list | dict | set):
                    yield f"member {member}: {name}", {*rest, value}
        yield "member dropped", set(members[1:])
        yield "member added", {*members, Symbol("another_member")}
        yield "one member", members[0]
        yield "a list", list(members)
        return
    if isinstance(gold, Set):
        yield from _of_solution_set(gold)


def _of_solution_set(gold: Set) -> Iterator[tuple[str, object]]:
    yield "empty", S.EmptySet
    yield "everything", S.UniversalSet
    if isinstance(gold, Interval):
        start, end = gold.start, gold.end
        flags = bool(gold.left_open), bool(gold.right_open)
        if start.is_finite is not False:
            yield "left end opened or closed", Interval(start, end, not flags[0], flags[1])
            yield "left end moved", Interval(start - 1, end, *flags)
        if end.is_finite is not False:
            yield "right end opened or closed", Interval(start, end, flags[0], not flags[1])
            yield "right end moved", Interval(start, end + 1, *flags)
        yield "its ends", (start, end)
    if isinstance(gold, Union):
        yield "part dropped", Union(*gold.args[1:])
        first = gold.args[0]
        for name, value in _of_solution_set(first) if isinstance(first, Interval) else ():
            if isinstance(value, Set) and value not in (S.EmptySet, S.UniversalSet):
                yield f"part: {name}", Union(value, *gold.args[1:])
    if gold.is_subset(S.Reals):
        yield "complement", S.Reals - gold


def _of_matrix(gold: MatrixBase | MatrixExpr, rtol: float) -> Iterator[tuple[str, object]]:
    yield "sign", -gold
    yield "factor 2", 2 * gold
    yield "transposed", gold.T
    if not isinstance(gold, MatrixBase):
        return
    for index in range(min(COMPONENTS, gold.rows * gold.cols)):
        place = divmod(index, gold.cols)
        changed = gold.as_mutable()
        changed[place] = changed[place] + 1
        yield f"entry {place}: off by one", changed
    if gold.rows > 1:
        swapped = gold.as_mutable()
        swapped.row_swap(0, 1)
        yield "rows swapped", swapped
    if gold.rows * gold.cols > 1:
        yield "last row or column dropped", gold[:-1, :] if gold.rows > 1 else gold[:, :-1]
    yield "first entry", gold[0, 0] if gold.rows * gold.cols else Integer(0)
    if gold.has(S.ImaginaryUnit):
        yield "conjugate", gold.conjugate()


def _is_body(value: object) -> bool:
    return as_scalar(value) is not None
