"""Runs that were never generated: folders as `generate` leaves them, with the replies a test wants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.runs.hashing import ContentHash, stable_hash
from scientific_math_critpt_env.runs.rows import line_of
from scientific_math_critpt_env.runs.samples import Sample


@dataclass(frozen=True)
class Said:
    """A problem's gold and the replies to it."""

    id: str
    gold: str
    replies: Sequence[str]
    metadata: dict[str, Any] = field(default_factory=dict)
    truncated: bool = False


def freeze(folder: Path, said: Sequence[Said], *, dataset: str = "made", shard_size: int = 1000) -> Path:
    """Write a completed run; the folder."""
    raw, snapshots = folder / "raw", folder / "snapshots"
    raw.mkdir(parents=True)
    snapshots.mkdir()
    snapshot = "".join(json.dumps({"id": problem.id}) + "\n" for problem in said)
    (snapshots / f"{dataset}.jsonl").write_text(snapshot)
    samples = [
        Sample(
            run_id=folder.name,
            model="m",
            backend="openai",
            dataset=dataset,
            problem_id=problem.id,
            problem=f"Problem {problem.id}",
            gold_answer=problem.gold,
            gold_hash=stable_hash(problem.gold),
            sample_idx=number,
            decode={"temperature": 1.0},
            raw_text=text,
            reasoning_text="",
            final_text=text,
            thinking_status="none",
            finish_reason="length" if problem.truncated else "stop",
            prompt_tokens=10,
            output_tokens=len(text),
            response_id=f"{problem.id}-{number}",
            resolved_request={},
            truncated=problem.truncated,
            created_at="2026-01-01T00:00:00+00:00",
            metadata=problem.metadata,
        )
        for problem in said
        for number, text in enumerate(problem.replies)
    ]
    samples.sort(key=lambda sample: (sample.sample_idx, sample.problem_id))  # as bands are generated
    for start in range(0, len(samples), shard_size):
        lines = b"".join(line_of(sample.row()) for sample in samples[start : start + shard_size])
        (raw / f"shard-{start // shard_size:05d}.jsonl").write_bytes(lines)
    manifest = {
        "run_id": folder.name,
        "status": "completed",
        "datasets": [{"name": dataset, "snapshot": f"snapshots/{dataset}.jsonl"}],
        "hashes": {"raw": ContentHash(sample.row() for sample in samples).raw},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
