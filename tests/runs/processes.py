"""What a process has started, and whether it is gone."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path


def descendants(pid: int) -> set[int]:
    """Everything that a process started, directly or not, and that still runs."""
    found: set[int] = set()
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            started = [int(child) for child in children.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
        found.update(started, *(descendants(child) for child in started))
    return found


def wait_until_gone(pids: Iterable[int]) -> None:
    """Fails where one of them is there after half a minute."""
    deadline = time.monotonic() + 30
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, f"processes {left} outlive the one that started them"
        time.sleep(0.05)
