"""The scripted answers are what they are said to be, as the grader sees them."""

from __future__ import annotations

import pytest

from scientific_math_critpt_env import Grader, Problem, Verdict
from scientific_math_critpt_env.demo.programs import completion, exact, gold_program, program
from scientific_math_critpt_env.demo.rewriting import FORMS, equivalent, wrong, wrong_type
from tests.demo.cases import PROBLEMS

LABELS = ("gold", *(f"right {form}" for form in range(FORMS)), "wrong", "wrong type")


@pytest.fixture(scope="module")
def verdicts() -> dict[tuple[str, str], Verdict]:
    keys, pairs = [], []
    for problem in PROBLEMS:
        for label, code in zip(LABELS, _programs(problem), strict=True):
            keys.append((problem.id, label))
            pairs.append((problem, completion(code)))
    with Grader() as grader:
        return dict(zip(keys, grader.grade_many(pairs), strict=True))


def _programs(problem: Problem) -> list[str]:
    sources = [*(equivalent(problem, form) for form in range(FORMS)), wrong(problem), wrong_type(problem)]
    return [gold_program(problem), *(program(problem, source) for source in sources)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
def test_right_forms_are_correct_and_wrong_ones_are_not(
    problem: Problem, verdicts: dict[tuple[str, str], Verdict]
) -> None:
    for label in LABELS:
        verdict = verdicts[problem.id, label]
        expected = 0.0 if label.startswith("wrong") else 1.0
        assert verdict.score == expected, f"{label}: {verdict.status}, {verdict.reason}"


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
def test_right_forms_are_written_differently(problem: Problem) -> None:
    if problem.answer_type == "boolean":
        pytest.skip("a truth value has one form")
    gold = exact(problem.answer_fn)
    forms = {equivalent(problem, form) for form in range(FORMS)}
    assert gold not in forms
    assert len(forms) == (1 if problem.id == "string" else FORMS)


def test_literals_mean_what_golds_mean() -> None:
    assert exact("1/3") == "Integer(1) / Integer(3)"
    assert exact("0.12345678901234567890") == "Float('0.12345678901234567890')"
    assert exact("limit(f(x), x, 0, dir='-')") == "limit(f(x), x, Integer(0), dir='-')"
    assert exact("(1,\n 2.5)") == "(Integer(1), 2.5)"
