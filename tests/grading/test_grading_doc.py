"""Every line of the example tables in docs/grading.md is decided as the page says, and by that method."""

import json
import re
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

PACKAGE = Path(__file__).resolve().parents[2] / "scientific_math_critpt_env"
TEXT = (PACKAGE.parent / "docs" / "grading.md").read_text(encoding="utf-8")

LINE = re.compile(
    r"\| `(?P<gold>[^`]+)` \| `(?P<answer>[^`]+)` \| (?P<verdict>\w+) \| (?P<method>[\w:]+) "
    r"\| (?:`(?P<fields>[^`]+)` )?\|"
)
EXAMPLES = [m.groupdict() for m in map(LINE.fullmatch, TEXT.splitlines()) if m]
METHODS = re.findall(r"^\| `([a-z: ]+)` \| [^|]+ \|$", TEXT, flags=re.MULTILINE)


def test_the_page_has_its_examples_and_methods():
    lines = [line for line in TEXT.splitlines() if line.startswith("| `")]
    assert len(EXAMPLES) > 30
    assert len(EXAMPLES) + len(METHODS) == len(lines)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e['gold']} | {e['answer']} | {e['fields']}")
def test_each_example_is_true(example):
    fields = json.loads(example["fields"] or "{}")

    def problem(source):
        return Problem(id="doc", prompt="p", answer_fn=source, **fields)

    gold, answer = (evaluate_gold(problem(example[side])) for side in ("gold", "answer"))
    finding = compare(gold=gold, answer=answer, problem=problem(example["gold"]))
    assert (finding.relation, finding.method) == (example["verdict"], example["method"]), finding


def test_every_method_of_the_code_is_on_the_page():
    modules = [path for path in (PACKAGE / "grading").rglob("*.py") if path.stem != "critpt_v1"]
    source = "".join(path.read_text(encoding="utf-8") for path in modules)
    emitted = set(re.findall(r'"((?:exact|symbolic|numeric):[a-z ]+)"', source))
    assert emitted <= set(METHODS)
    assert all(f'"{method}"' in source for method in METHODS)
