"""A fingerprint of a model's weights, so that another model at the same path is another run.

Over every file's name and size, the whole of small files (configuration, tokenizer), and of each large one
its first and last mebibyte and evenly spread blocks: seconds for a model of any size, and an edit that misses
every block is not one that training or quantising makes. Not a proof against somebody who wants to deceive.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

BLOCK = 1 << 20
"""Bytes of one block."""

BLOCKS = 64
"""Blocks read of a large file: the file whole if it is smaller than so many."""


def fingerprint(path: str) -> dict[str, Any] | None:
    """`sha256`, `files` and `bytes` of a folder with weights; None for a name on the hub not yet fetched."""
    folder = Path(path)
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not _hidden(file, folder))
    total = 0
    for file in files:
        size = file.stat().st_size
        total += size
        digest.update(f"{file.relative_to(folder)}\0{size}\0".encode())
        digest.update(_digest(file, size))
    return {"sha256": digest.hexdigest(), "files": len(files), "bytes": total}


def _hidden(file: Path, folder: Path) -> bool:
    """Caches and the like beside the weights."""
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _digest(file: Path, size: int) -> bytes:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        if size <= BLOCK * BLOCKS:
            while block := content.read(BLOCK):
                digest.update(block)
        else:
            for index in range(BLOCKS):
                content.seek((size - BLOCK) * index // (BLOCKS - 1))
                digest.update(content.read(BLOCK))
    return digest.digest()
