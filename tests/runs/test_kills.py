"""A run killed at any moment, resumed, and killed again ends with the content of an undisturbed one."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.runs.reading import open_run
from tests.runs.endpoint import serving
from tests.runs.killing import CONTEXT, go_on, go_on_with_a_library_that_takes_signals
from tests.runs.making import configuration, made, manifest_of

SAMPLES = 6
KILLS = 5


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
def test_killed_at_random_points(number: signal.Signals, compression: str, tmp_path: Path) -> None:
    draw = random.Random(f"{number.name} {compression}")
    with serving() as endpoint:
        settings = {"decode__samples_per_problem": SAMPLES, "output__compression": compression}
        fresh, _ = made(configuration(tmp_path, endpoint.url, **settings, output__root="fresh"))
        endpoint.latency = 0.01
        config = configuration(tmp_path, endpoint.url, **settings)
        codes = []
        for _ in range(KILLS):
            process = CONTEXT.Process(target=go_on, args=(config,))
            asked = len(endpoint.bodies) + draw.randrange(14)
            process.start()
            while len(endpoint.bodies) < asked and process.is_alive():
                time.sleep(0.001)
            time.sleep(draw.uniform(0.0, 0.01))
            os.kill(process.pid or 0, number)
            process.join(30)
            codes.append(process.exitcode)
        endpoint.latency = 0.0
        plan, ending = made(config, resume=True)
    assert ending.status == "completed"
    assert 0 < ending.made < 7 * SAMPLES
    assert set(codes) <= ({-signal.SIGKILL, 0} if number == signal.SIGKILL else {130, 0, 1, -signal.SIGTERM})
    before, after = manifest_of(fresh.folder), manifest_of(plan.folder)
    assert after["hashes"]["content"] == before["hashes"]["content"]
    assert after["counts"] == before["counts"]
    open_run(plan.folder).verify()
    rows = [[sample.row() for sample in open_run(folder).samples()] for folder in (fresh.folder, plan.folder)]
    for row in (row for side in rows for row in side):
        for name in ("created_at", "response_id"):
            del row[name]
    assert rows[0] == rows[1]


def test_a_library_that_sets_handlers_of_its_own(tmp_path: Path) -> None:
    with serving(latency=0.05) as endpoint:
        config = configuration(tmp_path, endpoint.url, decode__samples_per_problem=200)
        process = CONTEXT.Process(target=go_on_with_a_library_that_takes_signals, args=(config,))
        process.start()
        while len(endpoint.bodies) < 12:
            assert process.is_alive()
            time.sleep(0.01)
        os.kill(process.pid or 0, signal.SIGTERM)
        process.join(30)
    assert process.exitcode == 130
    assert manifest_of(tmp_path / "runs" / "run")["status"] == "stopped"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_the_command_seals_and_says_130(number: signal.Signals, tmp_path: Path) -> None:
    with serving(latency=0.1) as endpoint:
        config = configuration(
            tmp_path, endpoint.url, decode__samples_per_problem=40, output__compression="gzip"
        )
        command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "generate"]
        process = subprocess.Popen(
            [*command, "--config", str(config), "--run-id", "r"],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        while len(endpoint.bodies) < 12:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopped by a signal; go on with --resume" in err
    assert "stopped" in out
    folder = tmp_path / "runs" / "r"
    manifest = manifest_of(folder)
    names = [path.name for path in (folder / "raw").iterdir()]
    assert names
    assert all(name.endswith(".jsonl.gz") for name in names)
    assert manifest["status"] == "stopped"
    assert manifest["counts"]["samples"] == len(list(open_run(folder).samples())) >= 4
    assert manifest["hashes"]["raw"]


def test_a_full_disk_is_told_with_the_file_and_taken_up_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A limit on the size of files stands in for the disk."""
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url, output__shard_size=100)
        command = ["generate", "--config", str(config), "--run-id", "r"]
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, hard))
        try:
            code = main(command)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        folder = tmp_path / "runs" / "r"
        told = capsys.readouterr().err.splitlines()[-1]
        assert code == 1
        assert told.endswith(
            "shard-00000.jsonl.inprogress: file too large; mend that, then go on with --resume"
        )
        manifest = manifest_of(folder)
        assert manifest["status"] == "failed"
        assert 0 < manifest["counts"]["samples"] < 21
        assert main([*command, "--resume"]) == 0
    open_run(folder).verify()


def test_a_signal_before_the_imports_are_done() -> None:
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "generate", "--config", "none.yaml"]
    for seconds in (0.15, 0.3, 0.5):
        process = subprocess.Popen([*command, "--run-id", "r"], stderr=subprocess.PIPE, text=True)
        time.sleep(seconds)
        process.terminate()
        _, err = process.communicate(timeout=30)
        # Too early, or too late, on a machine much slower or faster; else as at any other time.
        assert (
            (process.returncode, err) == (-signal.SIGTERM, "") or "interrupted" in err or "none.yaml" in err
        )
