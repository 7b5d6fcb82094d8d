"""What a run's traces.jsonl says, problem by problem."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Row:
    """The rollouts of one problem."""

    problem: str
    topic: str = ""
    statuses: Counter[str] = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """Rollouts that failed for no fault of the answer; they have no score."""

    @property
    def mean(self) -> float | None:
        """Mean reward; None where every rollout failed."""
        return sum(self.scores) / len(self.scores) if self.scores else None


def read_rows(traces: Path) -> list[Row]:
    """The rows of a run, sorted by problem id. Raises `OSError` and `ValueError` where it cannot be read."""
    rows: dict[str, Row] = {}
    with traces.open(encoding="utf-8") as lines:
        for line in lines:
            episode = json.loads(line)
            for trace in episode["traces"] or [{"task": episode["task"], "errors": episode["errors"]}]:
                _add(rows, trace)
    return [rows[key] for key in sorted(rows)]


def overall_mean(rows: list[Row]) -> float | None:
    """Mean reward over all rollouts that have one."""
    scores = [score for row in rows for score in row.scores]
    return sum(scores) / len(scores) if scores else None


def formatted(rows: list[Row]) -> str:
    """The table as text."""
    cells = [("problem", "topic", "verdicts", "mean")]
    for row in rows:
        verdicts = [f"{count} {status}" for status, count in sorted(row.statuses.items())]
        verdicts += [f"{len(row.errors)} failed"] if row.errors else []
        mean = "-" if row.mean is None else f"{row.mean:.3f}"
        cells.append((row.problem, row.topic, ", ".join(verdicts), mean))
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)


def as_json(rows: list[Row]) -> list[dict[str, Any]]:
    """The table as data."""
    return [
        {
            "problem": row.problem,
            "topic": row.topic,
            "verdicts": dict(sorted(row.statuses.items())),
            "mean": row.mean,
            "errors": row.errors,
        }
        for row in rows
    ]


def _add(rows: dict[str, Row], trace: dict[str, Any]) -> None:
    key = trace["task"]["key"]
    row = rows.setdefault(key, Row(key, trace["task"]["data"].get("description") or ""))
    verdict = trace.get("info", {}).get("verdict")
    if trace.get("ok") and verdict is not None:
        row.statuses[verdict["status"]] += 1
        row.scores.append(trace["rewards"]["correct"]["score"])
        return
    told = trace.get("errors") or [{"type": "Error", "message": "no verdict"}]
    row.errors.append(f"{told[-1]['type']}: {told[-1]['message']}")
