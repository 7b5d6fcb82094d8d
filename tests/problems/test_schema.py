"""The schema: what a row may be, and what it is told when it may not."""

import json
import pickle
import subprocess
import sys

import pytest
from pydantic import ValidationError

from scientific_math_critpt_env import Problem
from scientific_math_critpt_env.problems.row_checks import ASSUMPTIONS

ROW = {"id": "a.1", "prompt": "How much?", "answer_fn": "x + 1"}


def defect(**fields: object) -> str:
    with pytest.raises(ValidationError) as caught:
        Problem.model_validate({**ROW, **fields})
    return "\n".join(f"{error['loc']}: {error['msg']}" for error in caught.value.errors())


def test_a_row_of_the_original_format_is_valid_as_it_is():
    row = {
        **ROW,
        "topic": "optics",
        "final_answer": "$x+1$",
        "answer_type": "symbolic",
    }
    problem = Problem.model_validate(row)
    assert problem.model_dump(include=set(row)) == row
    assert problem.entry_point == "model_answer"
    assert problem.unknown == {}


def test_unknown_fields_are_kept():
    problem = Problem.model_validate({**ROW, "author": "someone", "tags": ["a", 1]})
    assert problem.unknown == {"author": "someone", "tags": ["a", 1]}
    assert Problem.model_validate_json(problem.model_dump_json()) == problem


def test_null_counts_as_left_out():
    nothing = dict.fromkeys(set(Problem.model_fields) - set(ROW))
    assert Problem.model_validate({**ROW, **nothing}) == Problem.model_validate(ROW)


def test_where_is_no_part_of_the_value():
    here, there = Problem.model_validate(ROW).at("p.jsonl:3"), Problem.model_validate(ROW)
    assert here == there
    assert len({here, there}) == 1
    assert here.where == pickle.loads(pickle.dumps(here)).where == "p.jsonl:3"
    assert "p.jsonl" not in here.model_dump_json()
    assert here != Problem.model_validate({**ROW, "note": 1})


def test_problems_are_frozen():
    with pytest.raises(ValidationError):
        Problem.model_validate(ROW).id = "b"


def test_numbers_may_stand_in_test_points():
    problem = Problem.model_validate(
        {
            **ROW,
            "parameters": ["x", "n"],
            "test_points": [{"x": 0.5, "n": 3}, {"x": "Rational(1, 3)", "n": "7"}],
        }
    )
    assert problem.test_points == [{"x": "0.5", "n": "3"}, {"x": "Rational(1, 3)", "n": "7"}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": ""}, "give every problem an id"),
        ({"id": " a"}, "white space around it"),
        ({"id": "a\x00b"}, "unprintable"),
        ({"prompt": " \n"}, "is blank"),
        ({"prompt": "\ud800"}, "surrogate"),
        ({"answer_fn": ""}, "is blank"),
        ({"answer_type": "vector"}, "symbolic"),
        ({"symbols": {"x": {"postive": True}}}, "did you mean 'positive'"),
        ({"symbols": {"x": {"big": True}}}, "SymPy knows algebraic"),
        ({"symbols": {" ": {}}}, "name the symbol"),
        ({"parameters": ["lambda"]}, "no Python identifier"),
        ({"parameters": ["x", "x"]}, "x appears twice"),
        ({"test_points": [{"x": "1"}]}, "without `parameters`"),
        ({"parameters": ["x", "y"], "test_points": [{"x": "1"}]}, "test_points[0] has no value for y"),
        ({"parameters": ["x"], "test_points": [{"x": "1"}, {"x": "1", "z": "2"}]}, "test_points[1] gives z"),
        ({"parameters": ["x"], "test_points": [{"x": True}]}, "string"),
        ({"parameters": ["x"], "test_points": [{"x": " "}]}, "is blank"),
        ({"rtol": -1e-6}, "greater than or equal to 0"),
        ({"rtol": float("inf")}, "not finite"),
        ({"atol": float("nan")}, "greater than or equal to 0"),
        ({"cpu_seconds": 0}, "greater than 0"),
        ({"cpu_seconds": 1e9}, "less than or equal to 600"),
        ({"difficulty": 6}, "less than or equal to 5"),
        ({"pass_rate": 1.5}, "less than or equal to 1"),
        ({"up_to": "phase"}, "constant"),
        ({"float_answers": "maybe"}, "accept"),
        ({"entry_point": "model-answer"}, "no Python identifier"),
        ({"answer_type": "function"}, "needs `parameters`"),
        ({"template": "def answer():\n    ..."}, "defines 'model_answer' 0 times"),
        ({"template": "class A:\n    def model_answer(self):\n        ..."}, "0 times"),
        ({"template": "def model_answer():\n    x = # here"}, "does not parse"),
        ({"template": "def model_answer(x):\n    ..."}, "takes x; list it"),
        ({"template": "def model_answer():\n    ...", "parameters": ["x"]}, "does not take the parameter x"),
        ({"template": "def model_answer(x, /):\n    ...", "parameters": ["x"]}, "positional-only"),
    ],
)
def test_defects_are_named(fields, message):
    assert message in defect(**fields)


@pytest.mark.parametrize(
    "signature", ["x, y", "x, y=1", "x, *, y", "x, y, z=2, *, w=3", "**all", "x, **others", "x, y, *rest"]
)
def test_templates_that_take_the_parameters(signature):
    Problem.model_validate(
        {**ROW, "parameters": ["x", "y"], "template": f"def model_answer({signature}):\n    return ..."}
    )


def test_the_assumptions_are_those_of_sympy():
    from sympy.core.assumptions import _assume_defined

    assert set(_assume_defined) == ASSUMPTIONS


def test_importing_the_schema_imports_nothing_heavy():
    code = (
        "import sys, json; import scientific_math_critpt_env.problems.loading,"
        "scientific_math_critpt_env.prompting.texts, scientific_math_critpt_env.prompting.extraction;"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    heavy = {"sympy", "numpy", "scipy", "datasets", "verifiers", "vllm", "torch"}
    assert heavy.isdisjoint(json.loads(done.stdout))
