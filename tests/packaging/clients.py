"""Prime's own command-line clients, each in its venv (`make integrations`), talking to local servers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.packaging.hub import KEY

ROOT = Path(__file__).resolve().parents[2]
PUBLISHING = ROOT / ".venv-prime" / "bin"
"""prime 0.18: publishes, and evaluates on the platform only."""
EVALUATING = ROOT / ".venv-v0" / "bin"
"""prime 0.7.7 with verifiers 0.2.0: the last that evaluates on this machine."""


def skip_without(folder: Path) -> None:
    """Skip, saying how to have the client."""
    if not (folder / "prime").exists():
        pytest.skip(f"no {folder.parent.name}; `make integrations` sets it up")


def settings(home: Path, hub_url: str) -> dict[str, str]:
    """The process environment: no settings and no key of anybody's, a home and a hub of the test's own."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PRIME_", "VIRTUAL_ENV"))
    }
    return {
        **kept,
        "HOME": str(home),
        "PRIME_API_BASE_URL": hub_url,
        "PRIME_API_KEY": KEY,
        "PRIME_DISABLE_VERSION_CHECK": "1",
        "COLUMNS": "200",
    }


def run(
    line: list[str | Path],
    *,
    folder: Path,
    environment: dict[str, str],
    status: int = 0,
    seconds: float = 500,
) -> str:
    """What the command printed; fails where it ends with another status."""
    command = [str(word) for word in line]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds
    )
    printed = done.stdout + done.stderr
    assert done.returncode == status, printed
    return printed
