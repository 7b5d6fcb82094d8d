"""Symbols are matched by name, with the assumptions that win."""

import pytest
from sympy import Dummy, Function, Integer, Integral, Mul, Pow, Symbol, sqrt

from scientific_math_critpt_env.grading.names import canonical, free_names, unify
from scientific_math_critpt_env.problems.schema import Problem


def problem(**fields):
    return Problem(id="n", prompt="p", answer_fn="1", **fields)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x", "x"),
        ("lamda", "lambda"),
        ("lambda_", "lambda"),
        ("λ", "lambda"),
        ("\\lambda", "lambda"),
        ("\\lambda_{0}", "lambda_0"),
        ("ω_0", "omega_0"),
        ("x₀", "x_0"),
        ("x_{12}", "x_12"),
        ("Ω", "Omega"),
        ("\\varepsilon", "epsilon"),
        ("\\alpha _{1}", "alpha_1"),
        ("E_", "E"),
        ("x_", "x_"),
        ("bar{x}", "bar{x}"),
        ("__import__('os').system('x')", "__import__('os').system('x')"),
    ],
)
def test_one_spelling_for_a_name(name, expected):
    assert canonical(name) == expected


def test_the_problems_assumptions_win_then_the_golds_then_the_answers():
    plain, positive, real = Symbol("x"), Symbol("x", positive=True), Symbol("x", real=True)
    gold, answer = unify(plain, positive + 1, problem(symbols={"x": {"real": True}}))
    assert (gold, answer) == (real, real + 1)
    gold, answer = unify(positive, plain, problem())
    assert gold == answer == positive
    gold, answer = unify(plain, positive, problem())
    assert gold == answer == plain
    gold, answer = unify(Integer(1), positive, problem())
    assert answer == positive


def test_assumptions_simplify_when_they_arrive():
    gold, answer = unify(sqrt(Symbol("x") ** 2), Symbol("x"), problem(symbols={"x": {"positive": True}}))
    assert gold == answer


def test_all_assumptions_of_one_side_are_kept():
    n, bare = Symbol("n", integer=True), Symbol("n")
    gold, _ = unify(n + 2 * bare, Integer(0), problem())
    assert gold == 3 * n


def test_containers_are_unified_as_well():
    x, positive = Symbol("x"), Symbol("x", positive=True)
    gold, answer = unify({"a": (positive, [x])}, {"a": (x, [positive])}, problem())
    assert gold == answer


def test_greek_and_subscripts():
    gold, answer = unify(Symbol("omega_0"), Symbol("\\omega_{0}"), problem())
    assert gold == answer
    gold, answer = unify(Symbol("omega_0"), Symbol("omega0"), problem())
    assert gold == answer


def test_two_names_of_one_side_stay_apart():
    x0, x_0 = Symbol("x0"), Symbol("x_0")
    gold, answer = unify(x0 - x_0, Integer(0), problem())
    assert gold != answer
    phi, varphi = Symbol("phi"), Symbol("varphi")
    gold, answer = unify(phi * varphi, phi**2, problem())
    assert gold != answer


def test_a_dummy_is_matched_by_name_but_not_with_its_own_sides_symbol():
    gold, answer = unify(Symbol("t") ** 2, Dummy("t") ** 2, problem())
    assert gold == answer
    x = Symbol("x")
    gold, answer = unify(Integer(0), x - Dummy("x"), problem())
    assert gold != answer


def test_bound_variables_may_have_the_name_of_a_free_one():
    x, real = Symbol("x"), Symbol("x", real=True)
    gold, answer = unify(x + Integral(x**2, (x, 0, 1)), real + Integral(real**2, (real, 0, 1)), problem())
    assert gold == answer


def test_functions_match_by_name():
    t = Symbol("t")
    gold, answer = unify(Function("f", real=True)(t), Function("f")(t), problem())
    assert gold == answer


def test_a_number_too_large_to_compute_survives_renaming():
    huge = Pow(Integer(10), Integer(10) ** 8, evaluate=False)
    gold, answer = (Mul(x, huge, evaluate=False) for x in (Symbol("x", positive=True), Symbol("x")))
    gold, answer = unify(gold, answer, problem())
    assert gold == answer


def test_hostile_names_are_only_names():
    hostile = Symbol("__import__('os').system('false')")
    assert free_names(hostile) == {"__import__('os').system('false')"}
    gold, answer = unify(hostile, Symbol("x"), problem())
    assert gold != answer
