"""The manifest of a run: what went in, who made it, where it stands, and the hashes that hold it together.

Statuses: running; finalizing (all is sealed, hashes are being taken); stopped (told to); failed (samples are
missing after their retries, or the run gave up); completed. A killed run stays "running" until it is resumed.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.folder import MANIFEST, write_json, write_whole
from scientific_math_critpt_env.runs.hashing import stable_hash
from scientific_math_critpt_env.runs.machine import environment
from scientific_math_critpt_env.runs.planning import Plan, snapshot_of
from scientific_math_critpt_env.runs.revision import code_revision
from scientific_math_critpt_env.runs.samples import SCHEMA_VERSION


def new_manifest(plan: Plan) -> dict[str, Any]:
    """The manifest of a run that begins."""
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "run_id": plan.run_id,
        "status": "running",
        "created_at": now(),
        "completed_at": None,
        "partition": (
            {"index": plan.partition.index, "count": plan.partition.count} if plan.partition else None
        ),
        **_described(plan),
        "code": code_revision(),
        "environment": environment(plan.config.model.backend),
        "missing": [],
        "sessions": [],
    }
    return with_counts(manifest, plan, Totals())


def _described(plan: Plan) -> dict[str, Any]:
    """The part that follows from the plan alone; a resumed run takes it anew."""
    config = plan.config
    return {
        "model": config.model.name,
        "backend": config.model.backend,
        "model_settings": config.model.model_dump(mode="json", exclude_none=True),
        "decode": config.decode.row(),
        "samples_per_problem": config.decode.samples_per_problem,
        "prompt": config.prompt,
        "datasets": [
            {
                **config.model_dump(mode="json", exclude_none=True),
                "kind": dataset.kind,
                "problems": len(dataset.records),
                "snapshot": snapshot_of(dataset.name),
                "hash": dataset.hash,
            }
            for config, dataset in zip(plan.config.all_datasets, plan.datasets, strict=True)
        ],
        "weights": plan.weights,
        "judges": plan.judges,
        "hashes": {**plan.hashes(), "raw": None, "content": None},
        "spec": plan.spec(),
    }


class Totals:
    """Running sums over a run's samples."""

    def __init__(self) -> None:
        self.samples = 0
        self.truncated = 0
        self.prompt_tokens = 0
        self.output_tokens = 0
        self.failed = 0

    def add(self, row: dict[str, Any]) -> None:
        """Count a sample's row."""
        self.samples += 1
        self.truncated += bool(row["truncated"])
        self.prompt_tokens += row["prompt_tokens"] or 0
        self.output_tokens += row["output_tokens"] or 0

    def cost(self, settings: dict[str, Any]) -> float | None:
        """By the configured prices per million tokens; None where there are none."""
        prices = settings.get("prompt_price"), settings.get("completion_price")
        if prices == (None, None):
            return None
        return (self.prompt_tokens * (prices[0] or 0.0) + self.output_tokens * (prices[1] or 0.0)) / 1e6


def with_counts(manifest: dict[str, Any], plan: Plan, totals: Totals) -> dict[str, Any]:
    """The manifest with its counts as they stand."""
    counts = {
        "problems": len(plan.problems),
        "expected": plan.expected,
        "samples": totals.samples,
        "failed": totals.failed,
        "truncated": totals.truncated,
        "prompt_tokens": totals.prompt_tokens,
        "output_tokens": totals.output_tokens,
        "cost": totals.cost(manifest["model_settings"]),
    }
    return {**manifest, "counts": counts}


def snapshot_hashes(plan: Plan) -> dict[str, str]:
    """SHA-256 of the files that go in, by their path in the folder."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in plan.snapshots().items()}


def write_snapshots(plan: Plan) -> None:
    """Write the files that go in."""
    for name, content in plan.snapshots().items():
        path = plan.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def resumed(manifest: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """The manifest of a run that goes on. Raises RunError where the plan is of another run."""
    where = plan.folder
    if manifest["run_id"] != plan.run_id:
        raise RunError(f"{where}: holds the run {manifest['run_id']!r}, not {plan.run_id!r}")
    partition = {"index": plan.partition.index, "count": plan.partition.count} if plan.partition else None
    if manifest["partition"] != partition:
        raise RunError(f"{where}: is part {manifest['partition']}, not {partition}")
    if manifest["hashes"]["generation_spec"] != stable_hash(plan.spec()):
        changed = _differences(manifest["spec"], plan.spec())
        raise RunError(
            f"{where}: cannot go on, since {', '.join(changed)} changed since the run began; "
            "undo that, or start a run with another --run-id"
        )
    before, asked = manifest["samples_per_problem"], plan.config.decode.samples_per_problem
    if asked < before:
        raise RunError(f"{where}: samples_per_problem may grow from {before}, not shrink to {asked}")
    return {**manifest, **_described(plan), "status": "running", "completed_at": None, "missing": []}


def _differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Names of the fields that differ, down to the second level."""
    found = []
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found += [f"{name}.{key}" for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
        else:
            found.append(name)
    return found


def begun_session(engine: str, plan: Plan, hardware: dict[str, Any]) -> dict[str, Any]:
    """One start of the program on a run: with which code, where, and how it ended."""
    return {
        "started_at": now(),
        "ended_at": None,
        "status": "running",
        "engine": engine,
        "config": stable_hash(plan.config.resolved()),
        "code": code_revision(),
        "environment": environment(plan.config.model.backend),
        "hardware": hardware,
        "samples": 0,
        "failed": 0,
    }


def save(plan: Plan, manifest: dict[str, Any]) -> None:
    """Write the manifest, whole."""
    write_json(plan.folder / MANIFEST, {**manifest, "updated_at": now()})


def now() -> str:
    """The time, UTC, to the microsecond."""
    return datetime.now(UTC).isoformat()
