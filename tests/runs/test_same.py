"""Fresh, killed and resumed, partitioned and merged: one content, and after replay the same bytes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from scientific_math_critpt_env.runs.merging import merge
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.replay import replay
from tests.runs.endpoint import Endpoint, serving
from tests.runs.killing import CONTEXT, go_on
from tests.runs.making import configuration, made, manifest_of

pytestmark = [pytest.mark.xdist_group("replay"), pytest.mark.slow]

FILES = ("rows.jsonl", "metrics.json", "contract.json")


def _fresh(folder: Path, endpoint: Endpoint) -> Path:
    plan, _ = made(configuration(folder, endpoint.url))
    return plan.folder


def _resumed(folder: Path, endpoint: Endpoint) -> Path:
    """Begun with fewer samples, killed, grown, killed, finished with another packing."""
    endpoint.latency = 0.02
    for depth in (2, 3):
        config = configuration(
            folder, endpoint.url, decode__samples_per_problem=depth, output__compression="gzip"
        )
        process = CONTEXT.Process(target=go_on, args=(config,))
        asked = len(endpoint.bodies) + 6
        process.start()
        while len(endpoint.bodies) < asked:
            assert process.is_alive()
            time.sleep(0.001)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
    endpoint.latency = 0.0
    plan, ending = made(configuration(folder, endpoint.url, output__compression="zstd"), resume=True)
    assert ending.status == "completed"
    return plan.folder


def _merged(folder: Path, endpoint: Endpoint) -> Path:
    config = configuration(folder, endpoint.url)
    parts = [made(config, partition=f"{index}/3")[0].folder for index in (2, 0, 1)]
    # The checkout may be at work in while the tests run.
    merge(parts, folder / "merged", allow_dirty=True)
    return folder / "merged"


def test_the_same_metrics_and_rows_byte_for_byte(tmp_path: Path, dual: MathV52Dual) -> None:
    contents, files = [], []
    for make in (_fresh, _resumed, _merged):
        folder = tmp_path / make.__name__
        folder.mkdir()
        with serving() as endpoint:
            run = open_run(make(folder, endpoint))
        replay(run, dual, ks=[1, 3])
        contents.append(manifest_of(run.path)["hashes"]["content"])
        files.append({name: (run.path / "parsed" / dual.id / name).read_bytes() for name in FILES})
    assert len(set(contents)) == 1
    assert files[0] == files[1] == files[2]
    statuses = {row["status"] for row in open_run(tmp_path / "_fresh" / "runs" / "run").verdicts(dual.id)}
    assert statuses == {"correct", "incorrect"}
