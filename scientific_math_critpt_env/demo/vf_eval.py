"""Runs the real `vf-eval` as a process of its own, and watches its results come in."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO

from scientific_math_critpt_env.errors import ScientificMathError

POLL_SECONDS = 0.3

STOPPING_SECONDS = 60.0
"""How long an interrupted vf-eval may clean up before it is killed."""

TOLD_LINES = 15
"""Lines of its output that are repeated when vf-eval fails."""

_NOISE = re.compile(r"\s|$|Traceback |[\d:]+\s+(INFO|DEBUG) ")


def run_vf_eval(arguments: Sequence[str], run_dir: Path, *, watch: Callable[[int], None]) -> None:
    """Run `vf-eval` with these arguments to its end; `watch` gets the number of rollouts on disk so far.

    Raises `ScientificMathError` with the end of its output where it fails, `KeyboardInterrupt` where this
    process is interrupted or told to stop, after vf-eval has stopped.
    """
    traces = run_dir / "traces.jsonl"
    with tempfile.TemporaryFile() as said, _terminating_as_interrupt():
        process = subprocess.Popen(
            [_executable(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said
        )
        try:
            while process.poll() is None:
                watch(_lines(traces))
                _wait_a_moment(process)
        finally:
            _stop(process)
        watch(_lines(traces))
        if process.returncode:
            raise ScientificMathError(f"vf-eval ended with status {process.returncode}:\n{_tail(said)}")


def _wait_a_moment(process: subprocess.Popen[bytes]) -> None:
    with suppress(subprocess.TimeoutExpired):  # still running, which is what the caller looks at next
        process.wait(POLL_SECONDS)


def _executable() -> str:
    beside = Path(sys.executable).with_name("vf-eval")
    found = str(beside) if beside.exists() else shutil.which("vf-eval")
    if found is None:
        raise ScientificMathError("vf-eval is not installed; install this package with its dependencies")
    return found


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOPPING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _terminating_as_interrupt() -> Iterator[None]:
    """SIGTERM (from a job scheduler) stops vf-eval as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _tail(said: IO[bytes]) -> str:
    """The end of the output, without progress and without the inside of tracebacks."""
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().splitlines()
    return "\n".join([line for line in lines if not _NOISE.match(line)][-TOLD_LINES:])
