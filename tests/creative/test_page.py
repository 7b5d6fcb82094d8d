"""The example of docs/creative.md runs as it stands, and so does the one of docs/judging.md beside it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_the_examples_run(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    (tmp_path / "first.py").write_text(block("judging.md", "python"))
    lines = block("creative.md", "bash").replace("8765", port).splitlines()
    assert lines[-1] == "kill $!"
    lines[-1] = f"'{sys.executable}' first.py; status=$?; kill $!; exit $status"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "rule paper: N 2, correct 2, coarse 2, fine 2" in done.stdout
    assert "Vote(judge='first', verdict='YES'" in done.stdout
    assert len(json.loads((tmp_path / "evaluation" / "M.json").read_text())) == 2
