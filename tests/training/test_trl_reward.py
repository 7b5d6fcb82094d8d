"""TRL's signature: lists in, a list of floats or None out. The trainer itself: test_trainers.py."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from scientific_math_critpt_env.errors import InfrastructureError, ProblemError
from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.training import make_trl_reward, trl_reward, trl_reward_async
from scientific_math_critpt_env.training.datasets import row_text
from tests.training.answers import BROKEN, NO_CODE, PROBLEM, RIGHT, WRONG

ROW = row_text(PROBLEM)


def _said(text: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def test_texts_and_conversations() -> None:
    completions = [RIGHT, _said(WRONG), _said(RIGHT), [*_said(RIGHT), *_said(NO_CODE)], []]
    completions.append(_said([{"type": "text", "text": RIGHT}]))  # type: ignore[arg-type]
    rewards = trl_reward(["?"] * 6, completions, problem=[ROW] * 6)
    assert rewards == [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]


async def test_asynchronous_and_made_to_order() -> None:
    columns = {
        "problem": [ROW, PROBLEM.model_dump()],
        "trainer_state": object(),
        "completion_ids": [[1], [2]],
    }
    assert await trl_reward_async(["?"] * 2, [RIGHT, WRONG], **columns) == [1.0, 0.0]
    made = make_trl_reward(asynchronous=True)
    assert await made(prompts=["?"] * 2, completions=[RIGHT, WRONG], **columns) == [1.0, 0.0]
    with pytest.raises(ValueError, match="unknown grader"):
        make_trl_reward(grader="critpt-v0")(["?"], [RIGHT], problem=[ROW])


async def test_synchronous_inside_a_running_loop() -> None:
    assert trl_reward(["?"], [RIGHT], problem=[ROW]) == [1.0]


def test_statuses_go_to_the_log_of_the_trainer() -> None:
    extra: dict[str, list[str]] = {}
    metrics: dict[str, float] = {}
    rewards = trl_reward(
        ["?"] * 4,
        [RIGHT, WRONG, NO_CODE, RIGHT],
        problem=[ROW, ROW, ROW, None],
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
    )
    assert rewards == [1.0, 0.0, 0.0, None]
    assert extra == {"verdict": ["correct", "incorrect", "no_answer", "not_ours"]}
    assert metrics == dict.fromkeys([f"verdict/{status}" for status in extra["verdict"]], 0.25)


def test_a_row_that_cannot_be_graded_is_none_and_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        rewards = trl_reward(["?"] * 2, [RIGHT, RIGHT], problem=[row_text(BROKEN), ROW])
    assert rewards == [None, 1.0]
    assert "broken" in caplog.text


def test_a_batch_without_one_graded_row_raises() -> None:
    with pytest.raises(ProblemError, match="broken"):
        trl_reward(["?"] * 2, [RIGHT, RIGHT], problem=[row_text(BROKEN), None])


def test_a_grader_that_fails_raises_and_scores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise InfrastructureError("no fork to be had")

    monkeypatch.setattr(Grader, "agrade", fails)
    with pytest.raises(InfrastructureError, match="no fork"):
        trl_reward(["?"], [RIGHT], problem=[ROW])


def test_a_data_set_without_problems_is_told() -> None:
    with pytest.raises(ValueError, match="needs a column `problem`"):
        trl_reward(["?"], [RIGHT], answer=["pi"])
