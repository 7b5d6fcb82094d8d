"""Where a run's files are, and what it may be resumed with.

Beside `<dir>/<model>.json`, which is CreativeMath's, stands the folder `<dir>/<model>.run`: manifest.json
(what was asked for), record.jsonl (what came of it), replies/ (every raw reply). Files are written whole or
not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.creative.errors import CreativeError


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The places of one run."""

    directory: Path
    model: str

    @property
    def output(self) -> Path:
        """CreativeMath's file."""
        return self.directory / f"{self.model}.json"

    @property
    def beside(self) -> Path:
        """The folder of everything else."""
        return self.directory / f"{self.model}.run"

    @property
    def record(self) -> Path:
        """The richer record."""
        return self.beside / "record.jsonl"

    @property
    def replies(self) -> Path:
        """The store of replies."""
        return self.beside / "replies"

    def refuse_inputs(self, **inputs: Path) -> None:
        """Raises `CreativeError` where the output would be written over what is read."""
        for option, path in inputs.items():
            if self.output.exists() and path.exists() and self.output.samefile(path):
                raise CreativeError(f"{self.output}: is read as --{option}; take another --output-dir")

    def begin(self, manifest: Mapping[str, Any], *, overwrite: bool) -> None:
        """Note what is asked for; raises `CreativeError` where an earlier run asked for other things.

        `overwrite` begins anew; replies are kept, for what was asked then and is asked now.
        """
        path = self.beside / "manifest.json"
        if not overwrite:
            self._refuse_changes(path, manifest)
        self.beside.mkdir(parents=True, exist_ok=True)
        if overwrite:
            for old in (self.output, self.record):
                old.unlink(missing_ok=True)
        write_whole(path, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")

    def write_record(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write the record."""
        write_whole(self.record, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))

    def _refuse_changes(self, path: Path, manifest: Mapping[str, Any]) -> None:
        if not path.exists():
            if self.output.exists():
                raise CreativeError(
                    f"{self.output}: exists and was not written by this command; use --overwrite"
                )
            return
        try:
            before = json.loads(path.read_bytes())
        except (ValueError, RecursionError):
            before = None
        if not isinstance(before, dict):
            raise CreativeError(f"{path}: is damaged; use --overwrite, which keeps the replies")
        changed = [
            name
            for name in {**before, **manifest}
            if before.get(name) != json.loads(json.dumps(manifest.get(name)))
        ]
        if changed:
            raise CreativeError(
                f"{self.output}: was begun with another {', '.join(changed)}; take another --output-dir, "
                "or --overwrite"
            )


def file_name(model: str) -> str:
    """A model's name as the name of its files: without slashes and nothing hidden."""
    return model.strip().replace("/", "_").replace("\\", "_").lstrip(".") or "model"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a kill leaves the old one or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
