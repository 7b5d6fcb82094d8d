"""The snapshots of a run: what went in, as it was, checked by the hashes in the manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.hashing import file_hash
from scientific_math_critpt_env.runs.rows import read_lines


def check_snapshots(folder: Path, manifest: dict[str, Any]) -> None:
    """Raises RunError where a snapshot is missing or is not what the manifest says."""
    # There only where a start of the program was killed while it replaced them.
    before = manifest.get("snapshots_before")
    for dataset in manifest["datasets"] if "snapshots" in manifest else ():
        if dataset["snapshot"] not in manifest["snapshots"]:
            raise RunError(
                f"{folder}: the manifest holds no hash of {dataset['snapshot']}; restore the folder"
            )
    for name, expected in manifest.get("snapshots", {}).items():
        path = folder / name
        if not path.is_file():
            if before is not None and name not in before:
                continue
            raise RunError(f"{path}: the snapshot is missing; restore the folder")
        if file_hash(path) not in (expected, (before or {}).get(name)):
            raise RunError(f"{path}: the snapshot was changed after the run began; restore the folder")


def problem_order(folder: Path, manifest: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Place of each (data set, problem id): data sets as configured, problems as in the snapshot."""
    places: dict[tuple[str, str], int] = {}
    for dataset in manifest["datasets"]:
        path = folder / dataset["snapshot"]
        if not path.is_file():
            raise RunError(f"{path}: the snapshot is missing; restore the folder")
        for where, row in read_lines(path):
            if not isinstance(row.get("id"), str):
                raise RunError(f"{where}: holds no problem's id; restore the folder")
            places[dataset["name"], row["id"]] = len(places)
    return places
