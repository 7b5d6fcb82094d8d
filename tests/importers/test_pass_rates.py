"""Measured pass rates: from traces and verdict rows into problem rows, and the filter by them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.pass_rates import measure
from scientific_math_critpt_env.problems.selection import rate_bounds
from tests.importers import sets

ROWS = [{"id": name, "prompt": f"Return {name}.", "answer_fn": name, "extra": 1} for name in "abc"]


def trace(name: str, status: str | None, gold: str | None = None) -> dict[str, object]:
    info = {"verdict": {"status": status, "score": float(status == "correct")}} if status else {}
    task = {"key": name, "data": {"problem": {"id": name, "answer_fn": gold or name}}}
    return {"task": task, "info": info, "ok": status is not None}


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    return sets.write_lines(tmp_path / "p.jsonl", ROWS)


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    traces = [
        trace("a", "correct"),
        trace("a", "incorrect"),
        trace("b", None),
        trace("b", "correct", "b + 1"),
    ]
    sets.write_lines(folder / "traces.jsonl", [{"traces": traces}, {"traces": [trace("z", "correct")]}])
    return folder


def test_traces_and_verdict_rows_are_counted_together(
    tmp_path: Path, problems: Path, run_folder: Path
) -> None:
    verdicts = [
        {"id": "a", "rollout": 0, "status": "correct"},
        {"id": "b", "rollout": 0, "status": "timeout"},
    ]
    rows = sets.write_lines(tmp_path / "v.jsonl", verdicts)
    with pytest.warns(UserWarning, match="extra"):
        loaded = {problem.id: problem for problem in load_problems(problems)}
    measured = measure([run_folder.parent, rows], loaded)
    assert measured.rates() == {"a": 2 / 3, "b": 0.0}
    assert measured.rates(least=2) == {"a": 2 / 3}
    assert (measured.failed, measured.other_problem, measured.unknown) == (1, 1, {"z"})


def test_what_is_no_run_is_told_by_place(tmp_path: Path) -> None:
    bad = sets.write_lines(tmp_path / "v.jsonl", [{"answer": 1}])
    for path, told in [
        (bad, "v.jsonl:1: neither a trace"),
        (tmp_path, "no traces.jsonl"),
        (tmp_path / "x", "no such"),
    ]:
        with pytest.raises(ProblemError, match=told):
            measure([path], {})


def test_the_command_and_the_filter(tmp_path: Path, problems: Path, run_folder: Path) -> None:
    output = tmp_path / "rated.jsonl"
    line = [sys.executable, "-m", "scientific_math_critpt_env.cli", "pass-rates", run_folder]
    done = subprocess.run(
        [*map(str, line), "--problems", str(problems), "--output", str(output), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["rated"], summary["rollouts"], summary["failed_rollouts"]) == (1, 2, 1)
    with pytest.warns(UserWarning, match="extra"):
        rated = load_problems(output)
    assert [problem.pass_rate for problem in rated] == [0.5, None, None]
    assert rated[0].unknown == {"extra": 1}
    with pytest.warns(UserWarning, match="extra"):
        assert [problem.id for problem in load_problems(output, pass_rate="0.1:0.9")] == ["a"]
    with pytest.raises(ProblemError, match=r"pass_rate of 0.6 to 1; they are from 0.5"):
        load_problems(output, pass_rate="0.6:")
    with pytest.raises(ProblemError, match="no problem here has one"):
        load_problems(problems, pass_rate=(0.0, 1.0))


@pytest.mark.parametrize(
    ("text", "bounds"), [("0.1:0.9", (0.1, 0.9)), (":0.5", (0.0, 0.5)), ("0.5:", (0.5, 1.0))]
)
def test_ranges(text: str, bounds: tuple[float, float]) -> None:
    assert rate_bounds(text) == bounds


@pytest.mark.parametrize("text", ["", ":", "0.5", "a:b", "0.9:0.1", "-1:0.5", "0:2"])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(ValueError, match="pass_rate"):
        rate_bounds(text)


def test_the_environment_filters_by_it(problems: Path) -> None:
    taskset = pytest.importorskip("scientific_math_critpt.taskset")
    rated = sets.write_lines(problems, [{**ROWS[0], "pass_rate": 0.25}, {**ROWS[1], "pass_rate": 1.0}])
    settings = {"id": "scientific-math-critpt", "problems": str(rated), "check_golds": False}
    with pytest.warns(UserWarning, match="extra"):
        tasks = list(taskset.CritptTaskset(taskset.CritptTasksetConfig(**settings, pass_rate="0.1:0.9")))
    assert [task.data.problem.id for task in tasks] == ["a"]
    with pytest.raises(SystemExit, match="is no range"):
        list(taskset.CritptTaskset(taskset.CritptTasksetConfig(**settings, pass_rate="often")))
    with pytest.raises(ValueError, match="no generated problem has"):
        taskset.CritptTasksetConfig(id="scientific-math-critpt", source="generated", pass_rate="0.1:0.9")
