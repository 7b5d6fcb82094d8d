"""The folder of a run: the names in it, its lock, and writes that are whole or not there."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError

MANIFEST = "manifest.json"
SNAPSHOTS = "snapshots"
RAW = "raw"
PARSED = "parsed"
ERRORS = "errors.jsonl"
LOCK = ".lock"


def part_name(run_id: str, index: int, count: int) -> str:
    """The folder's name of part `index` of `count`: `demo.part-00000-of-00003`."""
    return f"{run_id}.part-{index:05d}-of-{count:05d}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing the run; raises RunError where one is at it already.

    The lock is the kernel's, so it ends with the process, however that ends.
    """
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        # A folder that may only be read can be locked all the same, where a run has left the file.
        descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{folder}: another process is writing this run; wait for it to end") from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Put the file's name into an OSError from within, which does not say it where a disk is full."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file at once and for good: a crash leaves the old content or the new, never a part."""
    beside = path.with_name(f"{path.name}.new")
    with named(path), beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def write_json(path: Path, value: Any) -> None:
    """`write_whole` of a value as JSON for people to read."""
    write_whole(path, (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode())


def sync_folder(folder: Path) -> None:
    """Make names added to or removed from `folder` last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
