"""Generation by the real command over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.prompting import generation_messages
from scientific_math_critpt_env.creative.samples import SamplePlace, places
from scientific_math_critpt_env.demo.judges import Rule
from scientific_math_critpt_env.judging.criteria import CRITERIA
from tests.creative.golden import DATA, GENERATION, read, serving


def generate(folder: Path, url: str, *options: str) -> int:
    paths = ("--data", DATA, "--model", "lab/m", "--base-url", url, "--output-dir", folder)
    return main(["creative", "generate", *map(str, paths), *options])


def written(folder: Path) -> Any:
    return json.loads((folder / "lab_m.json").read_bytes())


def test_places_are_in_order() -> None:
    problems = load_dataset(DATA).problems
    expected = [SamplePlace(row["problem_id"], row["k"], row["n"]) for row in read(GENERATION.name)]
    assert places(problems) == expected


def test_the_prompt_shows_the_first_k_solutions_and_the_criteria() -> None:
    (message,) = generation_messages("What is 2 + 2?", ["Count.", "Add."])
    text = message["content"]
    assert text.index("What is 2 + 2?") < text.index("Solution 1:\nCount.") < text.index("Solution 2:\nAdd.")
    assert all(criterion in text for criterion in CRITERIA)


def test_the_file_is_in_order_and_without_transitions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [
        Rule(contains=("P1S2",), reply="<think>Hm.</think>\nUnlike the given solutions, we count {digest}."),
        Rule(contains=("P2S3",), reply="Let us begin", finish_reason="length"),
        Rule(stage="generation", reply="Solution {digest}."),
    ]
    with serving(rules) as (url, script):
        assert generate(tmp_path, url, "--json") == 0
        assert len(script.calls) == 6
        assert generate(tmp_path, url) == 0
        assert len(script.calls) == 6
    summary = json.loads(capsys.readouterr().out.splitlines()[0])
    assert summary["states"] == {"truncated": 1, "written": 5}
    assert summary["with_transitions_removed"] == 1
    rows = written(tmp_path)
    assert [{**row, "response": ""} for row in rows] == [
        {**row, "response": ""} for row in read(GENERATION.name)
    ]
    assert len({row["response"] for row in rows}) == 6
    assert rows[2]["response"].startswith("We count ")
    record = [json.loads(line) for line in (tmp_path / "lab_m.run/record.jsonl").read_text().splitlines()]
    assert record[2]["removed"] == ["Unlike the given solutions"]
    assert record[2]["raw"].startswith("<think>")
    assert (
        (tmp_path / "lab_m.json")
        .read_text()
        .startswith('[\n    {\n        "problem_id": 0,\n        "k": 1,')
    )


def test_what_could_not_be_had_is_told_and_asked_for_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = Rule(contains=("P1S2",), times=1, status=400, reply="content policy")
    with serving([failing, Rule(reply="Solution {digest}.")]) as (url, script):
        assert generate(tmp_path, url) == 1
        assert "1 samples could not be had: status 400: content policy" in capsys.readouterr().err
        assert [(row["problem_id"], row["k"]) for row in written(tmp_path)] == [
            (0, 1),
            (1, 1),
            (2, 1),
            (2, 2),
            (2, 3),
        ]
        assert generate(tmp_path, url) == 0
        assert len(script.calls) == 7
    assert len(written(tmp_path)) == 6


def test_another_sampling_is_another_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving([Rule(reply="Solution {digest}.")]) as (url, script):
        assert generate(tmp_path, url) == 0
        assert generate(tmp_path, url, "--sampling", '{"temperature": 1}') == 1
        assert "was begun with another sampling" in capsys.readouterr().err
        assert generate(tmp_path, url, "--sampling", '{"temperature": 1}', "--overwrite") == 0
        assert len(script.calls) == 12


def test_a_limit_of_calls_stops_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving([Rule(reply="Solution {digest}.")]) as (url, script):
        assert generate(tmp_path, url, "--max-calls", "4") == 1
        assert "limit of 4 calls used up" in capsys.readouterr().err
        assert generate(tmp_path, url, "--max-calls", "4") == 0
        assert len(script.calls) == 6
