"""pass@k and its kin: the cases given, values of the papers, and counting over all subsets."""

import json
from fractions import Fraction
from itertools import combinations
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.statistics.majority import ESTIMATE_DRAWS, majority_at_k
from scientific_math_critpt_env.statistics.passes import (
    avg_at_k,
    best_of_k,
    pass_at_k,
    pass_hat_k,
    worst_of_k,
)

flags = st.lists(st.booleans(), min_size=1, max_size=8)


def chen(n, c, k):
    """The program of Chen et al. (2021), figure 3, in fractions."""
    if n - c < k:
        return Fraction(1)
    return 1 - prod((1 - Fraction(k, i) for i in range(n - c + 1, n + 1)), start=Fraction(1))


@given(st.integers(1, 200), st.data())
def test_pass_at_k_is_that_of_chen_et_al(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    assert pass_at_k(n, c, k) == float(chen(n, c, k))


def test_nothing_overflows_or_cancels():
    assert pass_at_k(100_000, 1, 1) == 1e-5
    assert pass_at_k(5_000, 1, 2_500) == 0.5
    assert 0 < pass_hat_k(2_000, 1_900, 500) < 1e-12


@given(flags, st.data())
@settings(max_examples=50)
def test_all_are_what_counting_subsets_gives(correct, data):
    k = data.draw(st.integers(1, len(correct)))
    subsets = list(combinations(correct, k))
    n, c = len(correct), sum(correct)
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))
    assert best_of_k(correct, k) == pytest.approx(pass_at_k(n, c, k))
    assert worst_of_k(correct, k) == pytest.approx(pass_hat_k(n, c, k))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.data())
@settings(max_examples=50)
def test_best_and_worst_of_scores(scores, data):
    k = data.draw(st.integers(1, len(scores)))
    subsets = list(combinations(scores, k))
    assert best_of_k(scores, k) == pytest.approx(sum(map(max, subsets)) / len(subsets), abs=1e-12)
    assert worst_of_k(scores, k) == pytest.approx(sum(map(min, subsets)) / len(subsets), abs=1e-12)


@given(st.integers(1, 40), st.data())
def test_laws(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    assert pass_hat_k(n, c, k) <= c / n <= pass_at_k(n, c, k)
    assert pass_at_k(n, c, 1) == pass_hat_k(n, c, 1) == c / n
    if k < n:
        assert pass_at_k(n, c, k) <= pass_at_k(n, c, k + 1)
        assert pass_hat_k(n, c, k) >= pass_hat_k(n, c, k + 1)
    assert pass_at_k(n, c, n) == (c > 0)


@pytest.mark.parametrize("wrong", [(3, 1, 4), (3, 1, 0), (3, 4, 1), (3, -1, 1)])
def test_what_cannot_be(wrong):
    with pytest.raises(ValueError):
        pass_at_k(*wrong)
    with pytest.raises(ValueError):
        pass_hat_k(*wrong)


def test_avg_is_of_the_first():
    assert avg_at_k([1, 0, 0, 1], 2) == 0.5
    with pytest.raises(ValueError):
        avg_at_k([1], 2)


def voted(labels, scores, k):
    """maj@k by its definition: all subsets, ties by lot, a drawn member speaks."""
    total, subsets = Fraction(0), list(combinations(range(len(labels)), k))
    for chosen in subsets:
        votes = {}
        for index in chosen:
            if labels[index] is not None:
                votes.setdefault(labels[index], []).append(Fraction(scores[index]))
        if votes:
            top = max(map(len, votes.values()))
            winners = [members for members in votes.values() if len(members) == top]
            total += sum(sum(members) / top for members in winners) / len(winners)
    return total / len(subsets)


@given(
    st.lists(
        st.tuples(st.sampled_from([None, "a", "b", "c", "d"]), st.integers(0, 1)), min_size=1, max_size=9
    )
)
@settings(max_examples=150, deadline=None)
def test_majority_is_what_counting_subsets_gives(samples):
    labels, scores = [label for label, _ in samples], [score for _, score in samples]
    for k in range(1, len(samples) + 1):
        assert majority_at_k(labels, scores, k) == pytest.approx(float(voted(labels, scores, k)), abs=1e-12)


def test_majority_by_hand():
    assert majority_at_k("aab", [1, 1, 0], 3) == 1
    assert majority_at_k("ab", [1, 0], 2) == 0.5  # a tie
    assert majority_at_k([None, None], [0, 0], 2) == 0
    assert majority_at_k([None, "a"], [0, 1], 2) == 1  # silence casts no vote
    assert majority_at_k("aabbb", [1, 1, 0, 0, 0], 1) == pytest.approx(0.4)
    with pytest.raises(ValueError):
        majority_at_k("a", [1], 2)
    with pytest.raises(ValueError):
        majority_at_k("ab", [1], 1)


def test_majority_of_very_many_is_estimated_and_repeats():
    labels, scores = ["a"] * 300 + ["b"] * 200, [1] * 300 + [0] * 200
    estimate = majority_at_k(labels, scores, 15, seed=4)
    assert estimate == majority_at_k(labels, scores, 15, seed=4)
    exact = majority_at_k(labels[::2], scores[::2], 15)  # half as many of each: nearly the same draw
    assert estimate == pytest.approx(exact, abs=5 * 0.5 / ESTIMATE_DRAWS**0.5)
    assert majority_at_k([None] * 300, [0] * 300, 5) == 0


def test_majority_of_many_is_quick_and_sure():
    labels = ["a"] * 120 + ["b"] * 60 + list(range(76))
    assert majority_at_k(labels, [1] * 120 + [0] * 136, 64) == pytest.approx(1, abs=5e-3)


def test_the_given_case():
    path = Path(__file__).resolve().parents[2].parent / "shared/cases/math_eval/matheval_metrics_case.json"
    if not path.exists():
        pytest.skip("the shared cases are not beside the checkout")
    case = json.loads(path.read_text())
    for name, expected in case["expected"]["k"].items():
        k = int(name)
        kept = [flags for flags in case["problems"].values() if len(flags) >= k]
        assert len(kept) == expected["problem_count"]
        passed = sum(pass_at_k(len(flags), sum(flags), k) for flags in kept) / len(kept)
        assert passed == pytest.approx(expected["pass_at_k"])
        assert sum(avg_at_k(flags, k) for flags in kept) / len(kept) == pytest.approx(expected["avg_at_k"])
