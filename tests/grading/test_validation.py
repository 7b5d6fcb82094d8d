"""Rows with known faults and sound rows of every type: the table is `validation_cases.json`.

`defects` and `warnings` list a part of each message that must be there; an empty list means that there is no
message, a missing one that it does not matter.
"""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading import validation
from scientific_math_critpt_env.grading.finding import different, equal
from scientific_math_critpt_env.grading.validation import validate_problem
from scientific_math_critpt_env.problems.schema import Problem

CASES = json.loads((Path(__file__).parent / "validation_cases.json").read_text(encoding="utf-8"))


def problem_of(row):
    return Problem.model_validate({"id": "case", **row})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_row_gets_the_messages_that_it_deserves(case):
    report = validate_problem(problem_of(case["row"]))
    for kind in ("defects", "warnings"):
        expected, found = case.get(kind), getattr(report, kind)
        if expected is not None:
            assert len(found) == len(expected) if not expected else found, found
            for part in expected:
                assert any(part in message for message in found), found


SOUND = [case for case in CASES if case.get("defects") == []]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_no_mutant_of_a_sound_row_passes_without_a_fact(case):
    report = validate_problem(problem_of(case["row"]))
    assert len(report.mutants) >= 2
    assert {m.outcome for m in report.mutants} <= {"rejected", "same", "undecided"}
    assert all(m.reason for m in report.mutants)
    assert sum(m.outcome == "rejected" for m in report.mutants) >= 2


def test_a_dozen_mutants_of_an_ordinary_gold():
    problem = problem_of({"answer_fn": "2*x**3*exp(-I*y)/3 + sqrt(x)", "prompt": "In x and y."})
    report = validate_problem(problem)
    names = {mutant.name for mutant in report.mutants}
    assert names >= {
        "sign", "factor 2", "off by one", "factor 10", "nearby float", "dropped term", "sign of a term",
        "inverse", "square", "conjugate", "other branch of a root", "swapped symbols", "its text",
    }  # fmt: skip
    assert {mutant.outcome for mutant in report.mutants} == {"rejected"}


def test_a_grader_that_accepts_everything_is_found_out(monkeypatch):
    monkeypatch.setattr(validation, "compare", lambda **_: equal("structural"))
    report = validate_problem(problem_of({"answer_fn": "x + 1", "prompt": "In x."}))
    assert any("is graded as equal" in defect for defect in report.defects)
    assert {mutant.outcome for mutant in report.mutants} == {"accepted"}


def test_a_gold_that_its_own_grader_rejects_is_a_defect(monkeypatch):
    monkeypatch.setattr(validation, "compare", lambda **_: different("numeric", "they differ"))
    report = validate_problem(problem_of({"answer_fn": "x + 1", "prompt": "In x."}))
    assert report.defects == ["the gold graded as its own answer is different: they differ"]


def test_reports_are_plain_data():
    report = validate_problem(problem_of({"answer_fn": "(1, x)", "prompt": "In x."}))
    assert json.loads(json.dumps(asdict(report)))["problem_id"] == "case"
    assert report.cpu_seconds > 0
