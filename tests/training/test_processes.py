"""Trainers fork and spawn: every process has a grader of its own. `make integrations-train` runs this."""

from __future__ import annotations

import multiprocessing
import os
from typing import Any

import pytest

from scientific_math_critpt_env.training import trl_reward
from scientific_math_critpt_env.training.datasets import row_text
from tests.training.answers import PROBLEM, RIGHT, WRONG

pytestmark = pytest.mark.skipif(
    os.environ.get("INTEGRATIONS") != "1", reason="`make integrations-train` runs this"
)

ROW = row_text(PROBLEM)


def _in_a_process(send: Any) -> None:
    send.put(trl_reward(["?"] * 2, [RIGHT, WRONG], problem=[ROW] * 2))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_have_graders_of_their_own(method: str) -> None:
    assert trl_reward(["?"], [RIGHT], problem=[ROW]) == [1.0]  # this process's grader runs
    context = multiprocessing.get_context(method)
    results = context.Queue()
    process = context.Process(target=_in_a_process, args=(results,))
    process.start()
    assert results.get(timeout=120) == [1.0, 0.0]
    process.join(60)
    assert process.exitcode == 0
    assert trl_reward(["?"], [WRONG], problem=[ROW]) == [0.0]  # and still does
