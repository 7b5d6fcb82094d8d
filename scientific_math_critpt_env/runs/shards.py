"""The shards of `raw/`: `shard-00000.jsonl`, `.jsonl.gz` or `.jsonl.zst`, and one `.jsonl.inprogress`.

The active shard is plain, so that a killed process leaves at worst a torn last line, which is cut off when
the run goes on. A full shard is packed beside it, made durable, renamed into place, and only then is the
plain one removed: at any moment every row is in at least one whole file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.compression import opened
from scientific_math_critpt_env.runs.rows import parsed_row

ACTIVE_SUFFIX = ".jsonl.inprogress"
_SEALED = re.compile(r"shard-(\d{5,})\.jsonl(\.gz|\.zst)?")
_ACTIVE = re.compile(r"shard-(\d{5,})\.jsonl\.inprogress")


def sealed_shards(raw: Path) -> list[Path]:
    """The sealed shards by number. Raises RunError where one number is there in two forms."""
    found = [(match, path) for path in _files(raw) if (match := _SEALED.fullmatch(path.name))]
    numbered = sorted((int(match[1]), path) for match, path in found)
    for (number, path), (following, other) in pairwise(numbered):
        if number == following:
            raise RunError(f"{raw}: {path.name} and {other.name} are one shard twice; remove one of them")
    return [path for _, path in numbered]


def active_shards(raw: Path) -> list[Path]:
    """Shards that were not sealed: none in a run that ended in order."""
    return sorted(path for path in _files(raw) if _ACTIVE.fullmatch(path.name))


def all_shards(raw: Path) -> list[Path]:
    """Sealed shards, then those in progress."""
    return [*sealed_shards(raw), *active_shards(raw)]


def shard_name(number: int) -> str:
    """The name of a sealed shard, unpacked."""
    return f"shard-{number:05d}.jsonl"


def shard_number(path: Path) -> int:
    """The number in a shard's name."""
    match = _SEALED.fullmatch(path.name) or _ACTIVE.fullmatch(path.name)
    assert match, path
    return int(match[1])


def sorted_rows(raw: Path, order: Mapping[tuple[str, str], int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each row of the sealed shards stands, and the row; by `order` of its problem, then by index.

    Packed shards are unpacked to a temporary file, so that memory holds places, not texts. Raises RunError
    for a row that is no object or whose problem is not in `order`.
    """
    with tempfile.TemporaryFile(prefix="scientific-math-rows-") as spool:
        places: list[tuple[int, int, int, int, str]] = []
        for shard in sealed_shards(raw):
            with opened(shard) as lines:
                for number, line in enumerate(lines, start=1):
                    where = f"{shard}:{number}"
                    row = parsed_row(line, where)
                    place, sample_idx = _rank(row, order, where)
                    places.append((place, sample_idx, spool.tell(), len(line), where))
                    spool.write(line)
        places.sort()
        for _, _, offset, length, where in places:
            spool.seek(offset)
            yield where, parsed_row(spool.read(length), where)


def _rank(row: dict[str, Any], order: Mapping[tuple[str, str], int], where: str) -> tuple[int, int]:
    try:
        place, sample_idx = order[row["dataset"], row["problem_id"]], row["sample_idx"]
    except (KeyError, TypeError):
        named = f"{row.get('dataset')!r}, {row.get('problem_id')!r}"
        raise RunError(f"{where}: a sample of {named}, which is no problem of this run") from None
    if type(sample_idx) is not int:
        raise RunError(f"{where}: sample_idx {sample_idx!r} is no whole number")
    return place, sample_idx


def _files(raw: Path) -> list[Path]:
    return [path for path in raw.iterdir() if path.is_file()] if raw.is_dir() else []
