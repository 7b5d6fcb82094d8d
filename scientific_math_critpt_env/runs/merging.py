"""Merges the parts of a partitioned run into one run, or refuses and leaves nothing behind.

Rows are checked as they are copied, so what is published is what was checked: first into a folder beside the
output, renamed when everything holds. The merged run has the content hash of a run that was never split.
"""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.compression import Compression
from scientific_math_critpt_env.runs.folder import MANIFEST, RAW, SNAPSHOTS, locked, sync_folder, write_json
from scientific_math_critpt_env.runs.hashing import ContentHash
from scientific_math_critpt_env.runs.manifest import Totals, now
from scientific_math_critpt_env.runs.parts import Part, load_parts
from scientific_math_critpt_env.runs.rows import read_lines
from scientific_math_critpt_env.runs.samples import Key, Sample
from scientific_math_critpt_env.runs.shards import sealed_shards, sorted_rows
from scientific_math_critpt_env.runs.snapshots import problem_order
from scientific_math_critpt_env.runs.writing import ShardWriter

SHARD_SIZE = 1000
"""Rows of a merged shard: as the default of generation."""

FSYNC_EVERY = 1000
"""Nothing is lost with a merge that is cut off: the parts are still there."""


def merge(
    folders: Sequence[Path],
    output: Path,
    *,
    compression: Compression | None = None,
    allow_dirty: bool = False,
    allow_mixed_hardware: bool = False,
    copied: Callable[[int], None] = lambda rows: None,
) -> dict[str, Any]:
    """Merge the parts in `folders` into the new folder `output`; its manifest.

    `copied` is told after each row how many there are. Shards are packed as `compression` says; by default as
    most of the parts' are. Raises RunError with what is wrong; `output` is then not there.
    """
    if output.exists():
        raise RunError(f"{output}: exists; name a folder that does not")
    parts = load_parts(folders, allow_dirty=allow_dirty, allow_mixed_hardware=allow_mixed_hardware)
    unfinished = output.with_name(f"{output.name}.merging")
    if unfinished.exists():
        raise RunError(f"{unfinished}: is left from a merge that was killed, or one is under way; remove it")
    with ExitStack() as stack:
        for part in parts:
            stack.enter_context(locked(part.folder))
        unfinished.mkdir(parents=True)
        stack.callback(shutil.rmtree, unfinished, ignore_errors=True)
        manifest = _merged(parts, unfinished, compression, copied)
        write_json(unfinished / MANIFEST, manifest)
        if output.exists():
            raise RunError(f"{output}: was made by another program during the merge; nothing was merged")
        unfinished.rename(output)
    sync_folder(output.parent)
    return manifest


def _merged(
    parts: Sequence[Part],
    target: Path,
    compression: Compression | None,
    copied: Callable[[int], None],
) -> dict[str, Any]:
    shutil.copytree(parts[0].folder / SNAPSHOTS, target / SNAPSHOTS)
    packing = compression or _usual(parts)
    checks = [_RowChecks(part) for part in parts]
    content, totals = ContentHash(), Totals()
    with _unchanged(parts):
        writer = ShardWriter(
            target / RAW, shard_size=SHARD_SIZE, compression=packing, fsync_every=FSYNC_EVERY
        )
        for check, where, row in _in_order(checks):
            check.take(where, row)
            if not content.add(row):
                raise RunError(f"{where}: the sample {check.key(row)} is in two parts")
            writer.write(row)
            totals.add(row)
            copied(totals.samples)
        writer.close()
        for check in checks:
            check.finish()
    on_disk = ContentHash(row for shard in sealed_shards(target / RAW) for _, row in read_lines(shard))
    if on_disk.raw != content.raw:
        raise RunError(f"{target}: does not hold what was written; check the disk")
    return _manifest(parts, content, totals)


class _RowChecks:
    """What the rows of one part must be, and are seen to be as they come."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.order = problem_order(part.folder, part.manifest)
        self._content = ContentHash()
        self._expected = _expected_keys(part)

    def take(self, where: str, row: dict[str, Any]) -> None:
        sample = Sample.from_row(row, where)
        if sample.run_id != self.part.manifest["run_id"]:
            told = f"a sample of run {sample.run_id!r}, not of {self.part.manifest['run_id']!r}"
            raise RunError(f"{where}: {told}")
        if sample.key not in self._expected:
            raise RunError(f"{where}: the sample {sample.key} does not belong to part {self.part.index}")
        if not self._content.add(row):
            raise RunError(f"{where}: the sample {sample.key} is in the part twice")

    def finish(self) -> None:
        folder, manifest = self.part.folder, self.part.manifest
        missing = len(self._expected) - len(self._content)
        if missing:
            raise RunError(f"{folder}: {missing} of {len(self._expected)} samples are missing")
        counted = manifest["counts"]
        expected = len(self._expected) + len(manifest["missing"])
        if (counted.get("samples"), counted.get("expected")) != (len(self._content), expected):
            told = f"{counted.get('samples')!r} of {counted.get('expected')!r} samples"
            raise RunError(f"{folder}: the manifest counts {told}, but there are {len(self._content)}")
        known = manifest["hashes"]["raw"], manifest["hashes"].get("content")
        if (self._content.raw, self._content.content) != known:
            raise RunError(
                f"{folder}: the samples in {RAW}/ were edited after the part was completed "
                "(the hash of their content differs)"
            )

    @staticmethod
    def key(row: dict[str, Any]) -> Key:
        return (row["dataset"], row["problem_id"], row["sample_idx"])


def _expected_keys(part: Part) -> set[Key]:
    keys: set[Key] = set()
    for dataset in part.manifest["datasets"]:
        ids = [row["id"] for _, row in read_lines(part.folder / dataset["snapshot"])]
        for problem_id in ids[part.index :: part.count]:
            keys |= {
                (dataset["name"], problem_id, index) for index in range(part.manifest["samples_per_problem"])
            }
    # A part may have been completed without samples that could not be had.
    return keys - {tuple(key) for key in part.manifest["missing"]}


def _in_order(checks: Sequence[_RowChecks]) -> Iterator[tuple[_RowChecks, str, dict[str, Any]]]:
    """The rows of all parts, as those of a run that was never split."""

    def rows_of(check: _RowChecks) -> Iterator[tuple[tuple[int, int], _RowChecks, str, dict[str, Any]]]:
        for where, row in sorted_rows(check.part.folder / RAW, check.order):
            yield (check.order[row["dataset"], row["problem_id"]], row["sample_idx"]), check, where, row

    merged = heapq.merge(*(rows_of(check) for check in checks), key=lambda entry: entry[0])
    return ((check, where, row) for _, check, where, row in merged)


@contextmanager
def _unchanged(parts: Sequence[Part]) -> Iterator[None]:
    """Raises RunError where a file of a part changes meanwhile, whatever else was found wrong."""
    before = {part.folder: _signature(part) for part in parts}

    def check() -> None:
        for folder, signature in before.items():
            part = next(part for part in parts if part.folder == folder)
            if _signature(part) != signature:
                raise RunError(f"{folder}: was changed during the merge; nothing was merged")

    try:
        yield
    except RunError:
        check()
        raise
    check()


def _signature(part: Part) -> list[tuple[str, int, int, int]]:
    files = sorted([part.folder / MANIFEST, *(part.folder / RAW).iterdir()])
    return [(path.name, s.st_size, s.st_mtime_ns, s.st_ino) for path in files for s in [path.stat()]]


def _usual(parts: Sequence[Part]) -> Compression:
    names = [path.name for part in parts for path in sealed_shards(part.folder / RAW)]
    packed: dict[Compression, int] = {
        "none": sum(name.endswith(".jsonl") for name in names),
        "gzip": sum(name.endswith(".gz") for name in names),
        "zstd": sum(name.endswith(".zst") for name in names),
    }
    return max(packed, key=lambda kind: packed[kind])


def _manifest(parts: Sequence[Part], content: ContentHash, totals: Totals) -> dict[str, Any]:
    first = parts[0].manifest
    return {
        **first,
        "partition": None,
        "created_at": min(part.manifest["created_at"] for part in parts),
        "completed_at": now(),
        "updated_at": now(),
        "hashes": {**first["hashes"], "raw": content.raw, "content": content.content},
        "missing": sorted(key for part in parts for key in part.manifest["missing"]),
        "sessions": [session for part in parts for session in part.manifest["sessions"]],
        "counts": {
            "problems": sum(part.manifest["counts"]["problems"] for part in parts),
            "expected": sum(part.manifest["counts"]["expected"] for part in parts),
            "samples": totals.samples,
            "failed": sum(len(part.manifest["missing"]) for part in parts),
            "truncated": totals.truncated,
            "prompt_tokens": totals.prompt_tokens,
            "output_tokens": totals.output_tokens,
            "cost": totals.cost(first["model_settings"]),
        },
        "merged_from": [
            {"index": part.index, "count": part.count, "raw": part.manifest["hashes"]["raw"]}
            for part in parts
        ],
    }
