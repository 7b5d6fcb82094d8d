"""What `compare` adds to the engines: a row's own float policy, and constants written as symbols."""

import pytest
from sympy import Float, Symbol, exp, pi, sqrt

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.problems.schema import Problem


def problem(source: str, **fields: object) -> Problem:
    return Problem.model_validate({"id": "p", "prompt": "?", "answer_fn": source, **fields})


@pytest.mark.parametrize(
    ("source", "answer", "name"),
    [
        ("exp(x)", Symbol("E") ** Symbol("x"), "E"),
        ("2*pi", 2 * Symbol("pi"), "pi"),
        ("x + I", Symbol("x") + Symbol("I"), "I"),
    ],
)
def test_a_constant_written_as_a_symbol_is_told(source: str, answer: object, name: str) -> None:
    row = problem(source)
    finding = compare(gold=evaluate_gold(row), answer=answer, problem=row)
    assert finding.relation != "equal"
    assert f"a symbol named {name}, which is not the constant" in finding.reason


def test_a_declared_symbol_of_that_name_is_no_mistake() -> None:
    row = problem("E*x", symbols={"E": {}, "x": {}})
    answer = Symbol("E") * Symbol("x")
    assert compare(gold=evaluate_gold(row), answer=answer, problem=row).relation == "equal"
    wrong = compare(gold=evaluate_gold(row), answer=2 * answer, problem=row)
    assert "not the constant" not in wrong.reason
    assert compare(gold=evaluate_gold(row), answer=exp(1) * Symbol("x"), problem=row).relation != "equal"


def test_a_row_decides_about_floats_before_the_policy() -> None:
    close = Float(float(sqrt(2)))
    for field, policy, relation in [
        (None, "accept", "equal"),
        (None, "reject", "different"),
        ("reject", "accept", "different"),
        ("accept", "reject", "equal"),
    ]:
        row = problem("sqrt(2)", float_answers=field)
        finding = compare(gold=sqrt(2), answer=close, problem=row, policy=Policy(float_answers=policy))
        assert finding.relation == relation, (field, policy)


def test_agreement_is_no_proof_where_the_policy_says_so() -> None:
    from sympy import besselj, bessely

    x = Symbol("x", positive=True)
    wronskian = besselj(1, x) * bessely(0, x) - besselj(0, x) * bessely(1, x)
    row = problem("2/(pi*x)", symbols={"x": {"positive": True}})
    lenient = compare(gold=2 / (pi * x), answer=wronskian, problem=row)
    strict = compare(
        gold=2 / (pi * x), answer=wronskian, problem=row, policy=Policy(numeric_agreement="undecided")
    )
    assert (lenient.relation, lenient.method) == ("equal", "numeric")
    assert strict.relation == "undecided" or strict.method.startswith("symbolic:")
