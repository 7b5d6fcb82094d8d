"""What is mutated, and which mutants equal their gold by a fact that can be checked apart from the grader."""

import pytest
from sympy import Eq, FiniteSet, Interval, Matrix, O, Symbol, conjugate, cos, oo, sin, sqrt, symbols

from scientific_math_critpt_env.grading.accidents import accident
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.mutants import Mutant, mutants
from scientific_math_critpt_env.problems.schema import Problem

x, y = symbols("x y")
real = Symbol("r", real=True)


def problem(**fields):
    return Problem(id="m", prompt="p", answer_fn="1", **fields)


def by_name(gold, **fields):
    return {mutant.name: mutant.value for mutant in mutants(gold, problem(**fields), 1e-6)}


def fact(gold, name, value, **fields):
    return accident(gold, Mutant(name, value), Context(problem=problem(**fields)))


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (
            x + 2 * y,
            {
                "sign",
                "factor 2",
                "off by one",
                "dropped term",
                "sign of a term",
                "swapped symbols",
                "a set of it",
            },
        ),
        (sqrt(x), {"other branch of a root", "exponent", "square"}),
        ("yes", {"reversed", "empty", "another letter"}),
        (True, {"the other truth value", "its number"}),
        ((1, x), {"swapped components", "last component dropped", "component 1: sign"}),
        ({"a": 1, "b": x}, {"key dropped", "key renamed", "values swapped", "key a: sign"}),
        ({1, x}, {"member dropped", "member added", "one member", "a list"}),
        (Interval(0, 1), {"left end opened or closed", "right end moved", "its ends", "complement"}),
        (Matrix([[1, x], [2, 3]]), {"transposed", "rows swapped", "entry (0, 0): off by one"}),
        (Eq(x, y), {"off by one", "sign of a side", "an inequality", "its negation"}),
        (x > y, {"strictness", "turned"}),
        (x + O(x**3), {"without its order", "other order"}),
    ],
)
def test_every_kind_has_its_mutants(gold, expected):
    assert expected <= set(by_name(gold))


def test_an_equation_is_not_mutated_by_a_factor_of_both_sides():
    assert all(value != Eq(2 * x, 2 * y) for value in by_name(Eq(x, y)).values())


def test_infinite_ends_are_left_alone():
    assert "right end moved" not in by_name(Interval(0, oo))


@pytest.mark.parametrize(
    ("gold", "name", "value", "fields"),
    [
        (0 * x, "sign", 0 * x, {}),
        (sin(real), "conjugate", conjugate(sin(real)), {}),
        ((1, 1), "swapped components", (1, 1), {}),
        ((1, 2), "swapped components", (2, 1), {"unordered": True}),
        (x, "sign", -x, {"up_to": "sign"}),
        (x, "factor 2", 2 * x, {"up_to": "scale"}),
        (x, "off by one", x + 1, {"up_to": "constant"}),
        ("noon", "reversed", "noon", {}),
        ({1, -1}, "member 1: sign", {-1, 1}, {}),
        ({1, -1}, "member 1: sign", FiniteSet(-1, 1), {}),
        (Eq(x, 0), "factor of a side", Eq(2 * x, 0), {}),
        (Matrix([[1, 2], [2, 1]]), "transposed", Matrix([[1, 2], [2, 1]]).T, {}),
        (sin(x) ** 2, "rewritten", (1 - cos(2 * x)) / 2, {}),
        (1.5, "rounded to 3 digits", 1.5000001, {"rtol": 1e-6}),
        (x, "its text", "x", {}),
    ],
)
def test_accidents_have_a_fact(gold, name, value, fields):
    assert fact(gold, name, value, **fields)


@pytest.mark.parametrize(
    ("gold", "name", "value", "fields"),
    [
        (x, "sign", -x, {}),
        (x, "sign", -x, {"up_to": "constant"}),
        (x, "conjugate", conjugate(x), {}),
        ((1, 2), "swapped components", (2, 1), {}),
        ("noon", "another letter", "noonx", {}),
        ({1, 2}, "member dropped", {2}, {}),
        (Eq(x, y), "sign of a side", Eq(x, -y), {}),
        (1.5, "nearby float", 1.50003, {}),
        (x, "its text", "y", {}),
        (x > 0, "turned", x < 0, {}),
        (sqrt(x**2), "another branch", x, {}),
    ],
)
def test_wrong_answers_have_none(gold, name, value, fields):
    assert not fact(gold, name, value, **fields)
