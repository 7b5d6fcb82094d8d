"""The summary of a run's verdicts: accuracy, pass@k and kin with intervals, by data set, topic, difficulty.

    summarise(rows)["k"]["4"]["pass_at_k"]                     # mean over problems with 4 samples or more
    summarise(rows)["k"]["4"]["intervals"]["pass_at_k"]        # {"low": ..., "high": ..., "method": ...}
    summarise(rows)["topics"]["fourier"]["accuracy"]

The top level holds the figures of all rows and, under "datasets", "topics", "difficulties", the same figures
of each part. Deterministic: the order of the rows does not matter, nor does time or place.
Rows that failed for no fault of the answer (`is_correct` null) are counted as ungraded and score nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scientific_math_critpt_env.statistics.clustering import Clustering, Row, by_text
from scientific_math_critpt_env.statistics.depths import Answered, depth_figures
from scientific_math_critpt_env.statistics.intervals import LEVEL, RESAMPLES, bootstrap_ratios
from scientific_math_critpt_env.statistics.tallies import (
    cost_figures,
    share,
    status_counts,
    token_figures,
)

SUMMARY_VERSION = 1

NO_CANDIDATE = ("no_candidate", "no_answer")
"""Statuses of samples in which no answer was found: boxed contracts say the first, graders the second."""

UNSTATED = "unstated"
"""The part of rows without a topic or difficulty, where other rows have one."""

PARTS = {"datasets": "dataset", "topics": "topic", "difficulties": "difficulty"}


def summarise(
    rows: Iterable[Row],
    *,
    ks: Sequence[int] | None = None,
    cluster: Clustering | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    prices: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """All figures as one JSON object; see the module's docstring and docs/statistics.md.

    `ks`: by default the powers of two up to the deepest problem, and that depth. `cluster`: which answers are
    one, for maj@k (default `by_text`). `prices`: "prompt" and "output", per million tokens.
    Raises ValueError for a k below 1.
    """
    ordered = sorted(rows, key=lambda row: (row["dataset"], row["problem_id"], row["sample_idx"]))
    if ks is not None and any(k < 1 for k in ks):
        raise ValueError(f"k must be at least 1; got {', '.join(map(str, ks))}")
    problems = _problems(ordered)
    prepare = getattr(cluster, "prepare", None)
    if prepare is not None:
        prepare([row for row in inside if _graded(row)] for inside in problems.values())
    answered = {name: _answered(name, inside, cluster or by_text) for name, inside in problems.items()}
    deepest = max((len(known.correct) for known in answered.values()), default=0)
    options = {"seed": seed, "resamples": resamples, "level": level}
    depths = sorted(set(ks)) if ks is not None else default_ks(deepest)

    def figures(names: Sequence[str]) -> dict[str, Any]:
        inside, known = [problems[name] for name in names], [answered[name] for name in names]
        return _figures(inside, known, depths, options, prices)

    return {
        "schema_version": SUMMARY_VERSION,
        **options,
        "clustering": _name_of(cluster or by_text),
        **figures(list(problems)),
        **{part: _by(problems, field, figures) for part, field in PARTS.items()},
    }


def _name_of(cluster: Clustering) -> str:
    return str(getattr(cluster, "name", "") or getattr(cluster, "__name__", type(cluster).__name__))


def default_ks(deepest: int) -> list[int]:
    """1, 2, 4, ... up to the number of samples of the deepest problem, and that number itself."""
    return sorted({1 << power for power in range(deepest.bit_length())} | ({deepest} if deepest else set()))


def _figures(
    problems: Sequence[Sequence[Row]],
    answered: Sequence[Answered],
    depths: Sequence[int],
    options: Mapping[str, Any],
    prices: Mapping[str, float] | None,
) -> dict[str, Any]:
    rows = [row for inside in problems for row in inside]
    graded = [[row for row in inside if _graded(row)] for inside in problems]
    return {
        "problem_count": len(problems),
        "sample_count": len(rows),
        "graded_count": sum(map(len, graded)),
        "ungraded_count": len(rows) - sum(map(len, graded)),
        **_rates(graded, options),
        "statuses": status_counts(rows),
        "truncated": share(sum(bool(row.get("truncated")) for row in rows), len(rows)),
        "tokens": token_figures(rows),
        "cost": cost_figures(rows, prices),
        "k": {str(k): depth_figures(answered, k, **options) for k in depths},
    }


def _rates(graded: Sequence[Sequence[Row]], options: Mapping[str, Any]) -> dict[str, Any]:
    """Shares of graded samples, problems drawn whole; None where nothing was graded."""
    softly = [[row for row in inside if isinstance(row.get("soft"), Mapping)] for inside in graded]
    ratios = {
        "accuracy": _ratio(graded, lambda row: row["is_correct"]),
        "mean_score": _ratio(graded, _score),
        "candidate_rate": _ratio(graded, lambda row: row["status"] not in NO_CANDIDATE),
        "soft_accuracy": _ratio(softly, lambda row: row["soft"].get("is_correct") is True),
        "soft_recovery": _ratio(
            softly, lambda row: row["soft"].get("is_correct") is True and not row["is_correct"]
        ),
    }
    known = {name: ratio for name, ratio in ratios.items() if sum(ratio[1])}
    found = bootstrap_ratios(known, **options) if known else {}
    return {
        **{name: found[name].point if name in found else None for name in ratios},
        "intervals": {name: interval.limits() for name, interval in found.items()},
    }


def _ratio(
    problems: Sequence[Sequence[Row]], value: Callable[[Row], float]
) -> tuple[list[float], list[float]]:
    sums = [float(sum(value(row) for row in inside)) for inside in problems]
    return sums, [float(len(inside)) for inside in problems]


def _by(
    problems: Mapping[str, Sequence[Row]], field: str, figures: Callable[[Sequence[str]], dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The figures by a field of the problems; nothing where no row has it."""
    parts: dict[str, list[str]] = {}
    for name, inside in problems.items():
        value = inside[0].get(field)
        parts.setdefault(UNSTATED if value in (None, "") else str(value), []).append(name)
    if list(parts) in ([], [UNSTATED]):
        return {}
    return {part: figures(parts[part]) for part in sorted(parts)}


def _problems(rows: Sequence[Row]) -> dict[str, list[Row]]:
    problems: dict[str, list[Row]] = {}
    for row in rows:
        problems.setdefault(f"{row['dataset']}:{row['problem_id']}", []).append(row)
    return problems


def _answered(name: str, rows: Sequence[Row], cluster: Clustering) -> Answered:
    graded = [row for row in rows if _graded(row)]
    labels = cluster(graded)
    if len(labels) != len(graded):
        raise ValueError(f"the clustering gave {len(labels)} labels for {len(graded)} rows of {name}")
    return Answered(
        name=name,
        correct=tuple(bool(row["is_correct"]) for row in graded),
        scores=tuple(_score(row) for row in graded),
        labels=tuple(labels),
    )


def _graded(row: Row) -> bool:
    return row.get("is_correct") is not None


def _score(row: Row) -> float:
    score = row.get("score")
    return float(row["is_correct"] if score is None else score)
