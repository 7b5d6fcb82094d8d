"""Pairs that nearly agree are told apart; those that only look different are not. In both orders."""

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

TABLE = json.loads((Path(__file__).parent / "near_equalities.json").read_text(encoding="utf-8"))


def problem(source):
    return Problem(id="near", prompt="p", answer_fn=source, symbols=TABLE["symbols"])


def marked(row):
    slow = any(start in side for start in TABLE["slow"] for side in row[:2])
    return pytest.param(*row, marks=pytest.mark.slow if slow else (), id=f"{row[0][:40]} | {row[1][:40]}")


@pytest.mark.parametrize(("gold", "answer", "expected"), [marked(row) for row in TABLE["rows"]])
def test_nearly_equal_pairs(gold, answer, expected):
    left, right = evaluate_gold(problem(gold)), evaluate_gold(problem(answer))
    found = compare(gold=left, answer=right, problem=problem(gold))
    back = compare(gold=right, answer=left, problem=problem(answer))
    if expected == "equal":
        assert found.relation == "equal", found
        assert back.relation == "equal", back
    else:
        assert found.relation != "equal", found
        assert back.relation != "equal", back  # "different" or, on a slow machine, "undecided"
