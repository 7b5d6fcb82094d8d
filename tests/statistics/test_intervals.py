"""Intervals: known values, laws, and how often they hold the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.statistics.intervals import (
    Interval,
    bootstrap,
    bootstrap_statistic,
)
from scientific_math_critpt_env.statistics.paired import mcnemar, paired_difference

shares = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=30)


@given(shares, st.integers(0, 99))
@settings(max_examples=50)
def test_the_point_is_within_and_runs_repeat(values, seed):
    interval = bootstrap(values, seed=seed, resamples=200)
    assert 0 <= interval.low <= interval.point <= interval.high <= 1
    assert interval.point == pytest.approx(sum(values) / len(values))
    assert interval == bootstrap(values, seed=seed, resamples=200)


def test_no_doubt_is_not_claimed_where_all_agree():
    """Clopper and Pearson (1934): 0 of 10 has the upper limit 0.3085."""
    interval = bootstrap([0.0] * 10)
    assert interval == Interval(0.0, 0.0, pytest.approx(0.30850, abs=1e-5), "exact")
    assert bootstrap([1.0] * 10).low == pytest.approx(0.69150, abs=1e-5)
    assert bootstrap([1.0, 1.0, 1.0], clusters=["p", "p", "p"]) == Interval(0.0, 1.0, 1.0, "single")


def test_whole_clusters_are_drawn():
    """Ten copies of each of 20 problems know no more than the 20 problems."""
    problems = [0.0] * 12 + [1.0] * 8
    few = bootstrap(problems, seed=5)
    many = bootstrap(problems * 10, clusters=list(range(20)) * 10, seed=5)
    assert many == few
    assert bootstrap(problems * 10, seed=5).high < few.high


def test_near_the_textbook_interval_for_many_values():
    values = [1.0] * 300 + [0.0] * 700
    interval = bootstrap(values, resamples=5000)
    half = 1.96 * np.sqrt(0.3 * 0.7 / 1000)
    assert interval.low == pytest.approx(0.3 - half, abs=0.004)
    assert interval.high == pytest.approx(0.3 + half, abs=0.004)


def test_holds_the_truth_as_often_as_it_says():
    """Of 15 problems with pass rates uniform in [0, 1]: the mean 1/2 is inside about 95 times in 100."""
    generator = np.random.default_rng(11)
    held = 0
    for trial in range(400):
        interval = bootstrap(list(generator.random(15)), seed=trial, resamples=400)
        held += interval.low <= 0.5 <= interval.high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize("values", [[], [1.5], [float("nan")], [-0.1]])
def test_values_that_cannot_be(values):
    with pytest.raises(ValueError):
        bootstrap(values)


def test_names_of_other_length():
    with pytest.raises(ValueError, match="2 values but 1"):
        bootstrap([0.0, 1.0], clusters=["a"])


def test_a_statistic_of_indices():
    values = np.array([0.0, 0.2, 0.4, 0.9, 1.0, 0.3])
    by_indices = bootstrap_statistic(lambda chosen: float(values[chosen].mean()), 6, seed=2, bounds=(0, 1))
    direct = bootstrap(list(values), seed=2)
    assert (by_indices.low, by_indices.high) == (pytest.approx(direct.low), pytest.approx(direct.high))
    assert bootstrap_statistic(lambda chosen: None, 3) is None


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (10, 0, 2 / 1024), (1, 9, 22 / 1024), (3, 7, 0.34375), (121, 59, 4.434e-06)],
)
def test_mcnemar_exact(gained, lost, p):
    """Binomial tails; 121 against 59 is the textbook table of the test (statsmodels' and R's example)."""
    assert mcnemar(gained, lost) == pytest.approx(p, rel=1e-3)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


def test_mcnemar_wants_counts():
    with pytest.raises(ValueError):
        mcnemar(-1, 2)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
@settings(max_examples=40)
def test_a_difference_turns_with_its_sides(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = paired_difference(left, right, resamples=200), paired_difference(right, left, resamples=200)
    assert there.interval.point == pytest.approx(-back.interval.point, abs=1e-12)
    assert there.p_value == back.p_value
    assert 0 < there.p_value <= 1
    assert paired_difference(left, left, resamples=50).p_value == 1


def test_p_values_are_uniform_where_nothing_differs():
    generator = np.random.default_rng(3)
    small = [
        paired_difference(
            list(generator.random(25)), list(generator.random(25)), seed=t, resamples=300
        ).p_value
        for t in range(300)
    ]
    assert np.mean(np.array(small) <= 0.05) == pytest.approx(0.05, abs=0.035)
    assert np.mean(np.array(small) <= 0.5) == pytest.approx(0.5, abs=0.1)


def test_a_clear_difference_is_seen():
    left = [0.1, 0.2, 0.0, 0.3, 0.2, 0.1, 0.4, 0.0, 0.2, 0.1]
    found = paired_difference(left, [value + 0.5 for value in left[:-1]] + [0.7])
    assert found.p_value < 0.01
    assert found.interval.low > 0.3


def test_all_gained_is_the_sign_test():
    assert paired_difference([0.0] * 6, [1.0] * 6).p_value == pytest.approx(2 / 64)
    assert paired_difference([0.0], [1.0]).p_value == 1
