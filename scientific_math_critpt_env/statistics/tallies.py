"""Counts of a set of verdict rows that need no interval: statuses, truncation, tokens, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from scientific_math_critpt_env.statistics.clustering import Row

MILLION = 1_000_000
"""Prices are per million tokens, as every price list has them."""

TOKEN_FIELDS = {"prompt": "prompt_tokens", "output": "output_tokens"}


def status_counts(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Count and share by status, names sorted."""
    counts = Counter(str(row["status"]) for row in rows)
    return {status: share(counts[status], len(rows)) for status in sorted(counts)}


def share(count: int, of: int) -> dict[str, float]:
    """A count and its share; the share of nothing is 0."""
    return {"count": count, "rate": count / of if of else 0.0}


def token_figures(rows: Sequence[Row]) -> dict[str, dict[str, float] | None]:
    """Of prompt and output tokens: total, mean, median, largest, of how many samples; None for no sample."""
    return {name: _figures(rows, field) for name, field in TOKEN_FIELDS.items()}


def cost_figures(rows: Sequence[Row], prices: Mapping[str, float] | None) -> dict[str, float] | None:
    """The cost: each row's own `cost`, else its tokens at `prices` ("prompt", "output", per million tokens).

    `known_count` samples have one. None where no sample has. Per correct answer: only where there is one.
    """
    costs = [cost for row in rows if (cost := cost_of(row, prices)) is not None]
    if not costs:
        return None
    total = sum(costs)
    figures = {"total": total, "mean": total / len(costs), "known_count": len(costs)}
    correct = sum(row.get("is_correct") is True for row in rows)
    return figures | ({"per_correct": total / correct} if correct else {})


def cost_of(row: Row, prices: Mapping[str, float] | None) -> float | None:
    """What one sample cost; None where that is not known."""
    told = row.get("cost")
    if isinstance(told, int | float):
        return float(told)
    counts = {name: row.get(field) for name, field in TOKEN_FIELDS.items()}
    if not prices or any(count is None for count in counts.values()):
        return None
    return sum(float(counts[name] or 0) * prices.get(name, 0.0) for name in counts) / MILLION


def _figures(rows: Sequence[Row], field: str) -> dict[str, float] | None:
    known: list[Any] = [row[field] for row in rows if row.get(field) is not None]
    if not known:
        return None
    return {
        "total": sum(known),
        "mean": sum(known) / len(known),
        "median": float(median(known)),
        "largest": max(known),
        "known_count": len(known),
    }
