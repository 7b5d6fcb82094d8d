"""The real vf-eval, vf-replay and vf-validate, against a real local server."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.problems.loading import load_problems
from tests.critpt_example import load_critpt_problem
from tests.environment.conftest import BIN, Run
from tests.environment.traces import read_traces

ENVIRONMENT = "scientific-math-critpt"


def _run(*command: str | Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    name, *arguments = map(str, command)
    return subprocess.run(
        [str(BIN / name), *arguments], env=environment, capture_output=True, text=True, timeout=240
    )


@pytest.mark.slow
def test_evaluate_prints_the_expected_mean(demo_run: Run) -> None:
    assert demo_run.status == 0, demo_run.printed
    assert "mean reward 0.6000, expected 0.6000 (scripted, no model)" in demo_run.printed
    problems = load_problems("builtin")[:5]
    for problem in problems:
        assert problem.id in demo_run.printed
    expected = [(problem.id, score) for problem, score in zip(problems, (1, 1, 0, 1, 0), strict=True)]
    assert demo_run.rewards == sorted(expected * 3)


@pytest.mark.slow
def test_traces_hold_the_verdicts(demo_run: Run) -> None:
    traces = read_traces(demo_run.directory)
    verdicts = [trace["info"]["verdict"] for trace in traces]
    statuses = Counter(verdict["status"] for verdict in verdicts)
    assert statuses["correct"] == 9
    assert statuses["no_answer"] == 2  # no code, truncated
    assert (statuses["code_error"], statuses["timeout"]) == (1, 1)
    assert {verdict["grader"] for verdict in verdicts} == {"scientific-v1"}
    for trace, verdict in zip(traces, verdicts, strict=True):
        assert trace["ok"]
        assert verdict["reason"] or verdict["status"] == "correct"
        assert verdict["method"] or verdict["status"] not in ("correct", "incorrect")
        assert trace["rewards"] == {"correct": {"score": verdict["score"], "weight": 1.0}}
        assert trace["metrics"]["partial_credit"] == verdict["partial"]
    assert sum(trace["metrics"]["truncated"] for trace in traces) == 1
    assert sum(trace["metrics"]["has_code"] for trace in traces) == 13
    assert sum(trace["metrics"]["code_ran"] for trace in traces) == 11
    assert max(trace["metrics"]["answer_seconds"] for trace in traces) > 1.5  # the endless loop


@pytest.mark.slow
def test_replay_gives_the_same_rewards(
    demo_run: Run, tmp_path: Path, command_environment: dict[str, str]
) -> None:
    done = _run(
        *("vf-replay", demo_run.directory, "--rich", "False", "-o", tmp_path / "again"),
        environment=command_environment,
    )
    assert done.returncode == 0, done.stderr
    again = read_traces(tmp_path / "again")
    assert sorted((t["task"]["key"], t["rewards"]["correct"]["score"]) for t in again) == demo_run.rewards
    assert Counter(t["info"]["verdict"]["status"] for t in again) == Counter(
        t["info"]["verdict"]["status"] for t in read_traces(demo_run.directory)
    )


@pytest.mark.slow
def test_validate_finds_golds_correct_and_silence_not(
    tmp_path: Path, command_environment: dict[str, str]
) -> None:
    done = _run(
        *("vf-validate", ENVIRONMENT, "--runtime.type", "subprocess", "-n", "20", "--rich", "False"),
        *("-o", tmp_path, "--run.name", "golds"),
        environment=command_environment,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "golds" / "summary.json").read_text())
    assert summary["outcomes"]["valid"] == 20
    assert summary["checks"]["gold"]["valid"] == summary["checks"]["noop"]["valid"] == 20


@pytest.mark.slow
def test_a_killed_run_is_resumed_without_gaps_or_duplicates(
    tmp_path: Path, command_environment: dict[str, str]
) -> None:
    traces = tmp_path / "killed" / "traces.jsonl"
    with running([ProblemScript(load_problems("builtin"))], latency=0.3) as url:
        process = subprocess.Popen(
            [
                *(str(BIN / "vf-eval"), ENVIRONMENT, "-m", "scripted", "-n", "5", "-r", "3", "-c", "2"),
                *("--client.base-url", url, "--client.api-key-var", "NO_KEY", "--no-push", "--no-rich"),
                *("-o", str(tmp_path), "--run.name", "killed"),
            ],
            env=command_environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not traces.exists() or traces.read_bytes().count(b"\n") < 4:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        started = _descendants(process.pid)
        assert started, "the sandbox's processes should be there"
        process.send_signal(signal.SIGKILL)
        process.wait()
        _wait_until_gone(started)
        kept = {trace["id"] for trace in read_traces(tmp_path / "killed")}
        assert 4 <= len(kept) < 15
        saved = tmp_path / "killed" / "configs" / "resolved" / "eval.json"
        done = _run("vf-eval", "@", saved, "--resume", environment=command_environment)
    assert done.returncode == 0, done.stderr
    whole = read_traces(tmp_path / "killed")
    assert len({trace["id"] for trace in whole}) == len(whole) == 15
    assert kept < {trace["id"] for trace in whole}
    assert set(Counter(trace["task"]["key"] for trace in whole).values()) == {3}
    assert sum(trace["rewards"]["correct"]["score"] for trace in whole) == 9


def _descendants(pid: int) -> list[tuple[str, str]]:
    """(process id, start time) of everything that a process started, directly or not."""
    parents = {folder.name: _stat(folder) for folder in Path("/proc").glob("[0-9]*")}
    found: list[tuple[str, str]] = []
    known = {str(pid)}
    while new := [p for p, (parent, _) in parents.items() if parent in known and p not in known]:
        known.update(new)
        found += [(child, parents[child][1]) for child in new]
    return found


def _stat(process: Path) -> tuple[str, str]:
    """Parent and start time of a process; blanks where it is gone meanwhile."""
    try:
        fields = (process / "stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return "", ""
    return fields[1], fields[19]


def _wait_until_gone(processes: list[tuple[str, str]]) -> None:
    deadline = time.monotonic() + 15
    while left := [pid for pid, started in processes if _stat(Path("/proc", pid))[1] == started]:
        assert time.monotonic() < deadline, f"processes {left} outlive the one that started them"
        time.sleep(0.1)


@pytest.mark.slow
def test_the_critpt_example_runs_in_two_turns_with_its_own_template(
    tmp_path: Path, command_environment: dict[str, str]
) -> None:
    problem, _ = load_critpt_problem()
    rows = tmp_path / "critpt.jsonl"
    rows.write_text(problem.model_dump_json(exclude_defaults=True) + "\n")
    done = _run(
        *("scientific-math", "evaluate", "--problems", rows, "--protocol", "two_turn", "--output", tmp_path),
        "--json",
        environment=command_environment,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["mean"], summary["expected_mean"], summary["rollouts"]) == (1.0, 1.0, 3)
    for trace in read_traces(Path(summary["run"])):
        roles = [node["message"]["role"] for node in trace["nodes"]]
        assert roles == ["system", "user", "assistant", "user", "assistant"]


@pytest.mark.slow
def test_mistakes_are_one_line(tmp_path: Path, command_environment: dict[str, str]) -> None:
    done = _run(
        *("vf-eval", ENVIRONMENT, "-m", "m", "--no-push", "--no-rich", "-o", tmp_path),
        *("--env.taskset.problems", "nowhere.jsonl"),
        environment=command_environment,
    )
    assert done.returncode == 1
    (line,) = (done.stdout + done.stderr).splitlines()
    assert line.startswith("nowhere.jsonl: no such file")
