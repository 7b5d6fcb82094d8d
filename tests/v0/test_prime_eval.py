"""`prime eval run` with the v0 API, and the same completions under verifiers 0.4: one grader, one verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.v0.conftest import BROKEN, Evaluation
from tests.v0.replaying import evaluated

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
]  # processes that take seconds to start, elsewhere minutes

METRICS = ("correct", "has_code", "code_ran", "partial_credit", "undecided", "truncated")
TIMED = {"cpu_seconds", "wall_seconds", "costs"}
"""Fields of a verdict that no two runs share."""


def test_the_documented_command_gives_the_scripted_mean(one_turn: Evaluation) -> None:
    assert "reward: avg - 0.600" in one_turn.printed
    assert one_turn.metadata["avg_reward"] == pytest.approx(0.6)
    assert one_turn.metadata["avg_error"] == 0
    assert len(one_turn.rows) == 15
    assert {row["num_turns"] for row in one_turn.rows} == {1.0}
    statuses = {row["info"]["verdict"]["status"] for row in one_turn.rows}
    assert {"correct", "no_answer", "code_error", "timeout"} <= statuses


async def test_one_turn_is_graded_as_under_verifiers_04(one_turn: Evaluation, tmp_path: Path) -> None:
    traces = await evaluated(one_turn.rows, {}, problems=5, rollouts=3, folder=tmp_path)
    assert _v1(traces) == _v0(one_turn.rows)


async def test_two_turns_are_graded_as_under_verifiers_04(
    two_turn: Evaluation, two_turn_problems: Path, tmp_path: Path
) -> None:
    taskset = {"problems": str(two_turn_problems), "protocol": "two_turn", "check_golds": False}
    known = len(two_turn.rows)
    traces = await evaluated(two_turn.rows, taskset, problems=known, rollouts=1, folder=tmp_path)
    assert len(traces) == known
    assert {row["num_turns"] for row in _sound(two_turn.rows)} == {2.0}
    assert _v1([trace for trace in traces if trace.ok]) == _v0(_sound(two_turn.rows))
    assert [trace.task.key for trace in traces if not trace.ok] == [BROKEN.id]


def test_a_defective_gold_is_an_error_and_no_zero(two_turn: Evaluation) -> None:
    (failed,) = [row for row in two_turn.rows if row["error"] is not None]
    assert failed["info"]["problem"]["id"] == BROKEN.id
    assert "answer_fn" in failed["error"]["message"]
    assert failed["stop_condition"] == "has_error"
    assert failed["metrics"] == {}
    assert "verdict" not in failed["info"]


def _sound(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["error"] is None]


def _v0(rows: list[dict[str, Any]]) -> list[Any]:
    return sorted(
        (
            row["info"]["problem"]["id"],
            row["completion"][-1]["content"].strip(),
            row["reward"],
            [row["metrics"][name] for name in METRICS],
            _lasting(row["info"]["verdict"]),
        )
        for row in rows
    )


def _v1(traces: list[Any]) -> list[Any]:
    return sorted(
        (
            trace.task.key,
            trace.last_reply.strip(),
            trace.reward,
            [trace.reward, *(trace.metrics[name] for name in METRICS[1:])],
            _lasting(trace.info["verdict"]),
        )
        for trace in traces
    )


def _lasting(verdict: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted((name, value) for name, value in verdict.items() if name not in TIMED)
