"""Agreement beyond chance: Cohen's kappa of two judges, Fleiss' kappa of many, with intervals.

Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971); where items
have different numbers of votes (abstentions), as Gwet, "Handbook of Inter-Rater Reliability" (2014), ch. 2:
each item's agreement among its own votes, the chance from the mean of the items' shares.
Kappa is None, not 0 and not 1, where it is undefined: everyone always said the same one thing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from scientific_math_critpt_env.statistics.intervals import (
    LEVEL,
    RESAMPLES,
    TIE,
    Indices,
    Interval,
    bootstrap_statistic,
)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """The agreement of two judges on the same items; first[i] and second[i] are their verdicts on item i.

    None where undefined. Raises ValueError for no items and for lengths that differ.
    """
    left, right, categories = _coded(first, second)
    return _cohen(left, right, categories)


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """The agreement of many judges; counts[i][j] is how many put item i into category j (see `vote_counts`).

    Items with fewer than two votes say nothing on agreement and are left out. None where undefined.
    Raises ValueError for ragged or negative counts, and where no item has two votes.
    """
    return _fleiss(_table(counts))


def cohen_interval(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Cohen's kappa with its interval; `clusters` names the problem of each item, drawn whole."""
    left, right, categories = _coded(first, second)
    return bootstrap_statistic(
        lambda chosen: _cohen(left[chosen], right[chosen], categories),
        len(left),
        clusters=clusters,
        seed=seed,
        level=level,
        resamples=resamples,
    )


def fleiss_interval(
    counts: Sequence[Sequence[int]],
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Fleiss' kappa with its interval; `clusters` names the problem of each item, drawn whole."""
    if clusters is not None and len(clusters) == len(counts):
        clusters = [name for name, row in zip(clusters, counts, strict=True) if sum(row) >= 2]
    table = _table(counts)
    return bootstrap_statistic(
        lambda chosen: _fleiss(table[chosen]),
        len(table),
        clusters=clusters,
        seed=seed,
        level=level,
        resamples=resamples,
    )


def vote_counts(
    votes: Sequence[Sequence[Hashable]], categories: Sequence[Hashable] | None = None
) -> list[list[int]]:
    """The table for `fleiss_kappa`: votes[i] are the verdicts on item i, in any order and number.

    Votes outside `categories` (abstentions, say) are not counted; without it every vote is a category.
    """
    if categories is None:
        categories = list(dict.fromkeys(vote for item in votes for vote in item))
    return [[sum(vote == category for vote in item) for category in categories] for item in votes]


def percent_agreement(counts: Sequence[Sequence[int]]) -> float:
    """The share of pairs of votes on an item that agree, mean over items: what kappa corrects for chance."""
    return float(_item_agreement(_table(counts)).mean())


def _cohen(left: Indices, right: Indices, categories: int) -> float | None:
    observed = float(np.mean(left == right))
    totals = [np.bincount(side, minlength=categories) for side in (left, right)]
    return _beyond_chance(observed, int(totals[0] @ totals[1]) / len(left) ** 2)


def _fleiss(table: NDArray[np.float64]) -> float | None:
    observed = float(_item_agreement(table).mean())
    shares = (table / table.sum(axis=1, keepdims=True)).mean(axis=0)
    return _beyond_chance(observed, float(shares @ shares))


def _beyond_chance(observed: float, chance: float) -> float | None:
    if 1 - chance <= TIE:
        return None
    return (observed - chance) / (1 - chance)


def _item_agreement(table: NDArray[np.float64]) -> NDArray[np.float64]:
    votes = table.sum(axis=1)
    agreement: NDArray[np.float64] = (table * (table - 1)).sum(axis=1) / (votes * (votes - 1))
    return agreement


def _coded(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[Indices, Indices, int]:
    if len(first) != len(second):
        raise ValueError(f"verdicts on different numbers of items: {len(first)} and {len(second)}")
    if not len(first):
        raise ValueError("no items: agreement is of nothing")
    codes: dict[Hashable, int] = {}
    left, right = (
        np.array([codes.setdefault(verdict, len(codes)) for verdict in side]) for side in (first, second)
    )
    return left, right, len(codes)


def _table(counts: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Items with at least two votes, as floats of shape (items, categories)."""
    if len({len(row) for row in counts}) > 1:
        raise ValueError("every item must have a count for every category")
    table = np.array(counts, dtype=np.float64).reshape(len(counts), -1)
    if (table < 0).any():
        raise ValueError("counts cannot be negative")
    table = table[table.sum(axis=1) >= 2]
    if not len(table):
        raise ValueError("no item has two votes: agreement is of nothing")
    return table
