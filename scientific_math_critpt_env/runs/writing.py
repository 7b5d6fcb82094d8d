"""Writes samples into shards, and takes up again where a killed process left them."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.compression import SUFFIXES, Compression, pack
from scientific_math_critpt_env.runs.folder import named, sync_folder
from scientific_math_critpt_env.runs.rows import line_of, parsed_row
from scientific_math_critpt_env.runs.shards import (
    ACTIVE_SUFFIX,
    active_shards,
    sealed_shards,
    shard_name,
    shard_number,
)


class ShardWriter:
    """Appends rows to `raw`; `close` seals what is open. One writer a folder (see `folder.locked`).

    Opening repairs: a torn last line is cut off, a shard that was sealed but not removed is removed. Raises
    RunError where a shard is damaged elsewhere than at its end.
    """

    def __init__(
        self, raw: Path, *, shard_size: int, compression: Compression = "none", fsync_every: int = 1
    ) -> None:
        self._raw = raw
        self._shard_size = shard_size
        self._compression = compression
        self._fsync_every = fsync_every
        self._file: FileIO | None = None
        self._rows = 0
        self._unsynced = 0
        raw.mkdir(parents=True, exist_ok=True)
        self._recover()

    def write(self, row: dict[str, Any]) -> None:
        """Append a row; it survives the death of this process from here on, and a power cut once synced.

        Raises OSError with the file's name where it cannot be written. The shard is left as it is then, to be
        repaired by the next writer.
        """
        if self._file is None:
            self._open(self._next_number())
        assert self._file is not None
        try:
            with named(Path(self._file.name)):
                _write_all(self._file, line_of(row))
        except OSError:
            self._file.close()
            self._file = None
            raise
        self._rows += 1
        self._unsynced += 1
        if self._unsynced >= self._fsync_every:
            self._sync()
        if self._rows >= self._shard_size:
            self.close()

    def close(self) -> None:
        """Seal the open shard, if any. May be called again."""
        if self._file is None:
            return
        self._sync()
        path = Path(self._file.name)
        self._file.close()
        self._file = None
        if self._rows:
            _seal(path, self._compression)
        else:
            path.unlink()

    def _open(self, number: int) -> None:
        path = self._raw / f"shard-{number:05d}{ACTIVE_SUFFIX}"
        # Unbuffered: after a write that failed, nothing is left that closing would try to write again.
        self._file = path.open("ab", buffering=0)
        sync_folder(self._raw)
        self._rows = 0

    def _next_number(self) -> int:
        sealed = sealed_shards(self._raw)
        return shard_number(sealed[-1]) + 1 if sealed else 0

    def _sync(self) -> None:
        assert self._file is not None
        with named(Path(self._file.name)):
            os.fsync(self._file.fileno())
        self._unsynced = 0

    def _recover(self) -> None:
        for leftover in self._raw.glob("*.packing"):
            leftover.unlink()
        sealed = {shard_number(path) for path in sealed_shards(self._raw)}
        for path in active_shards(self._raw):
            if shard_number(path) in sealed:
                # Killed between the sealed shard's name and the end of this one: all its rows are there.
                path.unlink()
                continue
            if self._file is not None:
                raise RunError(f"{self._raw}: two shards in progress; a run has one, so remove one of them")
            rows = repair(path)
            self._open(shard_number(path))
            self._rows = rows
        if self._rows >= self._shard_size:
            self.close()


def repair(path: Path) -> int:
    """Cut a torn last line off an active shard; the number of whole rows. Other damage raises RunError."""
    rows, whole, torn = 0, 0, False
    with path.open("rb") as lines:
        for line in lines:
            if torn:
                raise RunError(f"{path}:{rows + 1}: no JSON, and not the last line; the file was damaged")
            if not line.endswith(b"\n") or not _is_row(line):
                torn = True
                continue
            rows += 1
            whole += len(line)
    if torn:
        with path.open("r+b") as file:
            file.truncate(whole)
            os.fsync(file.fileno())
    return rows


def _write_all(file: FileIO, content: bytes) -> None:
    # A disk that gets full takes a part, and says so only when asked again.
    while content:
        content = content[file.write(content) :]


def _is_row(line: bytes) -> bool:
    try:
        parsed_row(line, "")
    except RunError:
        return False
    return True


def _seal(active: Path, compression: Compression) -> None:
    sealed = active.with_name(shard_name(shard_number(active)) + SUFFIXES[compression])
    if compression == "none":
        active.replace(sealed)
        sync_folder(active.parent)
        return
    packing = sealed.with_name(f"{sealed.name}.packing")
    with named(packing), packing.open("wb") as file:
        pack(active, file, compression)
        file.flush()
        os.fsync(file.fileno())
    packing.replace(sealed)
    sync_folder(active.parent)
    active.unlink()
    sync_folder(active.parent)
