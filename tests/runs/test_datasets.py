"""Data sets of both kinds, prompts, and how parts are cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.errors import RunError, ScientificMathError
from scientific_math_critpt_env.prompting.texts import one_turn, system_prompt
from scientific_math_critpt_env.runs.config import DatasetConfig
from scientific_math_critpt_env.runs.datasets import load_dataset
from scientific_math_critpt_env.runs.folder import part_name
from scientific_math_critpt_env.runs.planning import make_plan, parse_partition
from scientific_math_critpt_env.runs.prompts import load_prompt
from tests.runs.making import ROWS, configuration, write_rows

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "math_eval"


def _load(folder: Path, path: str, limit: int | None = None) -> Any:
    return load_dataset(DatasetConfig(name="d", path=path, limit=limit), folder)


def test_canonical_rows_of_the_reference() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared cases are not beside the checkout (shared/cases/math_eval)")
    dataset = _load(SHARED, "canonical12.jsonl")
    assert (dataset.kind, len(dataset.records)) == ("canonical", 12)
    first = dataset.records[0]
    assert (first.id, first.answer, first.metadata) == ("test-000000", "18", {"source": "openai/gsm8k"})


def test_our_own_rows_carry_the_problem_along(tmp_path: Path) -> None:
    dataset = _load(tmp_path, "builtin", limit=3)
    assert (dataset.kind, len(dataset.records)) == ("problems", 3)
    record = dataset.records[0]
    assert record.scientific is not None
    assert record.metadata["problem_row"]["id"] == record.id
    assert record.metadata["topic"] == record.scientific.topic
    assert "answer" not in record.metadata["problem_row"]


def test_the_gold_hash_is_over_all_that_decides_a_verdict(tmp_path: Path) -> None:
    row = {"id": "a", "prompt": "x?", "answer_fn": "x"}
    variants = [row, {**row, "topic": "t"}, {**row, "rtol": 0.1}, {**row, "unordered": True}]
    hashes = []
    for variant in variants:
        write_rows(tmp_path / "p.jsonl", [variant])
        hashes.append(_load(tmp_path, "p.jsonl").records[0].gold_hash)
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": "a", "problem": "x", "answer": ""}], "1: answer must be a text that is not empty"),
        ([{"id": "a", "problem": "x", "answer": 3}], "1: answer must be a text"),
        ([{"id": " ", "problem": "x", "answer": "3"}], "1: id must be"),
        ([{"id": "a", "problem": "x"}], "1: answer must be"),
        ([ROWS[0], ROWS[0]], "2: the id 'p0' is taken by"),
        ([{**ROWS[0], "level": 3}], "1: unknown level; put further fields into metadata"),
        ([{**ROWS[0], "metadata": []}], "1: metadata must be an object"),
        ([{**ROWS[0], "solution": 1}], "1: solution must be a text"),
        ([ROWS[0], {"id": "b", "prompt": "x?", "answer_fn": "x"}], "2: problem must be"),
        ([{"id": "b", "prompt": "x?", "answer_fn": "x"}, ROWS[0]], "2: "),
        ([{"id": "b"}], "1: "),
    ],
)
def test_defects_of_rows(rows: list[dict[str, Any]], said: str, tmp_path: Path) -> None:
    write_rows(tmp_path / "d.jsonl", rows)
    with pytest.raises(ScientificMathError) as raised:
        _load(tmp_path, "d.jsonl")
    assert f"d.jsonl:{said}" in str(raised.value)


def test_files_that_are_missing_empty_or_many(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such file or folder; it is the path of data set 'd'"):
        _load(tmp_path, "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(ScientificMathError, match="holds no"):
        _load(tmp_path, "empty.jsonl")
    (tmp_path / "many").mkdir()
    write_rows(tmp_path / "many" / "b.jsonl", ROWS[2:4])
    write_rows(tmp_path / "many" / "a.jsonl", ROWS[:2])
    assert [record.id for record in _load(tmp_path, "many").records] == ["p0", "p1", "p2", "p3"]


def test_the_prompt_is_a_file_a_folder_or_a_name(tmp_path: Path) -> None:
    write_rows(tmp_path / "d.jsonl", [{"id": "a", "problem": "Is {{problem}} \\frac?", "answer": "1"}])
    dataset = _load(tmp_path, "d.jsonl")
    (tmp_path / "one.txt").write_text("Solve:\n{{problem}}\n")
    prompt = load_prompt("one.txt", tmp_path, [dataset])
    assert prompt.messages(dataset.records[0]) == [
        {"role": "user", "content": "Solve:\nIs {{problem}} \\frac?"}
    ]
    folder = tmp_path / "many"
    folder.mkdir()
    for name, text in [("03-user.txt", "{{problem}}"), ("01-system.txt", "Be brief."), ("02-user.txt", "Hi")]:
        (folder / name).write_text(text)
    roles = [
        message["role"] for message in load_prompt("many", tmp_path, [dataset]).messages(dataset.records[0])
    ]
    assert roles == ["system", "user", "user"]
    problems = _load(tmp_path, "builtin", limit=1)
    problem = problems.records[0].scientific
    assert load_prompt("critpt-one-turn", tmp_path, [problems]).messages(problems.records[0]) == [
        {"role": "system", "content": system_prompt()},
        {"role": "user", "content": one_turn(problem)},
    ]
    with pytest.raises(RunError, match="needs rows with answer_fn, which d has not"):
        load_prompt("critpt-one-turn", tmp_path, [problems, dataset])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"01-user.txt": "Solve."}, "stands there 0 times"),
        ({"01-user.txt": "{{problem}} {{problem}}"}, "stands there 2 times"),
        ({"01-system.txt": "{{problem}}", "02-user.txt": "{{problem}}"}, "stands there 2 times"),
        ({"1-user.txt": "{{problem}}"}, "must be called NN-role.txt"),
        ({"01-tool.txt": "{{problem}}"}, "must be called NN-role.txt"),
        ({"01-user.txt": "{{problem}}", "01-system.txt": "a"}, "two messages have number 01"),
        ({"01-user.txt": "{{problem}}", "02-assistant.txt": "a"}, "must be a user's"),
        ({"01-user.txt": " "}, "is empty"),
        ({}, "holds no NN-role.txt"),
    ],
)
def test_defects_of_prompts(files: dict[str, str], said: str, tmp_path: Path) -> None:
    folder = tmp_path / "prompt"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    with pytest.raises(RunError, match="prompt: ") as raised:
        load_prompt("prompt", tmp_path, [])
    assert said in str(raised.value)


def test_parts_are_cut_round_robin_as_the_reference_does(tmp_path: Path) -> None:
    path = SHARED / "matheval_partition_merge_case.json"
    if not path.is_file():
        pytest.skip("the shared cases are not beside the checkout (shared/cases/math_eval)")
    case = json.loads(path.read_text())
    config = configuration(tmp_path, "http://h/v1")
    plans = [
        make_plan(config, "demo", partition=parse_partition(f"{index}/{case['count']}"))
        for index in range(case["count"])
    ]
    assert case["ids"] == [row["id"] for row in ROWS]
    assert [[record.id for _, record in plan.records()] for plan in plans] == case["partitions"]
    assert [plan.folder.name for plan in plans] == case["dirs"]
    assert {plan.run_id for plan in plans} == {"demo"}


def test_partitions_that_are_none(tmp_path: Path) -> None:
    for text in ("3/3", "1", "-1/3", "a/b", "0/0", "0/200000"):
        with pytest.raises(ValueError, match=text):
            parse_partition(text)
    assert part_name("r", 0, 3) == "r.part-00000-of-00003"
    with pytest.raises(RunError, match="part 7 of 8 of 7 rows is empty"):
        make_plan(configuration(tmp_path, "http://h/v1"), "r", partition=parse_partition("7/8"))
    with pytest.raises(RunError, match="--run-id"):
        make_plan(configuration(tmp_path, "http://h/v1"), "../r")


def test_tasks_come_in_bands_over_all_data_sets(tmp_path: Path) -> None:
    write_rows(tmp_path / "b.jsonl", ROWS[:2])
    datasets = [{"name": "a", "path": "rows.jsonl", "limit": 2}, {"name": "b", "path": "b.jsonl"}]
    plan = make_plan(configuration(tmp_path, "http://h/v1", dataset=..., datasets=datasets), "r")
    tasks = list(plan.tasks(done={("a", "p1", 0)}))
    assert [task.key for task in tasks[:4]] == [
        ("a", "p0", 0),
        ("b", "p0", 0),
        ("b", "p1", 0),
        ("a", "p0", 1),
    ]
    assert [task.seed for task in tasks] == [5 + task.sample_idx for task in tasks]
    assert len(tasks) == plan.expected - 1 == 11
