"""What does not change an approach does not change its features; what does, does."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.novelty import THRESHOLD, distance, profiled, read_program
from scientific_math_critpt_env.novelty.calls import canonical
from scientific_math_critpt_env.novelty.methods import used_methods
from tests.novelty.programs import (
    PROGRAMS,
    TABLE,
    renamed,
    reordered,
    with_comments,
    with_dead_code,
)

WRITINGS = (renamed, reordered, with_dead_code, with_comments)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(PROGRAMS), st.lists(st.sampled_from(WRITINGS), min_size=1), st.integers(0, 2**32))
def test_another_writing_is_the_same_program(code, writings, seed):
    draw = random.Random(seed)
    other = code
    for writing in writings:
        other = writing(other, draw)
    assert read_program(other) == read_program(code), other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x + y*2", "2*y + x"),
        ("x - y", "-y + x"),
        ("sp.sin(x)/y", "sp.sin(x)*y**-1"),
        ("sp.sqrt(sp.sin(x))", "sp.sin(x)**sp.Rational(1, 2)"),
        ("sp.diff(sp.sin(x), x)", "sp.sin(x).diff(x)"),
        ("sp.Integral(sp.sin(x), x).doit()", "sp.simplify(sp.integrate(sp.sin(x), x))"),
        ("sp.sin(x) + 0*sp.zeta(x)", "sp.sin(x)"),
        ("sp.sin(x) + sp.zeta(x) - sp.zeta(x)", "sp.sin(x)"),
        ("sp.sin(x)*(sp.zeta(x)/sp.zeta(x))", "sp.sin(x)"),
        ("sp.sin(x) if True else sp.zeta(x)", "sp.sin(x)"),
        ("sp.zeta(x) if 2 + 2*2 == 5 else sp.sin(x)", "sp.sin(x)"),
        ("sp.sin(x) if not 1 > 2 else sp.zeta(x)", "sp.sin(x)"),
        ("sum(sp.sin(k) for k in range(9))", "sum([sp.sin(j) for j in range(9)])"),
        ("sp.sin(x) + sp.sin(x) + sp.sin(x)", "3*sp.sin(x)"),
        ("np.arcsin(x)", "asin(x)"),
        ("(lambda u: sp.sin(u))(x)", "sp.sin(x)"),
        ("sp.sin(x) if a < b else sp.cos(x)", "sp.cos(x) if b <= a else sp.sin(x)"),
        ("min(sp.solve(x, y))", "min(sp.solveset(x, y))"),
        ("np.trapz(x)", "sp.simpson(x)"),
        ("sp.sin(x)[7]", "sp.sin(x)[1 + 2]"),
        ("sp.Function('f')(x)", "sp.Function('g')(x)"),
    ],
)
def test_ways_to_write_one_expression(one, other):
    assert read_program(_returning(one)) == read_program(_returning(other))


def _returning(expression: str) -> str:
    header = (
        "import sympy as sp\nimport numpy as np\nfrom sympy import asin\nx, y, a, b = sp.symbols('x y a b')\n"
    )
    return f"{header}def model_answer():\n    return {expression}\n"


def test_an_own_function_is_what_it_returns():
    helped = """
import sympy as sp
def step(u, n=2):
    if n > 5:
        return sp.zeta(u)
    def inner():
        return sp.sin(u)
    return inner()**n
def model_answer():
    return step(u=sp.Symbol('v'))
"""
    plain = _returning("sp.sin(x)**2")
    assert read_program(helped) == read_program(plain)


def test_a_return_in_a_branch_is_a_choice():
    early = "def model_answer(n):\n    if n > 3:\n        return sin(n)\n    return cos(n)\n"
    both = "def model_answer(k):\n if 3 < k:\n  r = sin(k)\n else:\n  r = cos(k)\n return r\n"
    one = "def model_answer(m):\n    return sin(m) if m > 3 else cos(m)\n"
    assert read_program(early) == read_program(both) == read_program(one)


@pytest.mark.parametrize(
    "value", ["42", "sp.pi**2/6", "sp.Rational(3, 7)", "(1, 2)", "'stable'", "x*y + 3", "None"]
)
def test_a_stated_value_shows_no_approach(value):
    assert not read_program(_returning(value)).features


def test_functions_are_those_that_the_result_passes_through():
    code = "import sympy as sp\ndef model_answer():\n    x = sp.Symbol('x')\n    sp.dsolve(x)\n"
    code += "    sp.gamma(x)\n    return sp.integrate(sp.exp(x), x)\n"
    assert read_program(code).functions == {"integrate", "exp"}


def test_functions_are_methods_by_any_of_their_names():
    assert used_methods(["integrate"]) == {"symbolic integration"}
    for one, other in (("findroot", "fsolve"), ("eigvalsh", "eigenvects"), ("trapezoid", "quad")):
        assert used_methods([canonical(one)]) == used_methods([canonical(other)]) != frozenset()
    assert not used_methods(["sin", "matrix", "print"])


def test_programs_of_one_approach_are_near_and_of_two_are_far():
    same, different = [], []
    for row in TABLE:
        named = [(name, code) for name, codes in row["approaches"].items() for code in codes]
        profiles = profiled([code for _, code in named])
        for (first, one), (second, other) in combinations(zip(named, profiles, strict=True), 2):
            found = distance(one, other)
            if found is not None:
                assert found == distance(other, one)
                (same if first[0] == second[0] else different).append(found)
    assert len(same) > 20
    assert len(different) > 100
    assert sum(d <= THRESHOLD for d in same) / len(same) > 0.9
    assert sum(d > THRESHOLD for d in different) / len(different) > 0.9
