"""What is published, made once: pushed by prime to a hub of our own where prime is there, else just built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.clients import PUBLISHING, ROOT, run, settings, skip_without
from tests.packaging.hub import OWNER, Hub

TRASH = (
    *(
        "dist/old-0.0.1-py3-none-any.whl",
        "build/lib/left.py",
        "outputs/run/traces.jsonl",
        "left.egg-info/PKG-INFO",
    ),
    *("tests/__pycache__/left.cpython-311.pyc", ".venv/bin/python", ".hypothesis/left", ".pytest_cache/left"),
    *(".env", "docs/.secret", "notes.txt", "scientific_math_critpt_env/__pycache__/left.pyc"),
)
"""What lies about in a working folder and must not be published."""


@dataclass(frozen=True)
class Pushed:
    """A finished `prime env push`, and the hub, which is still there."""

    hub: Hub
    checkout: Path
    printed: str
    environment: dict[str, str]

    def prime(self, *words: str, status: int = 0) -> str:
        """Another command of the same client."""
        line: list[str | Path] = [PUBLISHING / "prime", *words]
        return run(line, folder=self.checkout, environment=self.environment, status=status)


@pytest.fixture(scope="session")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pushed]:
    """`prime env push --path .` of a copy of this checkout, with trash lying about in it."""
    skip_without(PUBLISHING)
    home, checkout = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("pushing") / "checkout"
    shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(".?*", "__pycache__", "outputs", "dist"))
    shutil.copy(ROOT / ".gitignore", checkout)
    for name in TRASH:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("trash")
    hub = Hub()
    with hub.serving():
        environment = settings(home, hub.url)
        line: list[str | Path] = [PUBLISHING / "prime", "env", "push", "--path", "."]
        yield Pushed(hub, checkout, run(line, folder=checkout, environment=environment), environment)


@pytest.fixture(scope="session")
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it was uploaded to the hub; built on the spot where prime is not installed."""
    folder = tmp_path_factory.mktemp("dist")
    if (PUBLISHING / "prime").exists():
        hub: Hub = request.getfixturevalue("pushed").hub
        (folder / hub.declared["wheels"]["filename"]).write_bytes(hub.uploads["wheels"])
    else:
        line = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(folder),
            str(ROOT),
        ]
        subprocess.run(line, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv that was empty: `prime env install`, or pip where prime is not installed."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=True)
    # A name for every version, so that the test does not depend on the day; and no work for what is not run.
    settled = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_NO_COMPILE": "1", "PIP_QUIET": "1"}
    if (PUBLISHING / "prime").exists():
        client: Pushed = request.getfixturevalue("pushed")
        path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        line: list[str | Path] = [PUBLISHING / "prime", "env", "install", f"{OWNER}/{client.hub.name}"]
        environment = {**client.environment, **settled, "PATH": path}
        run([*line, "--with", "pip"], folder=folder, environment=environment, seconds=600)
    else:
        built: Path = request.getfixturevalue("wheel")
        line = [folder / "bin" / "python", "-m", "pip", "install", built]
        run(line, folder=folder, environment={**os.environ, **settled}, seconds=600)
    return folder / "bin"
