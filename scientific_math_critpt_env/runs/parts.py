"""The parts of a partitioned run, and all that must hold before they are merged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.folder import MANIFEST, RAW
from scientific_math_critpt_env.runs.hashing import stable_hash
from scientific_math_critpt_env.runs.manifest_shape import read_manifest
from scientific_math_critpt_env.runs.revision import defect_of
from scientific_math_critpt_env.runs.rows import read_lines
from scientific_math_critpt_env.runs.shards import active_shards
from scientific_math_critpt_env.runs.snapshots import check_snapshots

COMMON: dict[str, Callable[[dict[str, Any]], Any]] = {
    "run id": lambda manifest: manifest["run_id"],
    "schema version": lambda manifest: manifest["schema_version"],
    "configuration": lambda manifest: manifest["hashes"]["config"],
    "prompt": lambda manifest: manifest["hashes"]["prompt"],
    "data sets": lambda manifest: manifest["hashes"]["datasets"],
    "weights": lambda manifest: manifest["weights"],
    "generation spec": lambda manifest: manifest["hashes"]["generation_spec"],
    "samples per problem": lambda manifest: manifest["samples_per_problem"],
    "judges": lambda manifest: manifest["judges"],
    "snapshots": lambda manifest: manifest["snapshots"],
}
"""What the parts must agree on, by the names that errors call it. Every session must agree on code, Python,
packages and hardware as well."""

MAY_DIFFER = frozenset(
    ("partition", "created_at", "completed_at", "updated_at", "reason", "missing", "sessions", "counts")
)
"""Fields that are a part's own, with `hashes.raw` and `hashes.content`; in all others the parts agree."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its folder and its manifest."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def index(self) -> int:
        """Its place among the parts, from 0."""
        return int(self.manifest["partition"]["index"])

    @property
    def count(self) -> int:
        """How many parts there are."""
        return int(self.manifest["partition"]["count"])


def load_parts(
    folders: Sequence[Path], *, allow_dirty: bool = False, allow_mixed_hardware: bool = False
) -> list[Part]:
    """The parts by index, checked against each other; their rows are not read yet.

    Raises RunError with what keeps them from being one run.
    """
    parts = [_part(folder) for folder in folders]
    _check_partition(parts)
    for part in parts:
        _check_completed(part)
    first = parts[0]
    for part in parts[1:]:
        for name, value_of in COMMON.items():
            _agree(name, first, value_of(first.manifest), part, value_of(part.manifest))
        _check_other_fields(first, part)
    _check_sessions(parts, allow_dirty, allow_mixed_hardware)
    for part in parts:
        check_snapshots(part.folder, part.manifest)
        _check_datasets(part)
    return sorted(parts, key=lambda part: part.index)


def _part(folder: Path) -> Part:
    path = folder / MANIFEST
    if not path.is_file():
        raise RunError(f"{folder}: holds no {MANIFEST}; give the folders of the parts")
    return Part(folder, read_manifest(path, whole=True))


def _check_partition(parts: Sequence[Part]) -> None:
    if not parts:
        raise RunError("no parts were given")
    for part in parts:
        partition = part.manifest["partition"]
        if partition is None:
            raise RunError(f"{part.folder}: is a whole run, not a part; there is nothing to merge")
        index, count = (partition.get(name) for name in ("index", "count"))
        if type(index) is not int or type(count) is not int or not 0 <= index < count:
            raise RunError(f"{part.folder}: bad partition: index {index!r} of {count!r}")
    counts = Counter(part.count for part in parts)
    if len(counts) > 1:
        told = ", ".join(f"{part.folder}: {part.count}" for part in parts)
        raise RunError(f"the parts disagree on how many they are ({told})")
    seen: dict[int, Path] = {}
    for part in parts:
        if part.index in seen:
            raise RunError(f"{part.folder} and {seen[part.index]}: both are part {part.index}")
        seen[part.index] = part.folder
    missing = [str(index) for index in range(parts[0].count) if index not in seen]
    if missing:
        raise RunError(f"part {', '.join(missing)} of {parts[0].count} is missing; generate or name it")


def _check_completed(part: Part) -> None:
    status = part.manifest["status"]
    if status != "completed":
        raise RunError(f"{part.folder}: is {status!r}, not completed; finish it with generate --resume")
    unsealed = active_shards(part.folder / RAW)
    if unsealed:
        raise RunError(f"{unsealed[0]}: a shard was not sealed; finish the part with generate --resume")


def _agree(name: str, first: Part, expected: Any, part: Part, value: Any) -> None:
    if value != expected:
        raise RunError(
            f"the parts differ in {name}: {first.folder} has {_short(expected)}, "
            f"{part.folder} has {_short(value)}"
        )


def _check_other_fields(first: Part, part: Part) -> None:
    for name in sorted({*first.manifest, *part.manifest} - MAY_DIFFER):
        one, other = first.manifest.get(name), part.manifest.get(name)
        if name == "hashes":
            one, other = _common_hashes(first), _common_hashes(part)
        _agree(name, first, one, part, other)


def _common_hashes(part: Part) -> dict[str, Any]:
    return {**part.manifest["hashes"], "raw": None, "content": None}


def _check_sessions(parts: Sequence[Part], allow_dirty: bool, allow_mixed_hardware: bool) -> None:
    """Code, environment and hardware, over all starts of the program on all parts."""
    for part in parts:
        if not part.manifest["sessions"]:
            raise RunError(f"{part.folder}: the manifest tells of no session; it was edited")
        if stable_hash(part.manifest["spec"]) != part.manifest["hashes"]["generation_spec"]:
            raise RunError(f"{part.folder}: the manifest's spec is not the one of its hash; it was edited")
    sessions = [(part, session) for part in parts for session in part.manifest["sessions"]]
    first_part, first = sessions[0]
    for part, session in sessions:
        _agree("code revision", first_part, first["code"], part, session["code"])
        defect = defect_of(session["code"])
        if defect and not allow_dirty:
            raise RunError(
                f"{part.folder}: the code revision {defect}, so the run could not be made again; "
                "--allow-dirty merges all the same"
            )
        _agree("Python", first_part, _python(first["environment"]), part, _python(session["environment"]))
        _agree(
            "packages",
            first_part,
            first["environment"]["packages"],
            part,
            session["environment"]["packages"],
        )
        if not allow_mixed_hardware:
            try:
                _agree("hardware", first_part, first["hardware"], part, session["hardware"])
            except RunError as error:
                raise RunError(f"{error}; --allow-mixed-hardware merges all the same") from None


def _python(environment: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in environment.items() if name != "packages"}


def _check_datasets(part: Part) -> None:
    """The snapshots' rows are those whose hash went into the run."""
    for dataset in part.manifest["datasets"]:
        rows = [row for _, row in read_lines(part.folder / dataset["snapshot"])]
        if stable_hash(rows) != part.manifest["hashes"]["datasets"].get(dataset["name"]):
            raise RunError(f"{part.folder / dataset['snapshot']}: is not the data set of the manifest")


def _short(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 200 else f"{text[:200]}..."
