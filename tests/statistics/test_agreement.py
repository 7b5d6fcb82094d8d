"""Agreement: the worked examples of the papers, laws, and intervals that draw whole problems."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.statistics.agreement import (
    cohen_interval,
    cohen_kappa,
    fleiss_interval,
    fleiss_kappa,
    percent_agreement,
    vote_counts,
)

# Fleiss (1971), table 1: 30 patients, 6 psychiatrists each; depression, personality disorder, schizophrenia,
# neurosis, other. The paper: category shares .144 .144 .167 .306 .239, mean agreement .555, kappa .430.
PATIENTS = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip

# The table that textbooks and encyclopaedias work through: 10 items, 14 raters, kappa 0.210.
TEXTBOOK = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip

# Cohen (1960): 200 patients, two judges, three diagnoses; observed .70, by chance .41, kappa .492.
COHEN = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]


def ratings(table):
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


def test_fleiss_1971():
    assert fleiss_kappa(PATIENTS) == pytest.approx(0.430, abs=5e-4)
    assert percent_agreement(PATIENTS) == pytest.approx(0.5556, abs=1e-4)


def test_fleiss_textbook():
    assert fleiss_kappa(TEXTBOOK) == pytest.approx(0.210, abs=5e-4)
    assert percent_agreement(TEXTBOOK) == pytest.approx(0.378, abs=5e-4)


def test_cohen_1960():
    first, second = ratings(COHEN)
    assert len(first) == 200
    assert cohen_kappa(first, second) == pytest.approx((0.70 - 0.41) / (1 - 0.41), abs=1e-12)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [([[20, 5], [10, 15]], 0.40), ([[45, 15], [25, 15]], 0.1304), ([[25, 35], [5, 35]], 0.2593)],
)
def test_cohen_textbook(table, kappa):
    assert cohen_kappa(*ratings(table)) == pytest.approx(kappa, abs=5e-5)


def test_undefined_where_everyone_says_one_thing():
    assert cohen_kappa(["YES"] * 5, ["YES"] * 5) is None
    assert fleiss_kappa([[3, 0]] * 5) is None
    assert fleiss_interval([[3, 0]] * 5) is None


def test_abstentions_leave_fewer_votes():
    votes = [
        ["YES", "YES", "ABSTAIN"],
        ["NO", "NO", "NO"],
        ["YES", "NO", "YES"],
        ["YES", "ABSTAIN", "ABSTAIN"],
    ]
    counts = vote_counts(votes, ["YES", "NO"])
    assert counts == [[2, 0], [0, 3], [2, 1], [1, 0]]
    assert fleiss_kappa(counts) == fleiss_kappa(counts[:3])
    # by hand: agreements 1, 1, 1/3; shares of YES 1, 0, 2/3
    observed, yes = 7 / 9, 5 / 9
    chance = yes**2 + (1 - yes) ** 2
    assert fleiss_kappa(counts) == pytest.approx((observed - chance) / (1 - chance))


@pytest.mark.parametrize(
    "wrong", [[], [[1, 0], [0, 1]], [[2, 1], [1]], [[3, -1]]], ids=["none", "one vote", "ragged", "negative"]
)
def test_tables_that_are_none(wrong):
    with pytest.raises(ValueError):
        fleiss_kappa(wrong)


def test_verdicts_of_other_items():
    with pytest.raises(ValueError, match="different numbers"):
        cohen_kappa("ab", "a")
    with pytest.raises(ValueError, match="no items"):
        cohen_kappa([], [])


votes = st.lists(st.tuples(st.sampled_from("YNA"), st.sampled_from("YNA")), min_size=1, max_size=40)


@given(votes)
def test_cohen_is_symmetric_bounded_and_blind_to_names(pairs):
    first, second = zip(*pairs, strict=True)
    kappa = cohen_kappa(first, second)
    assert kappa == cohen_kappa(second, first)
    renamed = {"Y": 1, "N": (2,), "A": "third"}
    assert kappa == cohen_kappa([renamed[v] for v in first], [renamed[v] for v in second])
    if kappa is not None:
        assert -1 <= kappa <= 1
        assert (kappa == pytest.approx(1)) == (first == second)


@given(
    st.lists(st.lists(st.sampled_from("YN"), min_size=2, max_size=5), min_size=1, max_size=20), st.randoms()
)
def test_fleiss_is_blind_to_order(items, random):
    kappa = fleiss_kappa(vote_counts(items, "YN"))
    shuffled = [random.sample(item, len(item)) for item in random.sample(items, len(items))]
    assert fleiss_kappa(vote_counts(shuffled, "NY")) == (
        None if kappa is None else pytest.approx(kappa, abs=1e-9)
    )
    assert kappa is None or -1 - 1e-9 <= kappa <= 1


def test_intervals_hold_the_point_and_repeat():
    first, second = ratings(COHEN)
    interval = cohen_interval(first, second, seed=3, resamples=500)
    assert interval == cohen_interval(first, second, seed=3, resamples=500)
    assert interval.low < interval.point < interval.high
    # Fleiss, Cohen and Everitt (1969) give the standard error of this kappa as 0.055 or so
    assert (interval.high - interval.low) / (2 * 1.96) == pytest.approx(0.053, abs=0.008)
    many = fleiss_interval(PATIENTS, resamples=500)
    assert many.low < many.point < many.high


def test_clusters_widen():
    first, second = ratings(COHEN)
    order = sorted(range(200), key=lambda index: (first[index], second[index]))
    first, second = [first[i] for i in order], [second[i] for i in order]
    alone = cohen_interval(first, second, resamples=500)
    together = cohen_interval(first, second, clusters=[i // 10 for i in range(200)], resamples=500)
    assert together.point == alone.point
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


@settings(max_examples=20)
@given(st.integers(0, 5))
def test_clusters_of_items_without_two_votes_are_left_out(gap):
    counts = [row[:] for row in PATIENTS]
    counts.insert(gap, [1, 0, 0, 0, 0])
    clusters = list(range(len(counts)))
    found = fleiss_interval(counts, clusters=clusters, resamples=50)
    assert found.point == fleiss_kappa(PATIENTS)
