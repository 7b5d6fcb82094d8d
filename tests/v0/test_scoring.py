"""Rewards beside correctness, and failures, under verifiers 0.2: an error is never a reward of 0."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.demo.judges import Rule
from tests.environment.episodes import YES, jury_file, serving, solver
from tests.novelty.programs import TABLE
from tests.packaging.clients import EVALUATING, run, settings, skip_without

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
]  # processes that take seconds to start, elsewhere minutes

BY_SUM, BY_FORMULA = TABLE[3]["approaches"]["inclusion"][0], TABLE[3]["approaches"]["library"][0]
ROW = {
    "id": "derangements",
    "prompt": "In how many orders can ten things stand so that none is in its own place?",
    "answer_fn": "1334961",
    "solutions": [BY_FORMULA],
}
NOT_JUDGED = "No judge shall read this."
RIGHT = f"By inclusion and exclusion.\n\n```python\n{BY_SUM}```\n"
ENDLESS = "```python\ndef model_answer():\n    while True:\n        pass\n```\n"
STEPS = [
    {"rollouts": 1},
    {"rollouts": 2},
    {"rollouts": 1, "max_retries": 1, "no_interpreter": True},
    {"rollouts": 1},
    {"rollouts": 1, "anew": True},
]
WEIGHTS = {"judge_weight": 3.0, "judge_novelty_weight": 0.5, "novelty_weight": 5.0, "bonus_cap": 0.25}


@dataclass(frozen=True)
class Steps:
    outputs: list[list[dict[str, Any]]]
    lags: list[float]
    """Seconds that the event loop was away in each step, at worst."""
    solved: int
    """Calls of the model in all steps."""


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    """All in one process: a right answer; one endless and one that no judge reads; a grader that cannot
    start, with one try more; a model that does not answer; an environment whose grader never started."""
    skip_without(EVALUATING)
    folder = tmp_path_factory.mktemp("scoring")
    rows = folder / "problems.jsonl"
    rows.write_text(json.dumps(ROW) + "\n")
    unread = f"{NOT_JUDGED}\n\n{RIGHT}"
    judge = Rule(model="a", lacks=(NOT_JUDGED,), reply=YES.reply)
    with serving(*solver(RIGHT, ENDLESS, unread, RIGHT, RIGHT), judge) as (url, script):
        arguments = {"problems": str(rows), "jury": str(jury_file(folder, url, "a")), **WEIGHTS}
        told = {"arguments": {**arguments, "check_golds": False}, "model_url": url, "steps": STEPS}
        line: list[str | Path] = [EVALUATING / "python", Path(__file__).with_name("driver.py")]
        environment = {**settings(folder, "http://127.0.0.1:9"), "VF_LOG_LEVEL": "CRITICAL"}
        printed = run([*line, json.dumps(told)], folder=folder, environment=environment)
        solved = sum(call.model == "solver" for call in script.calls)
    found = json.loads(next(text for text in printed.splitlines() if text.startswith('{"outputs"')))
    return Steps(found["outputs"], found["lags"], solved)


def test_a_right_answer_is_judged_measured_and_capped(steps: Steps) -> None:
    (output,) = steps.outputs[0]
    metrics = output["metrics"]
    assert output["error"] is None
    assert output["reward"] == pytest.approx(1.25)
    assert (metrics["correct"], metrics["judge"], metrics["judge_novelty"]) == (1.0, 1.0, 1.0)
    assert 0.5 < metrics["novelty"] <= 1.0
    assert metrics["over_cap"] == pytest.approx(3.5 + 5.0 * metrics["novelty"] - 0.25)
    votes = output["info"]["judges"]["judge"]["votes"]
    assert [vote["verdict"] for vote in votes] == ["YES"]
    assert output["info"]["extras"]["judge_cost"] > 0


def test_a_slow_answer_is_scored_and_holds_up_nothing(steps: Steps) -> None:
    (output,) = [row for row in steps.outputs[1] if row["error"] is None]
    verdict = output["info"]["verdict"]
    assert (output["reward"], verdict["status"]) == (0.0, "timeout")
    assert verdict["wall_seconds"] > 1.5
    assert "judges" not in output["info"]
    assert steps.lags[1] < 1.0


def test_a_jury_that_cannot_be_had_is_an_error(steps: Steps) -> None:
    (output,) = [row for row in steps.outputs[1] if row["error"] is not None]
    assert output["error"]["error"] == "InfraError"
    assert "jury" in output["error"]["message"]
    assert (output["metrics"], output["stop_condition"]) == ({}, "has_error")


def test_a_grader_that_cannot_start_is_an_error_after_another_try(steps: Steps) -> None:
    (output,) = steps.outputs[2]
    assert output["error"]["error"] == "InfraError"
    assert "/nowhere/python" in output["error"]["message"]
    assert output["metrics"] == {}
    assert steps.solved == 5


def test_no_model_is_asked_before_the_grader_works(steps: Steps) -> None:
    (output,) = steps.outputs[4]
    assert output["error"]["error"] == "InfraError"
    assert (output["metrics"], output["completion"]) == ({}, [])


def test_a_model_that_does_not_answer_is_not_graded(steps: Steps) -> None:
    (output,) = steps.outputs[3]
    assert output["error"] is not None
    assert output["metrics"] == {}
    assert "verdict" not in output["info"]
