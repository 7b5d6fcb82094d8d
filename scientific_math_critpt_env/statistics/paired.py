"""Two runs on the same problems: the mean difference with its interval and p value, and McNemar's test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from scientific_math_critpt_env.statistics.intervals import (
    LEVEL,
    RESAMPLES,
    TIE,
    Floats,
    Interval,
    bootstrap,
    drawn_sums,
)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of right - left over clusters, its interval, and the two-sided p value of "no difference"."""

    interval: Interval
    p_value: float
    clusters: int

    def row(self) -> dict[str, object]:
        """As written to files."""
        return {**self.interval.row(), "p_value": self.p_value, "clusters": self.clusters}


def paired_difference(
    left: Sequence[float],
    right: Sequence[float],
    *,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> PairedDifference:
    """The mean of right[i] - left[i] over problems i, with interval and p value.

    The p value is of the bootstrap of differences moved to mean 0: the share of draws at least as far from 0
    as the one observed (this one counted among them, so it is never 0). One problem, or none that differs: 1.
    Raises ValueError for no values and for lengths that differ.
    """
    if len(left) != len(right):
        raise ValueError(f"paired values of different lengths: {len(left)} and {len(right)}")
    difference = np.asarray(right, dtype=np.float64) - np.asarray(left, dtype=np.float64)
    interval = bootstrap(list(difference), seed=seed, level=level, resamples=resamples, bounds=bounds)
    count = len(difference)
    if count == 1 or np.ptp(difference) <= TIE:
        return PairedDifference(interval, _sign_p_value(difference), count)
    centred = (difference - difference.mean()) * np.sqrt(count / (count - 1))
    moved = drawn_sums(centred[None], seed, resamples)[:, 0] / count
    farther = int(np.count_nonzero(np.abs(moved) >= abs(interval.point) - TIE))
    return PairedDifference(interval, (farther + 1) / (resamples + 1), count)


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p value of McNemar's test: problems that only one of two runs solves.

    McNemar, Psychometrika 12 (1947); the exact form is the sign test, Binomial(gained + lost, 1/2).
    """
    if gained < 0 or lost < 0:
        raise ValueError("counts cannot be negative")
    total = gained + lost
    tail = sum(comb(total, index) for index in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / 2**total)


def _sign_p_value(difference: Floats) -> float:
    """For differences that are all the same: the sign test."""
    if abs(difference[0]) <= TIE:
        return 1.0
    return mcnemar(len(difference), 0)
