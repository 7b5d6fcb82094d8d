"""`serve-demo` as a process: says where it listens and what it is, and stops when told to."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

PROBLEMS = Path(__file__).with_name("forms.jsonl")


def _start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "serve-demo", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_announces_its_port_and_stops_cleanly(number: signal.Signals) -> None:
    with _start("--port", "0", "--problems", str(PROBLEMS)) as process:
        assert process.stdout is not None
        announced = process.stdout.readline() + process.stdout.readline()
        try:
            assert "no model runs" in announced
            assert re.search(r"26 problems, expected mean reward .* 0\.6154", announced)
            url = re.search(r"http://\S+", announced)
            assert url is not None
            assert httpx.get(f"{url[0]}/models").json()["scripted"] is True
        finally:
            process.send_signal(number)
        assert process.wait(10) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_taken_port_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with _start("--port", str(port), "--problems", str(PROBLEMS)) as process:
            _, said = process.communicate(timeout=20)
    assert process.returncode == 1
    assert len(said.splitlines()) == 1
    assert f"127.0.0.1:{port}" in said
