"""maj@k: how often the plurality answer of k samples is right, for one problem.

Votes of equal answers are one cluster. Of k samples drawn without replacement the largest cluster wins, tied
ones by lot; samples without an answer cast no vote, and no votes at all is wrong. (Wang et al.,
"Self-Consistency Improves Chain of Thought Reasoning in Language Models", 2022, there for one draw.)
The expectation over all C(n, k) draws is exact up to `EXACT_SAMPLES`; beyond, a seeded estimate.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import comb

import numpy as np

from scientific_math_critpt_env.statistics.passes import avg_at_k

EXACT_SAMPLES = 256
"""C(256, 128) is 6e75: all counts are far within floats, and a problem costs some tenths of a second."""

Clusters = tuple[tuple[int, float], ...]
"""(size, mean score) of each, sorted."""

ESTIMATE_DRAWS = 20_000
"""Standard error of the estimate: at most 0.0036."""


def majority_at_k(
    labels: Sequence[Hashable | None], scores: Sequence[float], k: int, *, seed: int = 0
) -> float:
    """The expected score of the plurality answer of k samples; labels[i] is the cluster of sample i.

    None is a sample without an answer. Where the members of a cluster differ in score, one of the drawn
    members speaks for it. Raises ValueError where there are fewer than k samples.
    """
    if len(labels) != len(scores):
        raise ValueError(f"{len(labels)} labels but {len(scores)} scores")
    avg_at_k(scores, k)  # refuses a k that is out of range
    clusters: dict[Hashable, list[float]] = {}
    for label, score in zip(labels, scores, strict=True):
        if label is not None:
            clusters.setdefault(label, []).append(score)
    silent = len(labels) - sum(map(len, clusters.values()))
    tallied = tuple(sorted((len(members), sum(members) / len(members)) for members in clusters.values()))
    if len(labels) > EXACT_SAMPLES:
        return _estimate(tallied, silent, k, seed)
    return min(1.0, _expected(tallied, silent, k))


def is_exact(samples: int) -> bool:
    """Whether maj@k of that many samples is the exact expectation."""
    return samples <= EXACT_SAMPLES


@lru_cache(maxsize=4096)
def _expected(clusters: Clusters, silent: int, k: int) -> float:
    """The expected score of the winner. Summed over the winner's votes; smaller clusters cannot matter then,
    and count as silence that may be drawn at will."""
    drawn = sum(size for size, _ in clusters) + silent
    total = 0.0
    for votes in range(1, min(max((size for size, _ in clusters), default=0), k) + 1):
        large = [(size, mean) for size, mean in clusters if size >= votes]
        small = drawn - sum(size for size, _ in large)
        total += _won_with(votes, large, small, k)
    return total / comb(drawn, k)


def _won_with(votes: int, large: Sequence[tuple[int, float]], small: int, k: int) -> float:
    """Ways to draw k with none of the `large` above `votes` and some at it, each by the mean score of those.

    A product of one polynomial a cluster, of which the coefficient of x^k is asked: `ways[0, t]` counts the
    draws with t clusters at `votes`, `ways[1, t]` weighs them by the sum of those clusters' scores.
    """
    ways = np.zeros((2, min(len(large), k // votes) + 1, k + 1))
    ways[0, 0] = [float(comb(small, drawn)) for drawn in range(k + 1)]
    for size, mean in large:
        following = np.zeros_like(ways)
        for drawn in range(votes):  # every large cluster has as many
            following[:, :, drawn:] += comb(size, drawn) * ways[:, :, : k + 1 - drawn]
        tied = comb(size, votes) * ways[:, :-1, : k + 1 - votes]
        following[:, 1:, votes:] += tied
        following[1, 1:, votes:] += mean * tied[0]
        ways = following
    return float(sum(ways[1, ties, k] / ties for ties in range(1, ways.shape[1])))


def _estimate(clusters: Clusters, silent: int, k: int, seed: int) -> float:
    if not clusters:
        return 0.0
    generator = np.random.default_rng(seed)
    sizes = [size for size, _ in clusters]
    counts = generator.multivariate_hypergeometric([*sizes, silent], k, size=ESTIMATE_DRAWS)[:, :-1]
    tops = counts.max(axis=1, keepdims=True)
    winners = (counts == tops) & (tops > 0)
    shares = winners.sum(axis=1)
    earned = (winners * np.array([mean for _, mean in clusters])).sum(axis=1) / np.maximum(shares, 1)
    return float(earned.mean())
