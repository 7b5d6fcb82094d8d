"""Small runs, generated for real against the endpoint of `endpoint.py`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from scientific_math_critpt_env.runs.backends import make_backend
from scientific_math_critpt_env.runs.generation import generate
from scientific_math_critpt_env.runs.planning import Partition, Plan, make_plan
from scientific_math_critpt_env.runs.session import Ending

ROWS = [
    {"id": f"p{number}", "problem": f"What is {number}+{number}?", "answer": f"{2 * number}"}
    for number in range(7)
]


def configuration(folder: Path, url: str, **changes: Any) -> Path:
    """Write `run.yaml`: seven rows, a prompt, small shards; `changes` (`output__root`) go on top."""
    write_rows(folder / "rows.jsonl", ROWS)
    (folder / "prompt.txt").write_text("Solve it.\n{{problem}}\n")
    config: dict[str, Any] = {
        "dataset": {"name": "sums", "path": "rows.jsonl"},
        "model": {"backend": "openai", "name": "m", "base_url": url, "concurrency": 4},
        "prompt": "prompt.txt",
        "decode": {
            "temperature": 0.7,
            "top_p": 0.9,
            "seed": 5,
            "max_output_tokens": 64,
            "samples_per_problem": 3,
        },
        "output": {"root": "runs", "shard_size": 4, "compression": "none", "fsync_every": 3},
    }
    for path, value in changes.items():
        place = config
        *parents, last = path.split("__")
        for name in parents:
            place = place[name]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def made(
    config: Path,
    run_id: str = "run",
    *,
    partition: str | None = None,
    resume: bool = False,
    accept_missing: bool = False,
) -> tuple[Plan, Ending]:
    """Generate the run, here."""
    part = None
    if partition:
        index, count = partition.split("/")
        part = Partition(int(index), int(count))
    plan = make_plan(config, run_id, partition=part)
    return plan, generate(
        plan, lambda: make_backend(plan.config), resume=resume, accept_missing=accept_missing
    )


def manifest_of(folder: Path) -> dict[str, Any]:
    """The run's manifest."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest


def edit_manifest(folder: Path, **changes: Any) -> None:
    """Change fields of the manifest; named as in `configuration`."""
    manifest = manifest_of(folder)
    for path, value in changes.items():
        place: Any = manifest
        *parents, last = path.split("__")
        for name in parents:
            place = place[int(name) if name.isdigit() else name]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
