"""Runs shared between tests: starting vf-eval costs seconds, so it is started as seldom as possible."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.problems.loading import load_problems
from tests.environment.traces import read_traces

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Run:
    """A finished `scientific-math evaluate`."""

    folder: Path
    printed: str
    status: int

    @property
    def directory(self) -> Path:
        (found,) = self.folder.glob("scientific-math-critpt-*")
        return found

    @property
    def rewards(self) -> list[tuple[str, float]]:
        return sorted(
            (t["task"]["key"], t["rewards"]["correct"]["score"]) for t in read_traces(self.directory)
        )


@pytest.fixture(scope="session")
def command_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Without prime's settings and keys, and with a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PRIME_")}
    return {**kept, "HOME": str(tmp_path_factory.mktemp("home")), "PRIME_DISABLE_VERSION_CHECK": "1"}


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory, command_environment: dict[str, str]) -> Run:
    """`scientific-math evaluate` as the README has it: five problems, three rollouts each."""
    folder = tmp_path_factory.mktemp("demo-run")
    command = [str(BIN / "scientific-math"), "evaluate", "--output", str(folder)]
    done = subprocess.run(command, env=command_environment, capture_output=True, text=True, timeout=240)
    return Run(folder, done.stdout + done.stderr, done.returncode)


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    with running([ProblemScript(load_problems("builtin"))]) as url:
        yield url
