"""Hashes that mean the same on every machine: of a value, of a file, of the samples of a run.

A run has two: over whole rows (any edit shows), and over what can be made again (a fresh, a resumed, a
merged and a distributed run agree). Both are taken over rows sorted by key, so shards do not matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PER_RUN_FIELDS = ("run_id", "response_id", "created_at")
"""Fields of a sample that differ when the same sample is made again."""

BLOCK = 1 << 20
"""Bytes of a file read at a time."""


def stable_hash(value: object) -> str:
    """SHA-256 (hex) of `value` as compact JSON with sorted keys; not ASCII is escaped.

    Raises TypeError for what is no JSON, and ValueError for NaN and infinities.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


class ContentHash:
    """Both hashes of a run, fed one row at a time in any order; holds 64 bytes and the key of each row."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._digests: dict[tuple[str, str, int], tuple[bytes, bytes]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> bool:
        """Take in a row of a sample; False, and nothing taken, where its key is there already."""
        key = (row["dataset"], row["problem_id"], row["sample_idx"])
        if key in self._digests:
            return False
        remade = {name: value for name, value in row.items() if name not in PER_RUN_FIELDS}
        self._digests[key] = (bytes.fromhex(stable_hash(row)), bytes.fromhex(stable_hash(remade)))
        return True

    def __len__(self) -> int:
        return len(self._digests)

    @property
    def raw(self) -> str:
        """Over whole rows: any edit of any field changes it."""
        return self._over(0)

    @property
    def content(self) -> str:
        """Over all but `PER_RUN_FIELDS`: the same whenever the same samples were made."""
        return self._over(1)

    def _over(self, which: int) -> str:
        digest = hashlib.sha256()
        for key in sorted(self._digests):
            digest.update(self._digests[key][which])
        return digest.hexdigest()
