"""What verifiers finds when it is given the environment's id."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import verifiers.v1 as vf
from pydantic import ValidationError
from scientific_math_critpt.env import CritptEnv, CritptEnvConfig
from scientific_math_critpt.grading import CritptTaskConfig, shared_grader
from scientific_math_critpt.harness import CritptHarnessConfig
from scientific_math_critpt.taskset import CritptData, CritptTask, CritptTaskset, CritptTasksetConfig

from scientific_math_critpt_env.problems.loading import load_problems

ID = "scientific-math-critpt"
CASES = Path(__file__).parents[1] / "demo" / "forms.jsonl"


def _tasks(**config: object) -> list[CritptTask]:
    return list(CritptTaskset(CritptTasksetConfig(id=ID, **config)))


@pytest.mark.parametrize("name", [ID, f"someone/{ID}@0.1.0"])
def test_the_id_means_our_classes(name: str) -> None:
    assert vf.env_config_type(name) is CritptEnvConfig
    assert vf.environment_class(name) is CritptEnv
    assert vf.taskset_config_type(name) is CritptTasksetConfig
    assert vf.harness_config_type(name) is CritptHarnessConfig
    assert vf.task_type(name) is CritptTask
    assert issubclass(CritptEnv, vf.SingleAgentEnv)


def test_everything_runs_here_with_our_harness() -> None:
    config = vf.resolve_env_config({"taskset": {"id": ID}})
    assert isinstance(config, CritptEnvConfig)
    assert isinstance(config.agent.runtime, vf.SubprocessConfig)
    assert isinstance(config.agent_harnesses()["agent"], CritptHarnessConfig)


def test_naming_the_package_imports_no_verifiers() -> None:
    code = "import scientific_math_critpt, sys; assert 'verifiers' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_task_is_known_by_its_problem() -> None:
    tasks = _tasks(problems=str(CASES))
    problems = load_problems(CASES)
    assert [task.key for task in tasks] == [problem.id for problem in problems]
    assert [task.data.idx for task in tasks] == list(range(len(problems)))
    assert len({task.hash for task in tasks}) == len(problems)


def test_a_task_survives_the_wire() -> None:
    assert not [name for name, field in CritptData.model_fields.items() if field.exclude]
    for task in _tasks(problems=str(CASES), protocol="two_turn"):
        data = CritptData.model_validate(json.loads(json.dumps(task.data.model_dump(mode="json"))))
        assert data == task.data
        assert CritptTask(data).hash == task.hash


def test_filters() -> None:
    everything = _tasks()
    topic, difficulty = everything[0].data.problem.topic, everything[0].data.problem.difficulty
    chosen = _tasks(topics=[topic], answer_types=["symbolic"], difficulty=str(difficulty))
    assert 0 < len(chosen) < len(everything)
    assert {(t.data.problem.topic, t.data.problem.answer_type) for t in chosen} == {(topic, "symbolic")}


def test_protocols_and_system_prompt(tmp_path: Path) -> None:
    one, two = _tasks(problems=str(CASES))[0], _tasks(problems=str(CASES), protocol="two_turn")[0]
    assert one.data.follow_up is None
    assert "```" in one.data.prompt_text
    assert "```" not in two.data.prompt_text
    assert two.data.follow_up is not None
    assert "```" in two.data.follow_up
    own = tmp_path / "system.txt"
    own.write_text("Be brief.")
    assert _tasks(problems=str(CASES), system_prompt=own)[0].data.system_prompt == "Be brief."


def test_one_grader_for_all_tasks_of_a_configuration() -> None:
    assert shared_grader(CritptTaskConfig()) is shared_grader(CritptTaskConfig())
    assert shared_grader(CritptTaskConfig()) is not shared_grader(CritptTaskConfig(grader="critpt-v1"))
    limited = shared_grader(CritptTaskConfig(cpu_seconds=1, wall_seconds=5, memory_bytes=1 << 29))
    assert (limited.limits.cpu_seconds, limited.limits.wall_seconds) == (1, 5)
    assert limited.limits.memory_bytes == 1 << 29


def test_defective_problems_are_one_line_each(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "a", "prompt": "p"}\n{"id": "b"\n')
    with pytest.raises(SystemExit) as stopped:
        _tasks(problems=str(broken))
    lines = str(stopped.value).splitlines()
    assert any(line.startswith(f"{broken}:1") for line in lines)
    assert any(line.startswith(f"{broken}:2") for line in lines)


@pytest.mark.parametrize("given", ['["matrix"]', "matrix", ["matrix"]])
def test_a_list_may_come_as_the_text_of_a_command_line(given: object) -> None:
    assert CritptTasksetConfig.model_validate({"id": ID, "answer_types": given}).answer_types == ["matrix"]


def test_a_missing_system_prompt_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"system_prompt: .*nowhere\.txt cannot be read \(No such file"):
        _tasks(system_prompt=tmp_path / "nowhere.txt")


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"taskset": {"id": ID, "task": {"grader": "nonsense"}}}, "unknown grader 'nonsense'"),
        ({"taskset": {"id": ID}, "agent": {"timeout": {"scoring": 5}}}, "slow grade into a reward of 0"),
        (
            {"taskset": {"id": ID, "protocol": "two_turn"}, "agent": {"harness": {"id": "null"}}},
            "two_turn needs this environment's own harness",
        ),
    ],
)
def test_settings_that_would_spoil_rewards_are_refused(config: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        vf.resolve_env_config(config)
