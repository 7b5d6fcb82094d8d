"""pass@k and its kin for one problem of n samples, c of them correct: all unbiased, all exact.

- pass@k: at least one of k is correct. Chen et al., "Evaluating Large Language Models Trained on Code"
  (2021), equation 1: 1 - C(n-c, k) / C(n, k). Here in whole numbers with one division at the end, so that
  nothing cancels or overflows; the paper's product in floating point is the same number, rounded.
- pass^k: all k are correct, C(c, k) / C(n, k). Yao et al., "tau-bench" (2024).
- best and worst of k: the expected largest and smallest score of k samples; for scores of 0 and 1 these are
  pass@k and pass^k.
- avg@k: the mean of the first k samples, as math-eval defines it. Not an average over all subsets.

Every one raises ValueError where n < k: such problems are left out of that k, and the number is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def pass_at_k(samples: int, correct: int, k: int) -> float:
    """The probability that k of the `samples`, drawn without replacement, hold a correct one."""
    _check(samples, correct, k)
    ways = comb(samples, k)
    return (ways - comb(samples - correct, k)) / ways


def pass_hat_k(samples: int, correct: int, k: int) -> float:
    """The probability that k of the `samples`, drawn without replacement, are all correct (pass^k)."""
    _check(samples, correct, k)
    return comb(correct, k) / comb(samples, k)


def avg_at_k(scores: Sequence[float], k: int) -> float:
    """The mean of the first k scores, in sample order."""
    _check(len(scores), 0, k)
    return sum(scores[:k]) / k


def best_of_k(scores: Sequence[float], k: int) -> float:
    """The expected largest of k scores drawn without replacement."""
    _check(len(scores), 0, k)
    return _expected_largest(sorted(scores), k)


def worst_of_k(scores: Sequence[float], k: int) -> float:
    """The expected smallest of k scores drawn without replacement."""
    _check(len(scores), 0, k)
    return -_expected_largest(sorted(-score for score in scores), k)


def _expected_largest(ascending: Sequence[float], k: int) -> float:
    """Score number i (from 0) is the largest of k in C(i, k-1) of the C(n, k) draws."""
    ways = comb(len(ascending), k)
    return sum(score * (comb(index, k - 1) / ways) for index, score in enumerate(ascending))


def _check(samples: int, correct: int, k: int) -> None:
    if not 0 <= correct <= samples:
        raise ValueError(f"{correct} correct of {samples} samples cannot be")
    if not 1 <= k <= samples:
        raise ValueError(f"k = {k} of {samples} samples: k must be 1 to the number of samples")
