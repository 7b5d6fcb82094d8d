"""Every line of the example tables in docs/grading_types.md is decided as the page says."""

import json
import re
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

PAGE = Path(__file__).resolve().parents[2] / "docs" / "grading_types.md"

LINE = re.compile(
    r"\| `(?P<gold>[^`]+)` \| `(?P<answer>[^`]+)` \| (?P<verdict>\w+) \| (?:`(?P<fields>[^`]+)` )?\|"
)

EXAMPLES = [m.groupdict() for m in map(LINE.fullmatch, PAGE.read_text(encoding="utf-8").splitlines()) if m]


def test_the_page_has_its_examples():
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(EXAMPLES) == len(lines) > 75


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e['gold']} | {e['answer']} | {e['fields']}")
def test_each_example_is_true(example):
    fields = json.loads(example["fields"] or "{}")

    def problem(source):
        return Problem(id="doc", prompt="p", answer_fn=source, **fields)

    gold, answer = (evaluate_gold(problem(example[side])) for side in ("gold", "answer"))
    finding = compare(gold=gold, answer=answer, problem=problem(example["gold"]))
    assert finding.relation == example["verdict"], finding
