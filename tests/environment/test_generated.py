"""The endless source, as verifiers sees it."""

from __future__ import annotations

import json
import subprocess
from itertools import islice
from pathlib import Path

import pytest
from pydantic import ValidationError
from scientific_math_critpt.taskset import CritptTaskset, CritptTasksetConfig

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.problems.generated import generated
from tests.environment.conftest import BIN
from tests.environment.traces import read_traces

ID = "scientific-math-critpt"


def _taskset(**config: object) -> CritptTaskset:
    return CritptTaskset(CritptTasksetConfig(id=ID, source="generated", **config))


def test_it_is_infinite_until_it_is_bounded() -> None:
    endless = _taskset(seed=5, families=["residue", "euler_ode"])
    assert endless.INFINITE
    assert not endless.bounded
    assert endless.take(3).bounded
    assert not CritptTaskset(CritptTasksetConfig(id=ID)).INFINITE
    with pytest.raises(ValueError, match="infinite"):
        endless.shuffle()


def test_tasks_are_the_problems_of_the_stream() -> None:
    tasks = list(_taskset(seed=5, topics=["fourier"], difficulty="2:3").take(4))
    problems = list(islice(generated(5, topics="fourier", difficulty="2:3"), 4))
    assert [task.data.problem for task in tasks] == problems
    assert [task.key for task in tasks] == [problem.id for problem in problems]
    assert [task.data.idx for task in tasks] == [0, 1, 2, 3]


def test_a_family_that_does_not_exist_ends_with_a_sentence() -> None:
    with pytest.raises(SystemExit, match="no family is named 'residu'"):
        next(iter(_taskset(families=["residu"])))


def test_settings_of_the_other_source_are_refused() -> None:
    with pytest.raises(ValidationError, match="reads no file"):
        _taskset(problems="my.jsonl")
    with pytest.raises(ValidationError, match="belong to source generated"):
        CritptTasksetConfig(id=ID, families=["residue"])


@pytest.mark.slow
def test_vf_validate_passes_one_of_every_family(tmp_path: Path, command_environment: dict[str, str]) -> None:
    command = [str(BIN / "vf-validate"), ID, "--runtime.type", "subprocess", "--rich", "False", "-n", "47"]
    command += ["--taskset.source", "generated", "--taskset.seed", "3"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=command_environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for path in tmp_path.rglob("*.jsonl") for line in path.open(encoding="utf-8")]
    assert len(rows) == 47
    assert all(row["valid"] is True for row in rows), rows


@pytest.mark.slow
def test_vf_eval_asks_and_grades_the_stream(tmp_path: Path, command_environment: dict[str, str]) -> None:
    problems = list(islice(generated(11), 4))
    script = ProblemScript(problems)
    with running([script]) as url:
        command = [str(BIN / "vf-eval"), ID, "-m", "demo", "-n", "4", "-r", "1", "--no-push", "--no-rich"]
        command += ["--client.base-url", url, "--client.api-key-var", "DEMO_KEY"]
        command += ["--env.taskset.source", "generated", "--env.taskset.seed", "11"]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**command_environment, "DEMO_KEY": "none"},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "outputs").iterdir()
    scores = {trace["task"]["key"]: trace["rewards"]["correct"]["score"] for trace in read_traces(folder)}
    assert set(scores) == {problem.id for problem in problems}
    assert sum(scores.values()) / 4 == script.mixture.expected_mean(scores)
