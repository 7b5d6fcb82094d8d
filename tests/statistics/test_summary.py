"""The summary: the given case, what is left out, parts, ungraded samples, tokens and cost."""

import json
import random
from pathlib import Path

import pytest

from scientific_math_critpt_env.statistics.clustering import by_text, text_key
from scientific_math_critpt_env.statistics.summary import default_ks, summarise

CASE = {"A": [0, 1, 0, 0], "B": [1, 1, 0, 0], "C": [0, 0, 0, 0], "D": [1, 1]}


def row(problem, index, correct, **fields):
    base = {
        "dataset": "d",
        "problem_id": problem,
        "sample_idx": index,
        "status": "correct" if correct else "incorrect",
        "is_correct": bool(correct),
        "candidate_text": "42" if correct else "7",
        "truncated": False,
    }
    return base | fields


def case_rows(**fields):
    return [row(p, i, flag, **fields) for p, flags in CASE.items() for i, flag in enumerate(flags)]


def test_the_given_case():
    path = Path(__file__).resolve().parents[2].parent / "shared/cases/math_eval/matheval_metrics_case.json"
    if not path.exists():
        pytest.skip("the shared cases are not beside the checkout")
    case = json.loads(path.read_text())
    assert case["problems"] == CASE
    summary = summarise(case_rows(), ks=[1, 2, 4])
    for name in ("accuracy", "sample_count", "problem_count"):
        assert summary[name] == case["expected"][name]
    for k, expected in case["expected"]["k"].items():
        assert {name: summary["k"][k][name] for name in expected} == pytest.approx(expected)


def test_what_is_left_out_is_shown():
    figures = summarise(case_rows(), ks=[2, 4, 8], resamples=100)["k"]
    assert (figures["4"]["left_out_count"], figures["4"]["left_out"]) == (1, ["d:D"])
    assert figures["8"] == {
        "problem_count": 0,
        "left_out_count": 4,
        "left_out": ["d:A", "d:B", "d:C", "d:D"],
    }
    assert figures["2"]["intervals"]["pass_at_k"]["low"] < figures["2"]["pass_at_k"]


def test_neither_order_nor_time_matters():
    rows = case_rows(topic="t")
    first = json.dumps(summarise(rows, seed=1, resamples=300))
    random.Random(0).shuffle(rows)
    assert json.dumps(summarise(rows, seed=1, resamples=300)) == first
    assert json.dumps(summarise(rows, seed=2, resamples=300)) != first


def test_parts():
    rows = [row("A", 0, 1, topic="fourier", difficulty=2), row("B", 0, 0, difficulty=None), row("C", 0, 0)]
    rows.append(row("A", 0, 0, dataset="other"))
    summary = summarise(rows, resamples=50)
    assert {name: part["accuracy"] for name, part in summary["datasets"].items()} == {"d": 1 / 3, "other": 0}
    assert {name: part["sample_count"] for name, part in summary["topics"].items()} == {
        "fourier": 1,
        "unstated": 3,
    }
    assert list(summary["difficulties"]) == ["2", "unstated"]
    assert summarise(case_rows(), resamples=50)["topics"] == {}


def test_failures_of_the_machinery_are_not_scored():
    rows = [row("A", 0, 1), row("A", 1, 0, status="infrastructure_error", is_correct=None)]
    summary = summarise(rows, resamples=50)
    assert (summary["accuracy"], summary["graded_count"], summary["ungraded_count"]) == (1, 1, 1)
    assert list(summary["k"]) == ["1"]
    nothing = summarise(rows[1:], ks=[1], resamples=50)
    assert nothing["accuracy"] is None
    assert nothing["k"]["1"]["problem_count"] == 0
    assert summarise([])["sample_count"] == 0


def test_majority_joins_equal_answers():
    answers = [(0, "0.5"), (0, "1/2"), (1, "7"), (0, "3")]
    rows = [row("A", i, ok, candidate_text=text) for i, (ok, text) in enumerate(answers)]
    assert summarise(rows, ks=[4], resamples=50)["k"]["4"]["maj_at_k"] == 0
    apart = summarise(rows, ks=[4], resamples=50, cluster=lambda inside: [r["sample_idx"] for r in inside])
    assert apart["k"]["4"]["maj_at_k"] == pytest.approx(0.25)
    with pytest.raises(ValueError, match="1 labels for 4 rows"):
        summarise(rows, cluster=lambda inside: [0])


def test_correct_answers_vote_together():
    rows = [row("A", 0, 1, candidate_text="pi"), row("A", 1, 1, candidate_text="3.14159"), row("A", 2, 0)]
    assert by_text(rows)[0] == by_text(rows)[1] != by_text(rows)[2]
    assert by_text([row("A", 0, 0, candidate_text=None, status="no_candidate")]) == [None]


@pytest.mark.parametrize(
    "same",
    [
        ("0.5", "1/2", " .50", "$0.5$", "5e-1"),
        ("x + 1", "x+1"),
        ("-3", "-3.0", "-6/2"),
        ("2", "+2.", "2.000000000000000"),
    ],
)
def test_texts_of_one_value(same):
    assert len({text_key(text) for text in same}) == 1


def test_texts_of_other_values():
    others = ["1/2", "1/3", "1/0", "9" * 70, "1e9999999", "x", "-x", "", "1/2/3", "٣", "Infinity", "nan"]
    assert len({text_key(text) for text in others}) == len(others)


def test_tokens_truncation_and_cost():
    rows = [row("A", i, i == 0, prompt_tokens=100, output_tokens=50 * i, truncated=i == 2) for i in range(3)]
    rows.append(row("B", 0, 0, prompt_tokens=None, output_tokens=None))
    summary = summarise(rows, resamples=50, prices={"prompt": 1.0, "output": 10.0})
    assert summary["truncated"] == {"count": 1, "rate": 0.25}
    assert summary["tokens"]["output"] == {
        "total": 150, "mean": 50, "median": 50, "largest": 100, "known_count": 3,
    }  # fmt: skip
    assert summary["cost"] == {
        "total": pytest.approx(0.0018),
        "mean": pytest.approx(0.0006),
        "known_count": 3,
        "per_correct": pytest.approx(0.0018),
    }
    assert summarise(rows, resamples=50)["cost"] is None
    assert summarise([row("A", 0, 0, cost=0.25)], resamples=50)["cost"]["total"] == 0.25


def test_soft_verdicts():
    soft = [{"is_correct": True}, {"is_correct": False}, None]
    rows = [row("A", i, 0, status="no_candidate", soft=verdict) for i, verdict in enumerate(soft)]
    summary = summarise(rows, resamples=50)
    assert (summary["soft_accuracy"], summary["soft_recovery"], summary["candidate_rate"]) == (0.5, 0.5, 0)


def test_ks():
    assert default_ks(0) == []
    assert default_ks(1) == [1]
    assert default_ks(6) == [1, 2, 4, 6]
    assert default_ks(8) == [1, 2, 4, 8]
    with pytest.raises(ValueError, match="at least 1"):
        summarise([], ks=[0])


def test_scores_between_make_best_and_worst():
    rows = [row("A", i, 0, score=score) for i, score in enumerate([0.0, 0.5, 1.0])]
    figures = summarise(rows, ks=[2], resamples=50)["k"]["2"]
    assert figures["best_of_k"] == pytest.approx((0.5 + 1 + 1) / 3)
    assert figures["worst_of_k"] == pytest.approx((0 + 0 + 0.5) / 3)
