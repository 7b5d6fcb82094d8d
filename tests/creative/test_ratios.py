"""Ratios, their intervals, tables by kind and agreement, from files with and without our record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.creative.agreement import agreement
from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.errors import CreativeError
from scientific_math_critpt_env.creative.evaluations import load_evaluation
from scientific_math_critpt_env.creative.ratios import RATIOS, breakdown, ratios
from tests.creative.golden import DATA, read


def write(folder: Path, rows: Any) -> Path:
    path = folder / "m.json"
    path.write_text(json.dumps(rows))
    return path


def stage(**cells: str) -> dict[str, str]:
    return cells


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return write(tmp_path, read("evaluation_demo.json"))


@pytest.mark.parametrize("rule", ["repository", "paper"])
def test_a_file_of_the_original(golden: Path, rule: Any) -> None:
    samples = load_evaluation(golden, load_dataset(DATA))
    report = ratios(samples, rule)
    assert (
        report["ratios"] == read("expected.json")["ratios_repo" if rule == "repository" else "ratios_paper"]
    )
    for name in RATIOS:
        interval = report["intervals"][name]
        assert 0 <= interval["low"] <= interval["point"] <= interval["high"] <= 1
        assert interval["point"] == pytest.approx(report["ratios"][name])
    assert report["undecided"] == dict.fromkeys(report["undecided"], 0)
    assert "without_undecided" not in report
    assert ratios(samples, rule) == report


def test_the_parts_add_up_to_the_whole(golden: Path) -> None:
    dataset = load_dataset(DATA)
    samples = load_evaluation(golden, dataset)
    whole = ratios(samples)
    by = breakdown(samples, dataset, "repository")
    assert list(by) == ["k", "n_minus_k", "competition", "difficulty"]
    assert (list(by["k"]), list(by["n_minus_k"])) == (["1", "2", "3"], ["0", "1", "2"])
    assert {name: group["N"] for name, group in by["competition"].items()} == {"DEMO_A": 3, "DEMO_B": 3}
    for groups in by.values():
        for name in ("correct", "coarse", "fine"):
            assert sum(group["counts"][name] for group in groups.values()) == whole["counts"][name]
        assert sum(group["N"] for group in groups.values()) == whole["N"]


def test_agreement_is_of_what_was_judged(golden: Path) -> None:
    report = agreement(load_evaluation(golden, load_dataset(DATA)))
    assert [report[name]["items"] for name in report] == [6, 4, 2]  # as many as judge_calls.jsonl has
    assert report["correctness"]["votes"]["gpt-4"] == {"YES": 5, "NO": 1, "ABSTAIN": 0, "ERROR": 0}
    # Pairs that agree: 1, 1/3, 1, 1, 1, 1/3 of three.
    assert report["correctness"]["agreement"] == pytest.approx((4 + 2 / 3) / 6)
    assert report["correctness"]["cohen"]["gemini-1.5-pro & gpt-4"] == {
        "items": 6,
        "kappa": pytest.approx(0.0),
    }
    assert report["fine_grained_novelty"]["fleiss"]["point"] == pytest.approx(-1 / 3)


def test_a_ratio_of_nothing_is_zero(tmp_path: Path) -> None:
    rows = read("evaluation_demo.json")
    for row in rows:
        for name in list(row)[4:]:
            row[name] = dict.fromkeys(row[name], "NO")
    report = ratios(load_evaluation(write(tmp_path, rows), load_dataset(DATA)), "paper")
    assert set(report["ratios"].values()) == {0}
    assert report["intervals"]["novelty_to_correctness"] is None
    assert report["intervals"]["correctness"]["high"] > 0


def test_undecided_samples_are_counted_and_told_apart(tmp_path: Path) -> None:
    rows = read("evaluation_demo.json")
    undecided = {"final_decision": "ABSTAIN"}
    rows[0].update(correctness={"gpt-4": "YES", **undecided}, coarse_grained_novelty=undecided)
    rows[0].update(fine_grained_novelty=undecided)
    report = ratios(load_evaluation(write(tmp_path, rows), load_dataset(DATA)))
    assert (report["N"], report["counts"]["correct"]) == (6, 3)
    assert set(report["undecided"].values()) == {1}
    assert report["without_undecided"]["ratios"]["correctness"] == 3 / 5


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: row.pop("correctness"), "record 0: 'correctness' is missing"),
        (lambda row: row["correctness"].pop("final_decision"), "record 0: 'final_decision' is missing"),
        (lambda row: row.update(correctness=[]), "record 0: correctness must be an object"),
        (lambda row: row.update(k=2), "record 0: k 2 and n 1 do not fit"),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, change: Any, told: str) -> None:
    rows = read("evaluation_demo.json")
    change(rows[0])
    with pytest.raises(CreativeError, match=told):
        load_evaluation(write(tmp_path, rows), load_dataset(DATA))


def test_a_record_of_another_evaluation_is_refused(golden: Path) -> None:
    record = golden.parent / "m.run/record.jsonl"
    record.parent.mkdir()
    record.write_text('{"problem_id": 0}\n')
    with pytest.raises(CreativeError, match="not the record of the evaluation beside it"):
        load_evaluation(golden, load_dataset(DATA))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"problem": "", "solutions": {"1": "x"}}, "`problem` must be a text"),
        ({"problem": "p", "solutions": {}}, "`solutions` must be an object"),
        ({"problem": "p", "solutions": {"1": "x", "3": "y"}}, 'must have "1" to "2"'),
        ({"problem": "p", "solutions": {"1": " "}}, "every solution must be a text"),
        ({"problem": "p", "solutions": {"1": "x"}, "difficulty": []}, "`difficulty`"),
        ([], "is not an object"),
    ],
)
def test_a_data_set_that_is_wrong_is_one_line(
    golden: Path, row: Any, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = golden.parent / "data.json"
    data.write_text(json.dumps([row]))
    assert main(["creative", "ratios", "--data", str(data), "--evaluation", str(golden)]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert "problem 0" in said
    assert len(said.splitlines()) == 1


def test_the_table(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["creative", "ratios", "--data", str(DATA), "--evaluation", str(golden)]) == 0
    said = capsys.readouterr().out
    assert "rule repository: N 6, correct 4, coarse 3, fine 1" in said
    assert "correctness                 66.67%" in said
    assert "Fleiss' kappa" in said
    assert "by difficulty" in said
