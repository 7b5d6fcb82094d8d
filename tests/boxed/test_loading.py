"""What verifiers finds when it is given the id scientific-math-boxed, and what it is asked and judged by."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from pydantic import ValidationError
from scientific_math_boxed import taskset
from scientific_math_boxed.env import BoxedEnv, BoxedEnvConfig
from scientific_math_boxed.taskset import BoxedData, BoxedTask, BoxedTaskset, BoxedTasksetConfig
from scientific_math_critpt.harness import CritptHarnessConfig

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual

ID = "scientific-math-boxed"
CANONICAL = (
    Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "math_eval" / "canonical12.jsonl"
)


def _tasks(**config: object) -> list[BoxedTask]:
    return list(BoxedTaskset(BoxedTasksetConfig(id=ID, **config)))


@pytest.mark.parametrize("name", [ID, f"someone/{ID}@0.1.0"])
def test_the_id_means_our_classes(name: str) -> None:
    assert vf.env_config_type(name) is BoxedEnvConfig
    assert vf.environment_class(name) is BoxedEnv
    assert vf.taskset_config_type(name) is BoxedTasksetConfig
    assert vf.harness_config_type(name) is CritptHarnessConfig
    assert vf.task_type(name) is BoxedTask
    assert issubclass(BoxedEnv, vf.SingleAgentEnv)


def test_everything_runs_here_with_our_harness() -> None:
    config = vf.resolve_env_config({"taskset": {"id": ID}})
    assert isinstance(config, BoxedEnvConfig)
    assert isinstance(config.agent.runtime, vf.SubprocessConfig)
    assert isinstance(config.agent_harnesses()["agent"], CritptHarnessConfig)


def test_naming_the_package_imports_no_verifiers() -> None:
    code = "import scientific_math_boxed, sys; assert not {'verifiers', 'math_verify'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_records_that_come_with_it() -> None:
    tasks = _tasks()
    assert len(tasks) == 18
    assert len({task.key for task in tasks}) == len({task.hash for task in tasks}) == 18
    first = tasks[0].data
    assert first.prompt.startswith(first.problem)
    assert r"\boxed{}" in first.prompt
    for task in tasks:
        data = BoxedData.model_validate(json.loads(json.dumps(task.data.model_dump(mode="json"))))
        assert data == task.data


def test_own_records_and_prompt(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "one", "problem": "What is 1 + 1?", "answer": "2", "metadata": {"topic": "t"}}\n')
    (task,) = _tasks(problems=str(rows), prompt="Now: {{problem}} Box it.")
    assert (task.key, task.data.prompt, task.data.answer) == ("one", "Now: What is 1 + 1? Box it.", "2")
    assert task.data.metadata == {"topic": "t"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ('{"id": "a", "problem": "p", "answer": ""}', "rows.jsonl:1: answer must be a text"),
        ('{"id": "a", "prompt": "p", "answer_fn": "1"}', "use the environment scientific-math-critpt"),
        (None, "no such file"),
    ],
)
def test_defects_are_one_line(tmp_path: Path, row: str | None, told: str) -> None:
    rows = tmp_path / "rows.jsonl"
    if row is not None:
        rows.write_text(f"{row}\n")
    with pytest.raises(SystemExit, match=told) as stopped:
        _tasks(problems=str(rows))
    assert len(str(stopped.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"taskset": {"id": ID, "prompt": "no place"}}, "exactly once"),
        ({"taskset": {"id": ID}, "agent": {"timeout": {"scoring": 5}}}, "a reward of 0"),
    ],
)
def test_settings_that_would_spoil_rewards_are_refused(config: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        vf.resolve_env_config(config)


@pytest.mark.xdist_group("replay")
async def test_golds_are_judged_correct_and_the_loop_goes_on_meanwhile(
    dual: MathV52Dual, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taskset, "shared_contract", lambda config: dual)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.002)

    ticking = asyncio.create_task(tick())
    valid = await asyncio.gather(*(task.validate(None) for task in _tasks()))
    ticking.cancel()
    assert valid == [True] * 18
    assert ticks > 20


@pytest.mark.skipif(not CANONICAL.exists(), reason="the shared cases are not beside this checkout")
@pytest.mark.xdist_group("replay")
async def test_math_vaults_records_load_and_their_golds_are_judged_correct(
    dual: MathV52Dual, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taskset, "shared_contract", lambda config: dual)
    tasks = _tasks(problems=str(CANONICAL))
    assert len(tasks) == 12
    assert await asyncio.gather(*(task.validate(None) for task in tasks)) == [True] * 12
