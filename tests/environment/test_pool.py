"""Environment servers as trainers use them, while their processes are killed: `make integrations-pool`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.env_server import ROLLOUTS, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(os.environ.get("INTEGRATIONS") != "1", reason="`make integrations-pool` runs this"),
]

DEFECTIVE = 8


@pytest.mark.parametrize(
    ("server", "kill", "rollouts"), [("verifiers", "graders", ROLLOUTS), ("ours", "workers", ROLLOUTS // 4)]
)
def test_every_rollout_comes_back_with_its_reward_or_as_an_error(
    server: str, kill: str, rollouts: int
) -> None:
    result, expected = run(
        server=server, kill=kill, rollouts=rollouts, workers=2, concurrency=64, defective=DEFECTIVE
    )
    assert result.killed >= 2
    assert set(result.failed) == {
        f"defective-{kind}.{place}" for kind in ("gold", "prompt") for place in range(DEFECTIVE)
    }
    assert sum(map(len, result.rewards.values())) == rollouts - 2 * DEFECTIVE
    wrong = {name: rewards for name, rewards in result.rewards.items() if set(rewards) != {expected[name]}}
    assert not wrong


def test_workers_that_die_at_their_start_end_the_server_with_a_line(tmp_path: Path) -> None:
    settings = tmp_path / "env.json"
    # The taskset is only read when a worker loads it.
    taskset = {"id": "scientific-math-critpt", "system_prompt": str(tmp_path / "nowhere.txt")}
    serve = {"address": "tcp://127.0.0.1:0", "pool": {"type": "static", "num_workers": 1}}
    settings.write_text(json.dumps({"env": {"taskset": taskset}, "serve": serve}))
    command = [sys.executable, "-m", "scientific_math_critpt.serving", "@", str(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("environment server: 3 workers in a row died")
    assert "nowhere.txt" in done.stderr
