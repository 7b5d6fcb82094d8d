"""`scientific-math import` as a user runs it: files, exit codes, nothing half-written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.problems.loading import load_problems
from tests.importers import sets

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def command(*arguments: object, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """In a process of its own, as from a shell."""
    line = [sys.executable, "-m", "scientific_math_critpt_env.cli", "import", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=timeout)


def test_a_field_map_golds_that_fail_and_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"q": "Add.", "sympy": "x + 1", "n": "a"},
        {"q": "Nothing.", "sympy": "foo(", "n": "b"},
        {"q": "Undefined.", "sympy": "nan", "n": "c"},
        {"q": "No gold.", "n": "d"},
        {"q": "A number.", "sympy": 2.5, "n": "e"},
    ]
    source = sets.write_lines(tmp_path / "in.jsonl", rows)
    output, report = tmp_path / "out.jsonl", tmp_path / "report.json"
    fields = "prompt=q,answer_fn=sympy,id=n,license:=CC0"
    done = command(
        "jsonl", source, "--fields", fields, "--output", output, "--report", report, "--json", "--workers", 2
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["imported"], summary["left_out"]) == (2, 3)
    assert [(p.id, p.answer_fn, p.license) for p in load_problems(output)] == [
        ("a", "x + 1", "CC0"),
        ("e", "2.5", "CC0"),
    ]
    left = {row["id"]: row for row in json.loads(report.read_text())["rows"]}
    assert {name: row["reason"] for name, row in left.items()} == {
        "b": "gold without a value",
        "c": "gold is not its own answer",
        "d": "field missing",
    }
    assert left["b"]["where"] == f"{source}:2"

    before = output.read_bytes()
    assert main(["import", "jsonl", str(source), "--fields", fields, "--output", str(output)]) == 1
    assert "exists; add --overwrite" in capsys.readouterr().err
    assert output.read_bytes() == before


@pytest.mark.slow
def test_own_code_and_latex_twins_must_be_graded_correct(tmp_path: Path) -> None:
    source, output = sets.write(tmp_path / "tp.json", sets.TPBENCH), tmp_path / "out.jsonl"
    done = command("tpbench", source, "--output", output, "--json")
    assert done.returncode == 0, done.stderr
    reasons = json.loads(done.stdout)["reasons"]
    assert reasons == {"gold is not its own answer": 1, "gold is no formula": 1}
    assert [problem.id for problem in load_problems(output)] == ["tpbench.a-kinetic-energy"]


def test_bad_input_is_one_line_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, output = sets.write(tmp_path / "t.json", '[\n{"a": }]'), tmp_path / "out.jsonl"
    done = command("theoremqa", source, "--output", output)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"scientific-math import: {source}:2: bad JSON at column 7 (Expecting value)\n"
    for arguments, told in [
        (("theoremqa", tmp_path / "none.json"), "no such file"),
        (("jsonl", source), "map at least `prompt`"),
        (("jsonl", source, "--fields", "promt=q"), "'promt' is no field of ours"),
        (("theoremqa", source, "--fields", "a=b"), "only the source jsonl"),
    ]:
        assert main(["import", *map(str, arguments), "--output", str(output)]) == 1
        stderr = capsys.readouterr().err
        assert stderr.count("\n") == 1
        assert told in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


def _run_on_real(name: str, path: Path, tmp_path: Path) -> dict[str, int]:
    if not path.exists():
        pytest.skip(f"the public data are not beside the checkout ({path.parent.name}/{path.name})")
    output = tmp_path / "out.jsonl"
    done = command(name, path, "--output", output, "--json")
    assert done.returncode == 0, done.stderr
    summary: dict[str, int] = json.loads(done.stdout)
    problems = load_problems(output)
    assert len(problems) == summary["imported"]
    assert all(problem.source and problem.license for problem in problems)
    return summary


@pytest.mark.slow
def test_hardmath2_as_published(tmp_path: Path) -> None:
    summary = _run_on_real("hardmath2", DATA / "hardmath2", tmp_path)
    assert summary["imported"] + summary["left_out"] == 215
    assert summary["imported"] >= 0.85 * 215


@pytest.mark.slow
def test_theoremqa_as_published(tmp_path: Path) -> None:
    summary = _run_on_real("theoremqa", DATA / "theoremqa" / "theoremqa_test.json", tmp_path)
    assert summary["imported"] + summary["left_out"] == 800
    assert summary["imported"] >= 0.9 * 747


@pytest.mark.slow
def test_the_published_critpt_example(tmp_path: Path) -> None:
    summary = _run_on_real("critpt", DATA / "critpt_example", tmp_path)
    assert summary["imported"] == 1
