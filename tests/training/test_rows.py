"""The shapes in which trainers hand a problem over."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.training.datasets import FORMATS, row_text, trl_rows
from scientific_math_critpt_env.training.rows import problem_of
from tests.training.answers import PROBLEM


def test_a_problem_its_row_its_text_and_a_builtin_id() -> None:
    assert problem_of(PROBLEM) is PROBLEM
    assert problem_of(PROBLEM.model_dump()) == PROBLEM
    assert problem_of(row_text(PROBLEM)) == PROBLEM
    builtin = load_problems("builtin")[0]
    assert problem_of(builtin.id) == builtin


def _as_arrow_does(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every struct of a column gets the fields of all, filled with None."""
    names = [name for row in rows for name in row]
    filled = [{name: row.get(name) for name in Counter(names)} for row in rows]
    for name in Counter(names):
        structs = [row[name] for row in filled if isinstance(row[name], dict)]
        if structs:
            merged = iter(_as_arrow_does(structs))
            for row in filled:
                row[name] = next(merged) if isinstance(row[name], dict) else row[name]
    return filled


def test_rows_that_went_through_arrow_are_the_same_problems() -> None:
    problems = load_problems("builtin")
    rows = _as_arrow_does([problem.model_dump(exclude_defaults=True) for problem in problems])
    assert any(None in row["symbols"].values() for row in rows if row["symbols"]), "the case is not there"
    assert [problem_of(row) for row in rows] == problems


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nothing.1", "no built-in problem has the id 'nothing.1'"),
        ('{"id": ', "no JSON"),
        ('{"id": "a", "prompt": "?"}', "answer_fn"),
        ({"id": "a", "prompt": "?", "answer_fn": "1", "rtol": -1.0}, "row 'a': rtol"),
        (7, "int given"),
    ],
)
def test_what_is_no_problem_is_told(given: object, said: str) -> None:
    with pytest.raises(ProblemError) as told:
        problem_of(given)
    assert said in str(told.value)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_format_shows_the_gold_to_the_policy(name: str) -> None:
    secret = PROBLEM.model_copy(update={"answer_fn": "pi*r**2 + 0*secret"})
    (row,) = FORMATS[name]([secret])
    prompt = json.dumps(row.get("prompt", row.get("input")))
    assert PROBLEM.prompt.split("$")[0].strip() in prompt
    assert "secret" not in prompt
    assert "secret" in json.dumps(row)


def test_the_command_writes_a_data_set(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.jsonl"
    assert main(["training-data", "--format", "trl", "--output", str(path)]) == 0
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    problems = load_problems("builtin")
    assert rows == trl_rows(problems)
    assert [problem_of(row["problem"]) for row in rows] == problems
    assert main(["training-data", "--format", "trl", "--output", str(path)]) == 1
    assert "exists" in capsys.readouterr().err
