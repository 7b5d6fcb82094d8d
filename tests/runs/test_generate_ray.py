"""Generation on a local Ray of two CPUs: the same samples as without it, also where an actor is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.generation import generate
from scientific_math_critpt_env.runs.planning import make_plan
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.session import Ending
from tests.runs.endpoint import serving
from tests.runs.making import configuration, made, manifest_of

pytestmark = [pytest.mark.xdist_group("replay"), pytest.mark.slow]

KEY = "sk-sesame-open"


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    module = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MADE_UP_KEY", KEY)
        module.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield module
    module.shutdown()


def _on_ray(config: Path, run_id: str) -> tuple[Path, Ending]:
    from scientific_math_critpt_env.runs.backends.ray_actors import RayBackend

    plan = make_plan(config, run_id)
    return plan.folder, generate(plan, lambda: RayBackend(plan.config, actors=2), engine="ray")


def _same(folder: Path, fresh: Path) -> None:
    open_run(folder).verify()
    assert manifest_of(folder)["hashes"]["content"] == manifest_of(fresh)["hashes"]["content"]


def test_the_same_samples_with_a_key_from_the_nodes(ray: Any, tmp_path: Path, monkeypatch: Any) -> None:
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url, model__api_key_variable="MADE_UP_KEY")
        # The driver has no key: those who ask have.
        folder, ending = _on_ray(config, "on-ray")
        assert ending.status == "completed"
        assert {headers["Authorization"] for headers in endpoint.headers} == {f"Bearer {KEY}"}
        monkeypatch.setenv("MADE_UP_KEY", KEY)
        fresh, _ = made(config, "fresh")
    _same(folder, fresh.folder)
    assert manifest_of(folder)["sessions"][0]["engine"] == "ray"
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_node_without_the_key_is_told(ray: Any, tmp_path: Path) -> None:
    config = configuration(tmp_path, "http://127.0.0.1:9/v1", model__api_key_variable="NOBODY_HAS_THIS_KEY")
    with pytest.raises(RunError, match="NOBODY_HAS_THIS_KEY, which api_key_variable names, is not set"):
        _on_ray(config, "r")
    assert not (tmp_path / "runs" / "r" / "manifest.json").exists()


def test_an_actor_that_is_killed_costs_nothing(ray: Any, tmp_path: Path) -> None:
    with serving(latency=0.05) as endpoint:
        config = configuration(tmp_path, endpoint.url, decode__samples_per_problem=20)

        def kill() -> None:
            while len(endpoint.bodies) < 20:
                time.sleep(0.02)
            (victim, *_) = _actor_pids()
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        folder, ending = _on_ray(config, "on-ray")
        killer.join()
        endpoint.latency = 0.0
        fresh, _ = made(config, "fresh")
    assert ending.status == "completed"
    assert len(endpoint.bodies) > 280
    _same(folder, fresh.folder)


def _actor_pids() -> list[int]:
    """Processes that Ray has named after the actor."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith(b"ray::Maker"):
                found.append(int(entry.name))
    return found
