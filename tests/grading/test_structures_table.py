"""Every kind of answer against a table of pairs that anybody can extend: `structure_cases.json`.

A row has `kind`, `gold`, `answer` (in `from sympy import *` notation), `expect` (a relation, or a list of
those that are right) and any field of a problem. The verdict must be the same with the sides exchanged, but
for rows that say `one_way`.
"""

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

CASES = json.loads((Path(__file__).parent / "structure_cases.json").read_text(encoding="utf-8"))

OURS = ("kind", "gold", "answer", "expect", "one_way")


def problem_of(case, source):
    fields = {name: value for name, value in case.items() if name not in OURS}
    return Problem(id="case", prompt="p", answer_fn=source, **fields)


def both(case):
    problem = problem_of(case, case["gold"])
    return problem, evaluate_gold(problem), evaluate_gold(problem_of(case, case["answer"]))


def named(case):
    options = {k: v for k, v in case.items() if k not in OURS}
    return f"{case['kind']}: {case['gold']} | {case['answer']}" + (f" {options}" if options else "")


@pytest.mark.parametrize("case", CASES, ids=named)
def test_each_pair_is_found_to_be_what_the_table_says(case):
    problem, gold, answer = both(case)
    finding = compare(gold=gold, answer=answer, problem=problem)
    expected = case["expect"] if isinstance(case["expect"], list) else [case["expect"]]
    assert finding.relation in expected, finding
    assert "raised" not in finding.reason, finding
    if finding.relation == "equal":
        assert finding.partial == 1
    else:
        assert finding.partial < 1
        assert finding.reason


@pytest.mark.parametrize("case", [c for c in CASES if not c.get("one_way")], ids=named)
def test_the_verdict_is_the_same_with_the_sides_exchanged(case):
    problem, gold, answer = both(case)
    forth = compare(gold=gold, answer=answer, problem=problem)
    back = compare(gold=answer, answer=gold, problem=problem)
    assert forth.relation == back.relation, (forth, back)


@pytest.mark.parametrize("case", [c for c in CASES if not c.get("test_points")], ids=named)
def test_every_value_of_the_table_equals_itself(case):
    for source in (case["gold"], case["answer"]):
        problem = problem_of(case, source)
        gold = evaluate_gold(problem)
        if case.get("answer_type") == "equation" and gold is not None and str(gold) == "False":
            continue  # an equation without solutions is no gold: see test_validation
        finding = compare(gold=gold, answer=evaluate_gold(problem), problem=problem)
        assert finding.relation == "equal", finding
