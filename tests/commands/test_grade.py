"""`scientific-math grade` as a user runs it: a process, files, exit codes."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

PROBLEMS = [
    {"id": "a", "prompt": "Expand.", "answer_fn": "x**2 + 2*x + 1"},
    {"id": "b", "prompt": "Pair.", "answer_type": "tuple", "answer_fn": "(1, sqrt(2))"},
]


def code(expression: str) -> str:
    preamble = "import sympy as sp\nx = sp.Symbol('x')"
    return f"```python\n{preamble}\ndef model_answer():\n    return {expression}\n```"


def write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "scientific_math_critpt_env.cli", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=120)


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    return write(tmp_path / "problems.jsonl", PROBLEMS)


def test_grades_in_input_order(tmp_path: Path, problems: Path) -> None:
    completions = write(
        tmp_path / "completions.jsonl",
        [
            {"id": "b", "completion": code("(1, sp.sqrt(2))")},
            {"id": "a", "completion": code("(x + 1)**2")},
            {"id": "b", "completion": code("(1, 2)"), "rollout": 7},
            {"id": "a", "completion": "no code"},
        ],
    )
    output = tmp_path / "verdicts.jsonl"
    done = command(
        "grade", "--problems", problems, "--completions", completions, "--output", output, "--json"
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["graded"] == 4
    assert summary["mean_score"] == 0.5
    rows = read(output)
    assert [(row["id"], row["rollout"], row["status"]) for row in rows] == [
        ("b", 0, "correct"),
        ("a", 0, "correct"),
        ("b", 7, "incorrect"),
        ("a", 1, "no_answer"),
    ]
    names = [
        "id",
        "rollout",
        "status",
        "score",
        "method",
        "reason",
        "partial",
        "answer",
        "cpu_seconds",
        "grader",
    ]
    assert list(rows[0]) == names


def test_all_defects_at_once_and_nothing_lost(tmp_path: Path, problems: Path) -> None:
    completions = tmp_path / "completions.jsonl"
    completions.write_text(
        '{"id": "a", "completion": 3}\n'
        "not json\n"
        '{"id": "missing", "completion": ""}\n'
        '{"id": "a", "completion": "", "rollout": 1}\n'
        '{"id": "a", "completion": "", "rollout": 1}\n'
    )
    output = tmp_path / "verdicts.jsonl"
    done = command("grade", "--problems", problems, "--completions", completions, "--output", output)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for number in (1, 2, 3, 5):
        assert f"completions.jsonl:{number}:" in done.stderr
    assert not output.exists()


def test_a_bad_gold_is_told_with_its_line(tmp_path: Path) -> None:
    rows = [*PROBLEMS, {"id": "c", "prompt": "?", "answer_fn": "1/("}]
    problems = write(tmp_path / "problems.jsonl", rows)
    completions = write(tmp_path / "c.jsonl", [{"id": "c", "completion": code("1")}])
    output = tmp_path / "v.jsonl"
    done = command("grade", "--problems", problems, "--completions", completions, "--output", output)
    assert done.returncode == 1
    assert "problems.jsonl:3:" in done.stderr
    assert not output.exists()


def test_output_is_not_overwritten_unasked(tmp_path: Path, problems: Path) -> None:
    completions = write(tmp_path / "c.jsonl", [{"id": "a", "completion": code("x")}])
    output = tmp_path / "v.jsonl"
    output.write_text("precious\n")
    line = ["grade", "--problems", problems, "--completions", completions, "--output", output]
    done = command(*line)
    assert (done.returncode, output.read_text()) == (1, "precious\n")
    assert "--resume" in done.stderr
    assert command(*line, "--resume").returncode == 1, "rows of something else are not continued"
    assert output.read_text() == "precious\n"
    assert command(*line, "--overwrite").returncode == 0
    assert read(output)[0]["status"] == "incorrect"


@pytest.mark.slow
def test_what_is_read_is_never_overwritten(tmp_path: Path, problems: Path) -> None:
    completions = write(tmp_path / "completions.jsonl", [{"id": "a", "completion": code("(x + 1)**2")}])
    link = tmp_path / "link.jsonl"
    link.symlink_to(completions)
    before = completions.read_bytes(), problems.read_bytes()
    for source in (problems, tmp_path):
        for output in (completions, problems, link):
            done = command(
                *("grade", "--problems", source, "--completions", completions),
                *("--output", output, "--overwrite"),
            )
            assert done.returncode == 1
            assert "is read as --" in done.stderr
    assert (completions.read_bytes(), problems.read_bytes()) == before


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, problems: Path) -> None:
    completions = write(tmp_path / "completions.jsonl", [{"id": "a", "completion": code("(x + 1)**2")}])
    done = command(
        *("grade", "--problems", problems, "--completions", completions),
        *("--output", "/dev/full", "--overwrite"),
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "scientific-math grade: /dev/full: no space left on device"


def test_resumes_after_a_kill(tmp_path: Path, problems: Path) -> None:
    rows = [
        {"id": "ab"[i % 2], "completion": code("(x + 1)**2" if i % 3 else "(1, sp.sqrt(2))")}
        for i in range(240)
    ]
    completions = write(tmp_path / "c.jsonl", rows)
    whole, resumed = tmp_path / "whole.jsonl", tmp_path / "resumed.jsonl"
    line = ["grade", "--problems", problems, "--completions", completions, "--output"]
    assert command(*line, whole).returncode == 0
    running = subprocess.Popen(
        [sys.executable, "-m", "scientific_math_critpt_env.cli", *map(str, line), str(resumed)]
    )
    deadline = time.monotonic() + 60
    while (not resumed.exists() or resumed.stat().st_size < 1_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = read_whole_lines(resumed)
    assert 0 < kept < 240, "the kill came too late to test anything"
    with open(resumed, "a") as torn:
        torn.write('{"id": "a", "roll')
    done = command(*line, resumed, "--resume", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["graded"] == 240
    assert [substance(row) for row in read(resumed)] == [substance(row) for row in read(whole)]


def read_whole_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def substance(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "cpu_seconds"}


@pytest.mark.parametrize(
    ("arguments", "exit_code", "told"),
    [
        (["grade"], 2, "--problems"),
        (["grade", "--problems", "nowhere.jsonl", "--completions", "c", "--output", "o"], 1, "nowhere.jsonl"),
        (
            ["grade", "--problems", "builtin", "--completions", "nowhere.jsonl", "--output", "o"],
            1,
            "nowhere.jsonl",
        ),
        (
            ["grade", "--problems", "builtin", "--completions", "c", "--output", "o", "--grader", "best"],
            2,
            "critpt-v1",
        ),
        (
            ["grade", "--problems", "builtin", "--completions", "c", "--output", "o", "--workers", "0"],
            2,
            "at least 1",
        ),
        (
            ["grade", "--problems", "builtin", "--completions", "c", "--output", "o", "--cpu-seconds", "0"],
            2,
            "0.001 to 86400",
        ),
        (
            [
                "grade",
                "--problems",
                "builtin",
                "--completions",
                "c",
                "--output",
                "o",
                "--wall-seconds",
                "inf",
            ],
            2,
            "0.001 to 86400",
        ),
        (["grade", "--problems", "builtin", "--completions", "c", "--output", "."], 1, "is a folder"),
        (["validate", "--problems", "builtin", "--workers", "-3"], 2, "at least 1"),
        (["validate", "--problems", "builtin", "--workers", "x"], 2, "at least 1"),
        (["evaluate", "--latency", "-1"], 2, "number of seconds"),
        (["evaluate", "--model", "m", "--base-url", "localhost:1/v1"], 2, "must start with http"),
        (["validate", "--problems", ""], 1, "empty name"),
        (["fly"], 2, "fly"),
        ([], 2, "COMMAND"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    arguments: list[str], exit_code: int, told: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scientific_math_critpt_env.cli", *arguments],
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == exit_code
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_has_help_with_examples() -> None:
    overview = command("--help").stdout
    for name in ("grade", "validate", "evaluate", "serve-demo"):
        assert name in overview
        assert f"scientific-math {name}" in command(name, "--help").stdout


def test_a_reader_that_goes_away_is_no_failure(problems: Path) -> None:
    line = [sys.executable, "-m", "scientific_math_critpt_env.cli", "validate", "--problems", str(problems)]
    running = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None
    running.stdout.close()
    _, told = running.communicate(timeout=120)
    assert running.returncode == 0
    assert "Broken pipe" not in told
