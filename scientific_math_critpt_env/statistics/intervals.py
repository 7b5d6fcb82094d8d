"""Intervals by the bootstrap over clusters (problems).

Samples of one problem are not independent, so whole clusters are drawn, never single samples.
Percentile intervals of few clusters are too narrow; they are widened as Hesterberg does ("What Teachers
Should Know About the Bootstrap", The American Statistician 69, 2015, section 4.2: expanded percentiles).
A bootstrap of values that are all the same says "no doubt at all", which is false; there the interval is
the exact one: of n equal draws the other values have a probability of at most 1 - (a/2)^(1/n).
Not covered: dependence between problems (of one paper, say), unless the caller's clusters say so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

LEVEL = 0.95
"""Confidence of every interval unless told otherwise."""

RESAMPLES = 2_000
"""Bootstrap draws: the ends of a 95 % interval then vary by about a twentieth of its width."""

CHUNK_ITEMS = 2_000_000
"""Drawn indices held at once: 16 MB, whatever the number of clusters."""

TIE = 1e-12
"""Differences of means nearer than this are equal: rounding must not decide a p value."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate between its confidence limits; `method` says where those come from."""

    low: float
    point: float
    high: float
    method: Literal["bootstrap", "exact", "single"] = "bootstrap"
    """"single": one cluster alone says nothing of the spread, so the limits are the bounds."""

    def row(self) -> dict[str, float | str]:
        """As written to files."""
        return {"low": self.low, "point": self.point, "high": self.high, "method": self.method}

    def limits(self) -> dict[str, float | str]:
        """As written beside the point."""
        return {"low": self.low, "high": self.high, "method": self.method}


def bootstrap(
    values: Sequence[float],
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """The mean of `values` (shape (n,)) and its interval; `clusters` names the cluster of each value.

    Without `clusters` every value is its own. `bounds` are the least and the largest a value can be.
    Raises ValueError for no values, for lengths that differ, for values outside the bounds.
    """
    data = _checked(values, bounds)
    members = cluster_members(len(data), clusters)
    sums = [float(data[inside].sum()) for inside in members]
    ratio = (sums, [float(len(inside)) for inside in members])
    return bootstrap_ratios({"mean": ratio}, seed=seed, level=level, resamples=resamples, bounds=bounds)[
        "mean"
    ]


def bootstrap_ratios(
    ratios: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> dict[str, Interval]:
    """Many estimates from the same draws of clusters, each sum(over) / sum(under).

    Every value is a pair (over, under), one number a cluster, the clusters of all in the same order; `under`
    counts what is in the cluster (ones for a mean over clusters) and must be positive somewhere.
    """
    columns = np.array(list(ratios.values()), dtype=np.float64)  # (ratios, 2, clusters)
    sums = drawn_sums(columns.reshape(2 * len(columns), -1), seed, resamples)
    found = {}
    for index, (name, pair) in enumerate(zip(ratios, columns, strict=True)):
        over, under = sums[:, 2 * index], sums[:, 2 * index + 1]
        found[name] = _interval(pair, over[under > 0] / under[under > 0], level, bounds)
    return found


def bootstrap_statistic(
    statistic: Callable[[Indices], float | None],
    size: int,
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Interval | None:
    """The interval of any `statistic` of item indices (of 0..size-1, repeats allowed), clusters drawn whole.

    None where the statistic of all items is None (undefined). Draws for which it is None are left out; where
    all draws agree, or there is one cluster, the limits are the `bounds`, for then nothing is known.
    """
    point = statistic(np.arange(size))
    if point is None:
        return None
    members = cluster_members(size, clusters)
    found = [
        value
        for block in draws(len(members), seed, resamples)
        for draw in block
        if (value := statistic(np.concatenate([members[index] for index in draw]))) is not None
    ]
    if len(members) == 1 or np.ptp(found) <= TIE:
        return Interval(bounds[0], point, bounds[1], "single")
    low, high = _ends(np.array(found), len(members), level)
    return Interval(max(bounds[0], min(low, point)), point, min(bounds[1], max(high, point)))


def cluster_members(size: int, clusters: Sequence[Hashable] | None) -> list[Indices]:
    """The item indices of each cluster, in order of first appearance. Raises ValueError for no items."""
    if size == 0:
        raise ValueError("no values: nothing to estimate")
    if clusters is None:
        return list(np.arange(size)[:, None])
    if len(clusters) != size:
        raise ValueError(f"{size} values but {len(clusters)} cluster names")
    members: dict[Hashable, list[int]] = {}
    for index, name in enumerate(clusters):
        members.setdefault(name, []).append(index)
    return [np.array(inside) for inside in members.values()]


def draws(clusters: int, seed: int, resamples: int) -> Iterator[Indices]:
    """Drawn cluster indices, `clusters` columns and `resamples` rows in all, in blocks that fit in memory."""
    generator = np.random.default_rng(seed)
    rows = max(1, CHUNK_ITEMS // clusters)
    for start in range(0, resamples, rows):
        yield generator.integers(clusters, size=(min(rows, resamples - start), clusters))


def _checked(values: Sequence[float], bounds: tuple[float, float]) -> Floats:
    data = np.asarray(values, dtype=np.float64)
    if data.size and not (data.min() >= bounds[0] and data.max() <= bounds[1]):
        raise ValueError(f"values must be numbers within {bounds[0]:g} and {bounds[1]:g}")
    if data.size == 0:
        raise ValueError("no values: nothing to estimate")
    return data


def drawn_sums(columns: Floats, seed: int, resamples: int) -> Floats:
    """The sum of every row of `columns` (columns, clusters) over each draw: (draws, columns).

    By counting how often a draw holds each cluster. `einsum`, not a matrix product: BLAS libraries differ in
    the last digit with the number of threads, and summaries are compared byte for byte.
    """
    clusters = columns.shape[1]
    blocks = []
    for draw in draws(clusters, seed, resamples):
        places = draw + clusters * np.arange(len(draw))[:, None]
        counts = np.bincount(places.ravel(), minlength=draw.size).reshape(draw.shape).astype(np.float64)
        blocks.append(np.einsum("dc,sc->ds", counts, columns, optimize=False))
    return np.concatenate(blocks)


def _interval(pair: Floats, drawn: Floats, level: float, bounds: tuple[float, float]) -> Interval:
    over, under = pair.sum(axis=1)
    point = float(over / under)
    inside = pair[:, pair[1] > 0]
    clusters = inside.shape[1]
    if clusters == 1:
        return Interval(bounds[0], point, bounds[1], "single")
    if np.ptp(inside[0] / inside[1]) <= TIE:
        return _exact(point, clusters, level, bounds)
    low, high = _ends(drawn, clusters, level)
    return Interval(min(low, point), point, max(high, point))


def _ends(drawn: Floats, clusters: int, level: float) -> tuple[float, float]:
    """Percentiles of the draws, expanded for few clusters."""
    tail = (1 - level) / 2
    widened = np.sqrt(clusters / (clusters - 1)) * special.stdtrit(clusters - 1, tail)
    outer = float(special.ndtr(widened))
    low, high = np.quantile(drawn, [outer, 1 - outer])
    return float(low), float(high)


def _exact(point: float, clusters: int, level: float, bounds: tuple[float, float]) -> Interval:
    """Limits where all clusters have one mean: others may exist, and were not drawn."""
    seen = ((1 - level) / 2) ** (1 / clusters)
    low, high = (seen * point + (1 - seen) * bound for bound in bounds)
    return Interval(min(low, point), point, max(high, point), "exact")
