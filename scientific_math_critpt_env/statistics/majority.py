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
"""C(256, 128) is 6e75: all counts are far within floats, and a problem costs under a second."""

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
    means = [sum(members) / len(members) for members in clusters.values()]
    sizes = [len(members) for members in clusters.values()]
    silent = len(labels) - sum(sizes)
    if len(labels) > EXACT_SAMPLES:
        return _estimate(sizes, means, silent, k, seed)
    wins = win_probabilities(tuple(sorted(sizes)), silent, k)
    return min(1.0, sum(mean * wins[size] for mean, size in zip(means, sizes, strict=True)))


def is_exact(samples: int) -> bool:
    """Whether maj@k of that many samples is the exact expectation."""
    return samples <= EXACT_SAMPLES


@lru_cache(maxsize=4096)
def win_probabilities(sizes: tuple[int, ...], silent: int, k: int) -> dict[int, float]:
    """The probability that a given cluster of each size wins among k; `sizes` of all clusters, sorted."""
    ways = comb(sum(sizes) + silent, k)
    wins = {}
    for size in dict.fromkeys(sizes):
        others = list(sizes)
        others.remove(size)
        favourable = sum(
            comb(size, votes) * _weight_of_losing(others, silent, votes, k - votes)
            for votes in range(1, min(size, k) + 1)
        )
        wins[size] = favourable / ways
    return wins


def _weight_of_losing(others: Sequence[int], silent: int, votes: int, rest: int) -> float:
    """Ways to draw `rest` from `others` and the silent, none above `votes`; t that tie count 1/(t+1).

    The coefficient of x^rest in a product of one polynomial in x a cluster; rows count the ties.
    """
    ways = np.zeros((rest // votes + 1, rest + 1))
    ways[0] = [float(comb(silent, drawn)) for drawn in range(rest + 1)]
    for size in others:
        following = np.zeros_like(ways)
        for drawn in range(min(size, votes - 1, rest) + 1):
            following[:, drawn:] += comb(size, drawn) * ways[:, : rest + 1 - drawn]
        if size >= votes and rest >= votes:
            following[1:, votes:] += comb(size, votes) * ways[:-1, : rest + 1 - votes]
        ways = following
    return float(sum(row[rest] / (ties + 1) for ties, row in enumerate(ways)))


def _estimate(sizes: Sequence[int], means: Sequence[float], silent: int, k: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    counts = generator.multivariate_hypergeometric([*sizes, silent], k, size=ESTIMATE_DRAWS)[:, :-1]
    if not sizes:
        return 0.0
    tops = counts.max(axis=1, keepdims=True)
    winners = (counts == tops) & (tops > 0)
    shares = winners.sum(axis=1)
    earned = (winners * np.asarray(means)).sum(axis=1) / np.maximum(shares, 1)
    return float(earned.mean())
