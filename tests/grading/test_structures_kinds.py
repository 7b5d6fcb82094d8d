"""What a value is, units, and what the numeric policy makes of agreement without proof."""

from dataclasses import replace

import pytest
from sympy import (
    And,
    Dict,
    DiracDelta,
    Eq,
    FiniteSet,
    Function,
    ImmutableDenseNDimArray,
    Integer,
    Integral,
    Interval,
    Lambda,
    Matrix,
    MatrixSymbol,
    O,
    Piecewise,
    S,
    Symbol,
    Trace,
    Tuple,
    symbols,
)
from sympy.physics.units import centimeter, inch, kilometer, meter, second

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.structures.composites import agreement, whole
from scientific_math_critpt_env.grading.structures.kinds import NAMES, kind_of
from scientific_math_critpt_env.problems.schema import Problem

x, y = symbols("x y")
A = Symbol("A", commutative=False)

PROBLEM = Problem(id="k", prompt="p", answer_fn="1")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "nothing"),
        ("1", "string"),
        (True, "truth"),
        (S.false, "truth"),
        (1, "scalar"),
        (1.5, "scalar"),
        (2j, "scalar"),
        (Integer(1), "scalar"),
        (x, "scalar"),
        (Function("f")(x), "scalar"),
        (Piecewise((x, x > 0), (0, True)), "scalar"),
        (Eq(x, 1), "relation"),
        (x > 1, "relation"),
        (And(x > 0, x < 1), "boolean"),
        ((1, 2), "sequence"),
        (Tuple(1, 2), "sequence"),
        ([], "sequence"),
        ({}, "dict"),
        (Dict({x: 1}), "dict"),
        ({1}, "set"),
        (FiniteSet(), "set"),
        (Interval(0, 1), "set"),
        (Matrix([1]), "matrix"),
        (MatrixSymbol("M", 2, 2), "matrix"),
        (ImmutableDenseNDimArray([1, 2]), "array"),
        (Lambda(x, x), "function"),
        (Function("f"), "function"),
        (x + O(x**2), "series"),
        (x * DiracDelta(x), "distribution"),
        (A * x, "operator"),
        (Trace(MatrixSymbol("M", 2, 2)), "operator"),
        (Integral(Matrix([x]), x), "operator"),
        (5 * meter, "quantity"),
        (object(), "other"),
    ],
)
def test_the_kind_is_read_off_the_value(value, kind):
    assert kind_of(value) == kind
    assert kind in NAMES


def relation(gold, answer):
    return compare(gold=gold, answer=answer, problem=PROBLEM)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        (5, 5 * meter, "different"),
        (5 * meter, 5, "different"),
        (5 * meter, 5 * meter, "equal"),
        (5 * centimeter, 5 * inch, "different"),
        (kilometer, 1000 * meter, "equal"),
        (x * meter / second, x * kilometer / (1000 * second), "equal"),
        (5 * meter, 5 * second, "different"),
    ],
)
def test_a_quantity_is_no_number_and_converts_to_quantities_only(gold, answer, expected):
    assert relation(gold, answer).relation == expected


def test_the_reason_asks_for_the_number():
    assert "a number in the unit that the problem names" in relation(5, 5 * meter).reason


def test_agreement_without_proof_is_what_the_policy_says():
    accepting = Context(problem=PROBLEM)
    strict = replace(accepting, policy=Policy(numeric_agreement="undecided"))
    assert agreement("all agree", accepting).relation == "equal"
    assert agreement("all agree", strict).relation == "undecided"
    product = A * (1 + A) ** -1
    other = (1 + A) ** -1 * A
    assert relation(product, other).relation == "equal"
    found = compare(gold=product, answer=other, problem=PROBLEM, policy=strict.policy)
    assert found.relation == "undecided"


def test_one_undecided_component_makes_the_whole_undecided_and_one_different_one_different():
    accepting = Context(problem=PROBLEM)
    strict = replace(accepting, policy=Policy(numeric_agreement="undecided"))
    fine, open_ = agreement("yes", accepting), agreement("perhaps", strict)
    wrong = relation(1, 2)
    assert whole([("a", fine), ("b", fine)], "parts").relation == "equal"
    assert whole([("a", fine), ("b", open_)], "parts").relation == "undecided"
    both = whole([("a", open_), ("b", wrong), ("c", fine)], "parts")
    assert both.relation == "different"
    assert both.reason.startswith("b: ")
    assert both.partial == pytest.approx(1 / 3)
