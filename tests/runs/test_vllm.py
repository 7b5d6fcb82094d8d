"""The vLLM backend, for real, on a tiny random model. Opt-in: it needs vLLM, which fits no small environment.

    SCIENTIFIC_MATH_VLLM=1 python -m pytest tests/runs/test_vllm.py    (where vLLM is installed; docs/runs.md)

Without it: that the backend says what to install, and what it would ask the engine.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends import make_backend
from scientific_math_critpt_env.runs.backends.vllm_local import VllmBackend
from scientific_math_critpt_env.runs.planning import make_plan
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.rows import read_lines
from tests.runs.making import ROWS, configuration, manifest_of, write_rows

OPT_IN = "SCIENTIFIC_MATH_VLLM"
SECONDS = 280
"""For one start of the engine and a few samples: on two cores at work, a minute or two."""

real = [
    pytest.mark.skipif(
        os.environ.get(OPT_IN) != "1", reason=f"opt-in: set {OPT_IN}=1 where vLLM is installed"
    ),
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.xdist_group("vllm"),
]


def _model(path: Path, **changes: Any) -> dict[str, Any]:
    engine = {"dtype": "float32", "max_model_len": 256, "enforce_eager": True}
    return {
        "backend": "vllm",
        "name": "tiny",
        "path": str(path),
        "batch_size": 4,
        "engine": engine,
        **changes,
    }


def test_without_vllm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(configuration(tmp_path, "", model=_model(tmp_path)), "r")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RunError, match="not installed; pip install"):
        make_backend(plan.config)


def test_what_the_engine_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    kwargs = {"enable_thinking": False}
    plan = make_plan(configuration(tmp_path, "", model=_model(tmp_path, chat_template_kwargs=kwargs)), "r")
    backend = make_backend(plan.config)
    assert isinstance(backend, VllmBackend)
    task = next(iter(plan.tasks()))
    assert backend.request(task) == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "Solve it.\nWhat is 0+0?"}],
        "sampling": {"temperature": 0.7, "top_p": 0.9, "seed": 5, "max_tokens": 64},
        "chat_template_kwargs": kwargs,
    }
    plan = make_plan(configuration(tmp_path, "", model=_model(tmp_path, mode="completion")), "r")
    backend = make_backend(plan.config)
    assert isinstance(backend, VllmBackend)
    assert backend.request(task)["prompt"] == "Solve it.\nWhat is 0+0?"


def test_vllm_is_not_imported_before_it_is_used() -> None:
    code = "import sys, scientific_math_critpt_env.cli as c; c._parser(''); print('vllm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    command = [sys.executable, "-m", "tests.runs.tiny_model", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    return folder


def _command(config: Path, run_id: str) -> list[str]:
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "generate", "--config", str(config)]
    return [*command, "--run-id", run_id, "--resume", "--json"]


def _generate(config: Path, run_id: str) -> dict[str, Any]:
    environment = {"VLLM_CPU_KVCACHE_SPACE": "1", **os.environ}
    done = subprocess.run(
        _command(config, run_id), env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode in (0, 1), done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout)
    return report


class TestReal:
    pytestmark = real

    def test_fresh_and_grown_runs_are_the_same(self, tiny_model: Path, tmp_path: Path) -> None:
        changes = {"model": _model(tiny_model), "decode__max_output_tokens": 12, "decode__temperature": 1.0}
        shallow = configuration(tmp_path, "", **changes, decode__samples_per_problem=1)
        assert _generate(shallow, "grown")["status"] == "completed"
        config = configuration(tmp_path, "", **changes, decode__samples_per_problem=2)
        assert _generate(config, "grown")["made_now"] == 7
        assert _generate(config, "fresh")["made_now"] == 14
        folders = [tmp_path / "runs" / name for name in ("grown", "fresh")]
        contents = {manifest_of(folder)["hashes"]["content"] for folder in folders}
        samples = list(open_run(folders[1]).samples())
        assert all(one.raw_text != two.raw_text for one, two in zip(samples[::2], samples[1::2], strict=True))
        assert all(sample.prompt_tokens and sample.output_tokens for sample in samples)
        manifest = manifest_of(folders[1])
        assert manifest["weights"]["files"] >= 3
        assert manifest["environment"]["packages"]["torch"]
        assert manifest["sessions"][0]["hardware"]
        assert len(contents) == 1

    def test_a_prompt_that_is_too_long_fails_alone(self, tiny_model: Path, tmp_path: Path) -> None:
        config = configuration(
            tmp_path, "", model=_model(tiny_model, mode="completion"), decode__samples_per_problem=1
        )
        write_rows(tmp_path / "rows.jsonl", [*ROWS[:2], {**ROWS[2], "problem": "long " * 400}, *ROWS[3:]])
        report = _generate(config, "long")
        assert (report["status"], report["samples"], report["failed"]) == ("failed", 6, 1)
        ((_, error),) = read_lines(tmp_path / "runs" / "long" / "errors.jsonl")
        assert (error["problem_id"], error["kind"]) == ("p2", "request")

    def test_told_to_stop_it_seals_what_it_has(self, tiny_model: Path, tmp_path: Path) -> None:
        config = configuration(
            tmp_path, "", model=_model(tiny_model), decode__samples_per_problem=2000, output__fsync_every=1
        )
        environment = {"VLLM_CPU_KVCACHE_SPACE": "1", **os.environ}
        process = subprocess.Popen(_command(config, "stopped"), env=environment, stdout=subprocess.PIPE)
        folder = tmp_path / "runs" / "stopped"
        end = time.monotonic() + SECONDS
        while not list(folder.glob("raw/*")) and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 130
        assert json.loads(out)["status"] == "stopped"
        assert manifest_of(folder)["counts"]["samples"] == len(list(open_run(folder).samples())) > 0
