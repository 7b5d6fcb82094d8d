"""The figures for one k over many problems: pass@k, avg@k, maj@k, pass^k, best and worst of k.

Each is a mean over the problems that have at least k samples; how many were left out, and which, is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from scientific_math_critpt_env.statistics.intervals import bootstrap_ratios
from scientific_math_critpt_env.statistics.majority import is_exact, majority_at_k
from scientific_math_critpt_env.statistics.passes import (
    avg_at_k,
    best_of_k,
    pass_at_k,
    pass_hat_k,
    worst_of_k,
)

NAMED_LEFT_OUT = 50
"""Problems left out that are named; their number is always given."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What is known of one problem, in sample order."""

    name: str
    """data set:problem id."""
    correct: tuple[bool, ...]
    scores: tuple[float, ...]
    labels: tuple[Hashable | None, ...]
    """Clusters of equal answers; None where there is no answer."""


def depth_figures(
    problems: Sequence[Answered], k: int, *, seed: int, level: float, resamples: int
) -> dict[str, Any]:
    """All figures at this k, with their intervals; only the counts where no problem has k samples."""
    kept = [problem for problem in problems if len(problem.correct) >= k]
    left_out = [problem.name for problem in problems if len(problem.correct) < k]
    counts: dict[str, Any] = {
        "problem_count": len(kept),
        "left_out_count": len(left_out),
        "left_out": left_out[:NAMED_LEFT_OUT],
    }
    if not kept:
        return counts
    columns = {
        "pass_at_k": [pass_at_k(len(p.correct), sum(p.correct), k) for p in kept],
        "avg_at_k": [avg_at_k(p.correct, k) for p in kept],
        "maj_at_k": [majority_at_k(p.labels, p.correct, k, seed=seed) for p in kept],
        "pass_hat_k": [pass_hat_k(len(p.correct), sum(p.correct), k) for p in kept],
        "best_of_k": [best_of_k(p.scores, k) for p in kept],
        "worst_of_k": [worst_of_k(p.scores, k) for p in kept],
    }
    ones = [1.0] * len(kept)
    found = bootstrap_ratios(
        {name: (values, ones) for name, values in columns.items()},
        seed=seed,
        level=level,
        resamples=resamples,
    )
    return {
        **{name: interval.point for name, interval in found.items()},
        **counts,
        "maj_at_k_method": "exact" if all(is_exact(len(p.correct)) for p in kept) else "estimate",
        "intervals": {name: interval.limits() for name, interval in found.items()},
    }
