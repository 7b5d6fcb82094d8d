"""Large and hostile values: bounded work, a finding and never an exception."""

from time import process_time

import pytest
from sympy import (
    ConditionSet,
    Eq,
    FiniteSet,
    Function,
    Identity,
    Interval,
    Matrix,
    MatrixSymbol,
    Or,
    Reals,
    Symbol,
    Tuple,
    exp,
    nan,
    oo,
    sin,
    symbols,
    zoo,
)

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding
from scientific_math_critpt_env.grading.structures import compare_structures
from scientific_math_critpt_env.problems.schema import Problem

x, y = symbols("x y")
A = Symbol("A", commutative=False)


def finding(gold, answer, **fields):
    return compare(gold=gold, answer=answer, problem=Problem(id="b", prompt="p", answer_fn="1", **fields))


def nested(depth, core):
    value = core
    for _ in range(depth):
        value = (value, 1)
    return value


def test_long_lists_are_compared_in_place():
    start = process_time()
    assert finding(list(range(5000)), tuple(range(5000))).relation == "equal"
    wrong = finding(list(range(5000)), [*range(4999), 0])
    assert wrong.relation == "different"
    assert wrong.partial == pytest.approx(4999 / 5000)
    assert "component 5000" in wrong.reason
    assert process_time() - start < 4


def test_large_sets_in_another_order_need_no_search_over_permutations():
    start = process_time()
    assert finding(set(range(1000)), FiniteSet(*reversed(range(1000)))).relation == "equal"
    assert (
        finding([sin(k) for k in range(200)], [sin(k) for k in reversed(range(200))], unordered=True).relation
        == "equal"
    )
    assert process_time() - start < 4


def test_sets_of_different_members_stop_at_the_cap():
    start = process_time()
    left, right = {sin(x + k) for k in range(60)}, {sin(x + k) for k in range(60, 120)}
    assert finding(left, right).relation in ("different", "undecided")
    assert process_time() - start < 4


def test_more_members_than_the_cap_are_undecided():
    assert finding(set(range(3000)), set(range(1, 3001))).relation == "undecided"


def test_deep_nesting():
    assert finding(nested(90, x), nested(90, x)).relation == "equal"
    found = finding(nested(90, x), nested(90, y))
    assert found.relation == "different"
    assert found.reason.startswith("component 1: component 1: ")


def test_the_reason_names_the_path():
    gold = ({"a": Matrix([[1, x], [y, 2]])}, "up")
    wrong = ({"a": Matrix([[1, x], [x, 2]])}, "up")
    found = finding(gold, wrong)
    assert found.reason.startswith("component 1: key 'a': entry (1, 0): ")
    assert found.partial == 0.5


def test_the_weakest_method_is_told():
    found = finding((1, "up", exp(x) ** 2), (1, "UP", exp(2 * x)))
    assert found.relation == "equal"
    assert found.method == "elementwise"
    assert "weakest: " in found.reason


ODD = [
    None,
    True,
    0,
    1.5,
    2j,
    "text",
    (),
    [],
    {},
    set(),
    nan,
    oo,
    zoo,
    x,
    Tuple(),
    Eq(x, 1),
    x > 1,
    Or(x > 1, Eq(y, 2)),
    Interval(0, x),
    FiniteSet(),
    Reals,
    ConditionSet(x, Eq(sin(x), x), Reals),
    Matrix([]),
    Matrix([[A, 1]]),
    Identity(3),
    MatrixSymbol("M", 2, 2),
    A * A,
    Function("f"),
    Function("f")(x),
    object(),
    (x, {"a": {1, (2, "b")}}),
]


EMPTY = {"()", "[]", "set()", "EmptySet"}
"""Values of the list that are equal to one another without being the same object."""


@pytest.mark.parametrize("up_to", [None, "sign", "scale", "constant"])
@pytest.mark.parametrize("unordered", [False, True])
def test_every_pair_of_odd_values_has_a_finding(up_to, unordered):
    problem = Problem(id="odd", prompt="p", answer_fn="1", up_to=up_to, unordered=unordered)
    for left in ODD:
        for right in ODD:
            found = compare_structures(left, right, Context(problem=problem))
            assert found is None or isinstance(found, Finding)
            assert found is None or "raised" not in found.reason, (left, right, found)
            both_numbers = all(getattr(as_scalar(side), "is_number", False) for side in (left, right))
            if found is None or left is right or (up_to == "scale" and both_numbers):
                continue
            if found.relation == "equal":
                assert {str(left), str(right)} <= EMPTY, (left, right, found)
