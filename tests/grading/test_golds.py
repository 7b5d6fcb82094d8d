"""Golds are evaluated exactly, completely and without computing what is too large."""

import time

import pytest
from sympy import Add, Eq, Float, Function, Integer, Matrix, Pow, Rational, Symbol, Tuple, exp, pi, sqrt

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.golds import collisions, evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

x, t = Symbol("x"), Symbol("t")


def gold(source, **fields):
    return evaluate_gold(Problem(id="g", prompt="p", answer_fn=source, **fields))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1/3", Rational(1, 3)),
        ("x/2 + 1/4", x / 2 + Rational(1, 4)),
        ("2**-1", Rational(1, 2)),
        ("0.5*x", Float(0.5) * x),
        ("S.Half", Rational(1, 2)),
        ("Rational(2, 3)*pi", 2 * pi / 3),
        ("(1, sqrt(2))", (1, sqrt(2))),
        ("Tuple(1, 2)", Tuple(1, 2)),
        ("{'a': 1/2}", {"a": Rational(1, 2)}),
        ("'N/A'", "N/A"),
        ("True", True),
        ("Eq(x, 1)", Eq(x, 1)),
        ("f(t) + Function('g')(t)", Function("f")(t) + Function("g")(t)),
        ("Matrix(2, 2, lambda i, j: i + 2*j)", Matrix([[0, 2], [1, 3]])),
        ("sum([x**k for k in range(3)])", 1 + x + x**2),
        ("lambda_*x", Symbol("lambda") * x),
        ("omega_0 + C1", Symbol("omega_0") + Symbol("C1")),
    ],
)
def test_values(source, value):
    found = gold(source)
    assert found == value
    assert type(found) is type(value) or isinstance(found, type(value))


def test_a_long_decimal_keeps_its_digits():
    found = gold("0.12345678901234567890123")
    assert found == Float("0.12345678901234567890123")


def test_names_of_sympy_are_symbols_where_the_problem_says_so():
    assert gold("E*beta", symbols={"E": {}, "beta": {"positive": True}}) == Symbol("E") * Symbol(
        "beta", positive=True
    )
    assert gold("E*x") == exp(1) * x
    assert gold("gamma*m") == Symbol("gamma") * Symbol("m"), "a product with a function can mean nothing else"
    assert gold("gamma(5)") == 24
    assert gold("S*x", parameters=["S"]) == Symbol("S") * x


def test_what_collides_is_reported():
    problem = Problem(id="g", prompt="p", answer_fn="E*beta + gamma(x) + I*zeta", symbols={"beta": {}})
    assert collisions(problem) == ["E", "I", "zeta"]


@pytest.mark.parametrize(
    "source",
    [
        "10**10**8",
        "10**10**10**10 + 1",
        "factorial(10**9)",
        "binomial(10**8, 5*10**7)*x",
        "log(10**10**8)",
        "fibonacci(10**9) - 1",
        "-(2**(10**9))/3",
        "exp(exp(exp(10**6)))",
        "(x + 7**(10**12))**2",
    ],
)
def test_large_numbers_are_not_computed(source):
    start = time.process_time()
    found = gold(source)
    assert time.process_time() - start < 1
    assert found.func is not Integer


def test_a_power_of_moderate_size_is_computed():
    assert gold("2**1000") == Integer(2) ** 1000
    assert isinstance(gold("10**10**8 + 1"), Add)
    assert isinstance(gold("10**10**8"), Pow)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x +", "not a Python expression"),
        ("import os", "not a Python expression"),
        ("x.__class__", "private name"),
        ("__import__('os')", "private name"),
        ("sin(", "not a Python expression"),
        ("Matrix([[1, 2], [3]])", "cannot be evaluated"),
        ("1/0 + oo - oo*undefined.attribute", "cannot be evaluated"),
        ("sin(1, 2, 3)", "cannot be evaluated"),
    ],
)
def test_a_defective_gold_is_the_problems_fault(source, told):
    with pytest.raises(ProblemError, match=told) as raised:
        gold(source)
    assert "'g'" in str(raised.value)


def test_sizes():
    with pytest.raises(ProblemError, match="characters"):
        gold("x + " * 40_000 + "x")
