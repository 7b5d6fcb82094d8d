"""Every gold passes its independent check, and golds that were made wrong on purpose do not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

from .loaded import checks, problems

SECONDS = 60
SHIFT = sympy.Rational(1001, 1000)
"""A slip of one in a thousand is smaller than any wrong factor or sign."""


def ids() -> list[str]:
    return [problem.id for problem in problems()]


def test_all_golds_pass_in_time() -> None:
    reports = checks().run_checks(problems())
    assert [f"{report.problem_id}: {report.message}" for report in reports if not report.passed] == []
    assert [report.problem_id for report in reports] == ids()
    assert sum(report.seconds for report in reports) < SECONDS


def test_each_problem_has_one_check_and_names_its_route() -> None:
    registered = checks().registered()
    assert sorted(registered) == sorted(ids())
    for problem in problems():
        assert registered[problem.id].route == problem.verified_by, problem.id


@pytest.mark.parametrize("problem", problems(), ids=ids())
def test_a_wrong_gold_is_caught(problem: Problem) -> None:
    gold = evaluate_gold(problem)
    mutants = [mutant for mutant in [wrong(gold), *wrong_kinds(gold)] if mutant != gold]
    assert mutants
    for mutant in mutants:
        (report,) = checks().run_checks([problem], evaluate=lambda _, mutant=mutant: mutant)
        assert not report.passed, f"passes with the gold {mutant}"
        assert "the gold says" in report.message or "AssertionError" in report.message, report.message


@pytest.mark.parametrize("problem", problems(), ids=ids())
def test_every_symbol_matters_to_the_check(problem: Problem) -> None:
    gold = evaluate_gold(problem)
    for symbol in sorted(free_symbols(gold), key=str):
        mutant = replaced(gold, {symbol: symbol * SHIFT})
        (report,) = checks().run_checks([problem], evaluate=lambda _, mutant=mutant: mutant)
        assert not report.passed, f"does not notice {symbol} being scaled"


def test_a_problem_without_check_and_a_check_without_comparison_fail() -> None:
    stranger = problems()[0].model_copy(update={"id": "nobody.001"})
    (report,) = checks().run_checks([stranger])
    assert not report.passed
    assert "no check" in report.message


def wrong(value: Any) -> Any:
    """The same kind of object with one slip in it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, sympy.logic.boolalg.BooleanAtom):
        return not bool(value)
    if isinstance(value, str):
        return value[::-1]
    if isinstance(value, dict):
        last = list(value)[-1]
        return {**value, last: wrong(value[last])}
    if isinstance(value, tuple | list):
        return type(value)([*value[:-1], wrong(value[-1])])
    if isinstance(value, set):
        first = sorted(value, key=str)[0]
        return (value - {first}) | {wrong(first)}
    if isinstance(value, sympy.MatrixBase):
        other = value.as_mutable()
        other[0, other.cols - 1] = wrong(other[0, other.cols - 1])
        return other
    if isinstance(value, sympy.Interval):
        if value.end.is_infinite:
            return sympy.Interval(wrong(value.start), value.end, value.left_open, value.right_open)
        return sympy.Interval(value.start, wrong(value.end), value.left_open, value.right_open)
    if isinstance(value, sympy.Eq):
        return sympy.Eq(value.lhs + SHIFT, value.rhs)
    return sympy.sympify(value) * SHIFT if value != 0 else SHIFT


def wrong_kinds(value: Any) -> list[Any]:
    """Slips of another kind: an end point that belongs where it should not, an order, a part too many."""
    if isinstance(value, sympy.Interval):
        return [
            sympy.Interval(value.start, value.end, not value.left_open, value.right_open),
            sympy.Interval(value.start, value.end, value.left_open, not value.right_open),
        ]
    if isinstance(value, tuple | list):
        return [type(value)([*value, value[0]]), type(value)([*value[:-2], value[-1], value[-2]])]
    if isinstance(value, set):
        return [value | {sympy.Integer(17)}]
    if isinstance(value, dict):
        return [{key: value[key] for key in list(value)[1:]}]
    return []


def free_symbols(value: Any) -> set[sympy.Symbol]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list | set):
        return set().union(*(free_symbols(item) for item in value)) if value else set()
    return value.free_symbols if isinstance(value, sympy.Basic | sympy.MatrixBase) else set()


def replaced(value: Any, change: dict[Any, Any]) -> Any:
    if isinstance(value, dict):
        return {key: replaced(item, change) for key, item in value.items()}
    if isinstance(value, tuple | list | set):
        return type(value)(replaced(item, change) for item in value)
    return value.xreplace(change) if isinstance(value, sympy.Basic | sympy.MatrixBase) else value
