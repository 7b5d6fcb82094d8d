"""The texts and templates: what each turn says, and that what they ask for is what extraction finds."""

import ast

import pytest
import sympy

from scientific_math_critpt_env import Problem
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.prompting.templates import RETURNS, code_template
from scientific_math_critpt_env.prompting.texts import (
    ABSENT_BUILTINS,
    CPU_SECONDS,
    PACKAGES,
    fenced,
    first_turn,
    one_turn,
    second_turn,
    system_prompt,
)
from scientific_math_critpt_env.sandbox.limits import Limits


def problem(**fields: object) -> Problem:
    row = {"id": "a", "prompt": "Find the {braced} $\\frac{1}{2}$ speed.\n", "answer_fn": "1", **fields}
    if row.get("answer_type") == "function":
        row.setdefault("parameters", ["x"])
    return Problem.model_validate(row)


SYMBOLS = {
    "x": {"positive": True},
    "lambda": {"real": True, "zero": False},
    "\\alpha_0": {},
    "a b": {},
    "sp": {},
    "2r": {},
    "x'": {"integer": True},
}


@pytest.mark.parametrize("answer_type", ANSWER_TYPES)
@pytest.mark.parametrize("symbols", [{}, SYMBOLS], ids=["no symbols", "odd symbols"])
def test_default_templates_define_the_function_and_the_symbols(answer_type, symbols):
    asked = problem(answer_type=answer_type, symbols=symbols)
    template = code_template(asked)
    namespace: dict[str, object] = {}
    exec(template, namespace)  # our own text
    arguments = {name: sympy.Symbol(name) for name in asked.parameters}
    assert namespace["model_answer"](**arguments) is ...
    assert RETURNS[answer_type][1] in template
    made = {value for value in namespace.values() if isinstance(value, sympy.Symbol)}
    declared = {sympy.Symbol(name, **assumptions) for name, assumptions in symbols.items()}
    assert made == declared | ({sympy.Symbol("x")} if asked.parameters and not symbols else set())


def test_declared_symbols_are_written_as_people_do():
    template = code_template(
        problem(symbols={"x": {"positive": True}, "n": {"integer": True, "zero": False}})
    )
    assert "x = sp.symbols('x', positive=True)\nn = sp.symbols('n', integer=True, zero=False)\n" in template


def test_function_valued_templates_take_the_parameters():
    asked = problem(
        answer_type="tuple", parameters=["t", "x"], symbols={"x": {"real": True}}, entry_point="answer"
    )
    (function,) = (node for node in ast.parse(code_template(asked)).body if isinstance(node, ast.FunctionDef))
    assert function.name == "answer"
    assert [argument.arg for argument in function.args.args] == ["t", "x"]
    assert "x: a SymPy symbol or number (real)" in (ast.get_docstring(function) or "")


def test_a_default_template_passes_the_checks_of_the_schema():
    asked = problem(answer_type="function", parameters=["t", "x"], symbols=SYMBOLS)
    again = problem(answer_type="function", parameters=["t", "x"], template=code_template(asked))
    assert code_template(again) == code_template(asked)


def test_unordered_answers_are_not_asked_for_in_order():
    ordered, unordered = (problem(answer_type="tuple", unordered=value) for value in (False, True))
    assert "in the order the problem asks" in one_turn(ordered)
    assert "in the order the problem asks" not in one_turn(unordered)
    assert "order of the components does not matter" in one_turn(unordered)


def test_one_turn_tells_everything_an_answer_needs():
    text = one_turn(problem(cpu_seconds=5, up_to="sign"))
    assert text.startswith("Find the {braced} $\\frac{1}{2}$ speed.\n")
    for package in PACKAGES:
        assert package in text
    for said in (
        "5 seconds of CPU time",
        "overall sign is free",
        "print nothing",
        "the last one",
        "12 significant",
    ):
        assert said in text
    assert "2 seconds" in one_turn(problem())
    assert fenced(code_template(problem())) in text


def test_what_is_told_of_the_sandbox_is_true():
    namespace = pytest.importorskip("scientific_math_critpt_env.sandbox.namespace")
    assert set(PACKAGES) <= namespace.IMPORTABLE
    assert set(ABSENT_BUILTINS).isdisjoint(namespace.BUILTINS)
    assert Limits().cpu_seconds == CPU_SECONDS


def test_turn_one_of_two_says_nothing_of_code():
    for text in (first_turn(problem()), system_prompt()):
        for word in ("code", "python", "template", "sympy", "```", "model_answer"):
            assert word not in text.lower()
    assert 'starts with "Final Answer:"' in first_turn(problem())
    assert "at least 12 significant digits" in first_turn(problem())


def test_turn_two_asks_only_to_fill_the_template():
    text = second_turn(problem(template="def answer():\n    return ...", entry_point="answer"))
    assert "```python\ndef answer():\n    return ...\n```" in text
    assert "speed" not in text
    for said in (
        "final answer of your previous reply",
        "nothing else",
        "not reason further",
        "Import nothing",
    ):
        assert said.replace(" ", "") in text.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("answer_type", ANSWER_TYPES)
def test_what_the_texts_ask_for_is_what_extraction_finds(answer_type):
    asked = problem(answer_type=answer_type, symbols=SYMBOLS)
    filled = code_template(asked).replace("answer = ...", "answer = 42")
    for text, which in ((one_turn(asked), "last"), (second_turn(asked), "first")):
        assert extract(text, which=which).code == code_template(asked)
    assert extract(f"I get 42.\n\n{fenced(filled)}\n").code == filled
    two = extract(fenced(filled), which="first", template=code_template(asked))
    assert two.reason == ""
    assert two.code is not None
    assert two.code.startswith("import sympy as sp\n")
    assert "answer = 42" in two.code


def test_fences_are_longer_than_those_in_the_code():
    code = 'def model_answer():\n    """\n````\n"""'
    assert fenced(code).startswith("`````python\n")
    assert extract(fenced(code)).code == code
