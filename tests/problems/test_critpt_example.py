"""The public CritPt example: its template is shown, its own answer is found, its gold is one expression."""

import sympy

from scientific_math_critpt_env import Problem
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.prompting.templates import code_template
from scientific_math_critpt_env.prompting.texts import fenced, first_turn, one_turn, second_turn
from tests.critpt_example import gold_expression, load_critpt_problem


def test_it_is_a_problem():
    problem, _ = load_critpt_problem()
    assert problem.entry_point == "answer"
    assert problem.parameters == ["p"]
    assert Problem.model_validate_json(problem.model_dump_json()) == problem


def test_the_template_is_withheld_until_turn_two():
    problem, _ = load_critpt_problem()
    assert code_template(problem) == problem.template
    assert problem.template not in first_turn(problem)
    assert problem.prompt.strip() in first_turn(problem)
    assert fenced(problem.template) in second_turn(problem)
    assert problem.prompt.strip() not in second_turn(problem)
    assert fenced(problem.template) in one_turn(problem)


def test_its_own_answer_is_found_in_both_protocols():
    problem, answer_code = load_critpt_problem()
    one = extract(f"Reasoning.\n\n{fenced(answer_code)}\n", problem.entry_point)
    assert (one.code, one.reason) == (answer_code, "")
    two = extract(fenced(answer_code), problem.entry_point, which="first", template=problem.template)
    assert two.code is not None
    function = answer_code[answer_code.index("def answer") :]
    assert two.code.startswith("import sympy as sp\np = sp.symbols('p')\n")
    assert two.code.endswith(function)


def test_the_gold_is_what_the_answer_code_returns():
    problem, answer_code = load_critpt_problem()
    p = sympy.Symbol("p")
    namespace: dict[str, object] = {}
    exec(answer_code, namespace)  # trusted: the data set's own answer
    returned = namespace["answer"](p)
    gold = sympy.sympify(problem.answer_fn, locals={"p": p})
    assert gold == returned
    assert gold.free_symbols == {p}
    assert gold.subs(p, 0) == 1


def test_straight_line_answers_become_one_expression():
    code = "def f(x):\n    '''Doc.'''\n    a = x + 1\n    b = sp.sqrt(a)*a\n    a = b/2\n    return (a, b)"
    x = sympy.Symbol("x")
    a, b = sympy.sympify(gold_expression(code, "f"), locals={"x": x})
    assert b == sympy.sqrt(x + 1) * (x + 1)
    assert a == b / 2
