"""The golden run, by the real command over real HTTP: the same file, the same calls, the same ratios."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from tests.creative.golden import DATA, GENERATION, JUDGES, read, serving, stage_of, write_judges

EVALUATION = "generation_demo.json"


def evaluate(tmp_path: Path, url: str, *options: str, **settings: Any) -> int:
    judges = write_judges(tmp_path / "judges.yaml", url, **settings)
    paths = (
        "--data",
        DATA,
        "--generation",
        GENERATION,
        "--judges",
        judges,
        "--output-dir",
        tmp_path / "eval",
    )
    return main(["creative", "evaluate", *map(str, paths), *options])


def ratios(tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str) -> dict[str, Any]:
    capsys.readouterr()
    path = tmp_path / "eval" / EVALUATION
    assert (
        main(["creative", "ratios", "--data", str(DATA), "--evaluation", str(path), "--rule", rule, "--json"])
        == 0
    )
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_file_calls_and_ratios_are_the_original_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as (url, script):
        assert evaluate(tmp_path, url, "--reading", "substring", "--keep-order") == 0
    written = tmp_path / "eval" / EVALUATION
    assert json.loads(written.read_bytes()) == read("evaluation_demo.json")
    assert written.read_text() == (DATA.parent / "evaluation_demo.json").read_text()
    expected = read("expected.json")
    for rule, name in (("repository", "ratios_repo"), ("paper", "ratios_paper")):
        report = ratios(tmp_path, capsys, rule)
        assert report["ratios"] == expected[name]
        assert report["N"] == expected["N"]
        fine = expected["counts"]["fine_repo_rule" if rule == "repository" else "fine_paper_rule"]
        counts = {
            "correct": expected["counts"]["correct"],
            "coarse": expected["counts"]["coarse"],
            "fine": fine,
        }
        assert report["counts"] == counts
    assert len(script.calls) == expected["judge_calls"]
    assert sorted(map(str, map(described, script.calls))) == sorted(
        str(json.loads(line)) for line in (DATA.parent / "judge_calls.jsonl").read_text().splitlines()
    )


def described(call: Any) -> dict[str, Any]:
    """A call as judge_calls.jsonl has it."""
    text = call.messages[-1]["content"]
    references = re.findall(r"<<<BEGIN REFERENCE SOLUTION \d+ \w+>>>\n(.*)", text)
    sample = re.search(r"<<<BEGIN CANDIDATE SOLUTION \w+>>>\n(s\d)\|", text)
    assert sample is not None
    return {
        "judge": call.model,
        "stage": stage_of(call.messages),
        "sample": sample[1],
        "n_refs": len(references),
        "first_ref": references[0][:30],
    }


def test_strict_reading_differs_just_where_it_should(tmp_path: Path) -> None:
    with serving() as (url, _):
        # s5 is correct by the strict reading, and the script has no replies for its novelty.
        assert evaluate(tmp_path, url, judge={"retries": 0}) == 1
    ours = json.loads((tmp_path / "eval" / EVALUATION).read_bytes())
    theirs = read("evaluation_demo.json")
    assert [one == other for one, other in zip(ours, theirs, strict=True)] == [True] * 4 + [False] * 2
    assert ours[4]["correctness"]["claude-3-opus"] == "NO"
    assert ours[4]["correctness"]["final_decision"] == "NO"
    assert ours[5]["correctness"] == {**dict.fromkeys(JUDGES, "YES"), "final_decision": "YES"}
    assert ours[5]["coarse_grained_novelty"] == {"final_decision": "ABSTAIN"}


def test_a_second_run_asks_nothing_and_writes_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving() as (url, script):
        options = ("--reading", "substring", "--json")
        assert evaluate(tmp_path, url, *options) == 0
        first = {path.name: path.read_bytes() for path in (tmp_path / "eval").glob("*/*.json*")}
        before = json.loads(capsys.readouterr().out)
        assert evaluate(tmp_path, url, *options) == 0
        after = json.loads(capsys.readouterr().out)
        assert len(script.calls) == 36
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "eval").glob("*/*.json*")}
    assert sum(judge["asked"] for judge in before["judges"].values()) == 36
    assert sum(judge["known"] for judge in after["judges"].values()) == 36
    assert after["cost"] == 0
    for key in ("ratios", "intervals", "agreement", "states"):
        assert before[key] == after[key]


def test_the_record_tells_states_and_raw_replies(tmp_path: Path) -> None:
    with serving() as (url, _):
        evaluate(tmp_path, url, "--reading", "substring")
    rows = [
        json.loads(line)
        for line in (tmp_path / "eval/generation_demo.run/record.jsonl").read_text().splitlines()
    ]
    states = [[stage["state"] for stage in row["stages"].values()] for row in rows]
    assert states == [
        ["judged", "judged", "skipped"],
        ["judged", "skipped", "skipped"],
        ["judged", "judged", "skipped"],
        ["judged", "judged", "judged"],
        ["judged", "judged", "judged"],
        ["judged", "skipped", "skipped"],
    ]
    assert rows[0]["stages"]["fine_grained_novelty"]["why"] == "every reference was shown already (k = n)"
    assert rows[1]["stages"]["coarse_grained_novelty"]["why"] == "correctness is NO"
    assert rows[4]["stages"]["correctness"]["votes"][0]["reply"] == "NO. I cannot say YES here."
    assert rows[4]["stages"]["fine_grained_novelty"]["references"] == [3]
