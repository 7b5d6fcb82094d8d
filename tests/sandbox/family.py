"""Which processes a sandbox has started: those with its owner's pid on their command line."""

from __future__ import annotations

import os
import time
from pathlib import Path


def family(owner: int) -> list[int]:
    """Pids of living processes (zombies too) that belong to sandboxes of `owner`."""
    mark = f'"owner": {owner},'.encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue  # it ended meanwhile
    return found


def zombies(parent: int) -> list[int]:
    """Pids of children of `parent` that have ended and were not waited for."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, ppid = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state == "Z" and int(ppid) == parent:
                found.append(int(entry.name))
    return found


def gone_within(seconds: float, owner: int) -> list[int]:
    """Wait until the family is empty; what is left of it after `seconds`."""
    deadline = time.monotonic() + seconds
    while (left := family(owner)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))
