"""Replay on a local Ray of two CPUs: the same bytes as without it, also where a node is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs import replay_ray
from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.replay import replay
from tests.runs.frozen import Said, freeze

pytestmark = pytest.mark.xdist_group("replay")

ROWS = ("rows.jsonl", "metrics.json", "contract.json")
SAID = [
    Said(f"p{k}", str(k), [rf"\boxed{{{k}}}", rf"\boxed{{{k + 1}}}", f"it is ${k}$"] * 4) for k in range(20)
]


@pytest.fixture
def ray() -> Iterator[Any]:
    module = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield module
    module.shutdown()


def _made(folder: Path) -> dict[str, bytes]:
    return {name: (folder / "parsed" / "math-v5.2-dual" / name).read_bytes() for name in ROWS}


@pytest.mark.slow
def test_ray_makes_the_same_bytes_and_bears_the_loss_of_an_actor(
    tmp_path: Path, dual: MathV52Dual, ray: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = freeze(tmp_path / "demo", SAID)
    replay(open_run(folder), dual)
    here = _made(folder)
    replay(open_run(folder), dual, engine=replay_ray.on_ray(2))
    assert _made(folder) == here

    lost = tmp_path / "lost"

    class Mortal(replay_ray.Judge):
        def judge(self, rows: replay_ray.Rows) -> replay_ray.Rows:
            if not lost.exists():
                lost.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().judge(rows)

    monkeypatch.setattr(replay_ray, "Judge", Mortal)
    replay(open_run(folder), dual, engine=replay_ray.on_ray(2))
    assert lost.exists()
    assert _made(folder) == here


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, dual: MathV52Dual, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    folder = freeze(tmp_path / "demo", SAID[:1])
    with pytest.raises(RunError, match=r"pip install 'scientific-math-critpt\[ray\]'"):
        replay(open_run(folder), dual, engine=replay_ray.on_ray())
