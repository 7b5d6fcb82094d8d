"""Two runs compared: the given case, what is refused and why, the command."""

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.comparable import contract_of
from scientific_math_critpt_env.runs.comparing import compare_runs, scored, solved
from scientific_math_critpt_env.runs.reading import open_run
from tests.report.made_runs import DECODE, Made, from_flags, replay_as, write_run

FIRST = {"A": [0, 1, 0, 0], "B": [1, 1, 0, 0], "C": [0, 0, 0, 0], "D": [1, 1]}
SECOND = {"A": [0, 0, 0, 0], "B": [1, 0, 0, 1], "C": [1, 1, 1, 0], "D": [1, 1]}


def compared(first, second, **options):
    runs = [scored(open_run(path), "scientific-v1") for path in (first, second)]
    return compare_runs(*runs, resamples=200, **options)


def test_solved_as_in_the_given_case():
    flags = {("d", name): [bool(flag) for flag in oks] for name, oks in FIRST.items()}
    expected = {1: ["B", "D"], 2: ["A", "B", "D"]}
    path = Path(__file__).resolve().parents[2].parent / "shared/cases/math_eval/matheval_metrics_case.json"
    if path.exists():
        assert {
            int(k): v for k, v in json.loads(path.read_text())["compare_solved_first_k"].items()
        } == expected
    for k, names in expected.items():
        assert [name for _, name in solved(flags, k)] == names


def test_acquired_retained_forgotten(tmp_path):
    first = write_run(tmp_path / "first", from_flags(FIRST))
    second = write_run(tmp_path / "second", from_flags(SECOND))
    found = compared(first, second)
    assert list(found["k"]) == ["1", "2"]  # 1, and what every problem has
    two = found["k"]["2"]
    assert (two["acquired"], two["retained"], two["forgotten"]) == (["d:C"], ["d:B", "d:D"], ["d:A"])
    assert (two["overlap"], two["left_out"], two["unsolved"], two["mcnemar_p_value"]) == (4, 0, 0, 1.0)
    assert two["avg_at_k"]["first"] == pytest.approx(0.625)
    assert two["pass_at_k"]["first"] == pytest.approx(0.5833333333)
    back = compared(second, first)["k"]["2"]
    assert (back["acquired"], back["forgotten"]) == (["d:A"], ["d:C"])
    assert back["pass_at_k"]["difference"]["p_value"] == two["pass_at_k"]["difference"]["p_value"]
    four = compared(first, second, ks=[4])["k"]["4"]
    assert (four["overlap"], four["left_out"]) == (3, 1)
    with pytest.raises(RunError, match="no problem has 9 graded samples"):
        compared(first, second, ks=[9])


def test_a_run_does_not_differ_from_itself(tmp_path):
    run = write_run(tmp_path / "run", from_flags(FIRST))
    found = compared(run, run)["k"]["2"]
    assert found["acquired"] == found["forgotten"] == []
    assert found["pass_at_k"]["difference"]["p_value"] == 1


def test_ungraded_samples_do_not_count(tmp_path):
    made = from_flags({"A": [1, 0], "B": [0, 1]})
    first = write_run(tmp_path / "first", made)
    second = write_run(tmp_path / "second", [*made[:3], Made("d", "B", 1, None)])
    found = compared(first, second)
    assert list(found["k"]) == ["1"]
    assert compared(first, second, ks=[2])["k"]["2"]["left_out"] == 1


OTHERS = {
    "only the first run asked 1 problem (d:B)": ({"A": [1]}, {}),
    "only the second run asked 6 problems (d:P0, d:P1, d:P2, d:P3, d:P4 and 1 more)": (
        {"A": [1], "B": [0], **{f"P{i}": [0] for i in range(6)}},
        {},
    ),
    "no problem was asked in both runs": ({"Z": [1]}, {}),
    "the golds of 2 problems (d:A, d:B) differ": ({"A": [1], "B": [0]}, {"gold": "3"}),
    "the texts of 2 problems (d:A, d:B) differ": ({"A": [1], "B": [0]}, {"problem": "What is $2$?"}),
    "they were sampled differently: temperature is 1.0 and 0.0": (
        {"A": [1], "B": [0]},
        {"decode": {**DECODE, "temperature": 0.0}},
    ),
}


@pytest.mark.parametrize("reason", OTHERS)
def test_what_is_refused(tmp_path, capsys, reason):
    flags, fields = OTHERS[reason]
    first = write_run(tmp_path / "first", from_flags({"A": [1], "B": [0]}))
    second = write_run(tmp_path / "second", from_flags(flags, **fields))
    assert main(["compare", str(first), str(second), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "first and second cannot be compared:" in err
    assert reason in err


def test_what_may_be_allowed(tmp_path):
    first = write_run(tmp_path / "first", from_flags({"A": [1], "B": [0]}))
    second = write_run(tmp_path / "second", from_flags({"A": [1]}, decode={**DECODE, "temperature": 0.0}))
    with pytest.raises(RunError, match="sampled differently"):
        compared(first, second, allow=["problems"])
    found = compared(first, second, allow=["problems", "decode"])
    assert len(found["differences"]) == 2
    assert (found["k"]["1"]["overlap"], found["k"]["1"]["left_out"]) == (1, 1)


def test_contracts(tmp_path):
    made = from_flags({"A": [1]})
    first, second = write_run(tmp_path / "first", made), write_run(tmp_path / "second", made)
    runs = [open_run(first), open_run(second)]
    assert contract_of(runs) == "scientific-v1"
    with pytest.raises(RunError, match="no verdicts under critpt-v1"):
        contract_of(runs, "critpt-v1")
    for folder in (first, second):
        replay_as(folder, made, "critpt-v1")
    with pytest.raises(RunError, match="choose with --contract"):
        contract_of(runs)
    assert contract_of(runs, "critpt-v1") == "critpt-v1"
    replay_as(second, made, "scientific-v1", contract_hash="another")
    with pytest.raises(RunError, match="its hash differs"):
        compared(first, second)
    third = write_run(tmp_path / "third", made, contract="math-v5.2-dual")
    with pytest.raises(RunError, match="no contract in common"):
        contract_of([open_run(first), open_run(third)])


def test_tampered_samples_are_refused(tmp_path, capsys):
    first, second = (write_run(tmp_path / name, from_flags({"A": [1]})) for name in ("first", "second"))
    shard = second / "raw/shard-00000.jsonl"
    shard.write_text(shard.read_text().replace("The answer is", "The answer was"))
    assert main(["compare", str(first), str(second)]) == 1
    assert "are not those the run was completed with" in capsys.readouterr().err


def test_verdicts_from_before_the_run_went_on_are_refused(tmp_path, capsys):
    first = write_run(tmp_path / "first", from_flags({"A": [1, 0]}))
    second = write_run(tmp_path / "second", from_flags({"A": [1, 0]}))
    replay_as(second, from_flags({"A": [1]}), "scientific-v1")
    assert main(["compare", str(first), str(second)]) == 1
    assert "no verdict under scientific-v1 on ('d', 'A', 1); replay the run" in capsys.readouterr().err
    (second / "parsed/scientific-v1/rows.jsonl").write_text('{"dataset": "d"}\n')
    assert main(["compare", str(first), str(second)]) == 1
    assert "a verdict under scientific-v1 is damaged (KeyError('problem_id'))" in capsys.readouterr().err
    replay_as(second, from_flags({"A": [1, 0, 0]}), "scientific-v1")
    with pytest.raises(RunError, match=r"on \('d', 'A', 2\), which is no sample"):
        compared(first, second)


def test_the_command(tmp_path, capsys):
    first = write_run(tmp_path / "first", from_flags(FIRST))
    second = write_run(tmp_path / "second", from_flags(SECOND))
    assert main(["compare", str(first), str(second), "--k", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["first"], found["second"], found["contract"]) == ("first", "second", "scientific-v1")
    assert main(["compare", str(first), str(second)]) == 0
    out = capsys.readouterr().out
    assert "k = 2: 4 problems in both, 0 left out" in out
    assert "acquired        1  d:C" in out
