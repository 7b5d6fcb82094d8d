"""The original's rules to the letter, their known faults included: the table is `critpt_v1_cases.json`."""

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.critpt_v1 import compare_critpt_v1
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

CASES = json.loads((Path(__file__).parent / "critpt_v1_cases.json").read_text(encoding="utf-8"))


def problem_of(answer_type, source, **fields):
    return Problem(id="case", prompt="p", answer_type=answer_type, answer_fn=source, **fields)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['type']}: {c['gold']} | {c['answer']}")
def test_the_rule_decides_as_the_original_does(case):
    problem = problem_of(case["type"], case["gold"])
    gold = evaluate_gold(problem)
    answer = evaluate_gold(problem_of(case["type"], case["answer"]))
    finding = compare_critpt_v1(gold=gold, answer=answer, problem=problem)
    assert (finding.relation == "equal") is case["passes"], finding
    assert finding.relation in ("equal", "different")
    assert finding.partial == case.get("partial", finding.partial)


def test_with_test_points_every_call_is_compared():
    points = [{"x": "1"}, {"x": "Rational(1, 2)"}]
    problem = problem_of("function", "x**2", parameters=["x"], test_points=points)
    gold = evaluate_gold(problem)
    right = compare_critpt_v1(gold=gold, answer=[1, 1 / 4], problem=problem)
    wrong = compare_critpt_v1(gold=gold, answer=[1, 1 / 2], problem=problem)
    assert right.relation == "equal"
    assert (wrong.relation, wrong.partial) == ("different", 0.5)
    assert "test point 2" in wrong.reason


def test_an_answer_that_cannot_be_compared_is_incorrect_and_raises_nothing():
    class Hostile:
        def __sub__(self, other):
            raise RuntimeError

        __rsub__ = __sub__

    problem = problem_of("symbolic", "x")
    finding = compare_critpt_v1(gold=evaluate_gold(problem), answer=Hostile(), problem=problem)
    assert finding.relation == "different"
