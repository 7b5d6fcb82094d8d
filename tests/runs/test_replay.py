"""Replay: the same bytes whatever the workers and interruptions, and never a byte of raw/ changed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.runs.contracts import CONTRACTS, contract_hash, open_contract
from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from scientific_math_critpt_env.runs.hashing import file_hash
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.replay import Replayed, replay
from scientific_math_critpt_env.runs.samples import Sample
from tests.runs.frozen import Said, freeze
from tests.runs.processes import descendants, wait_until_gone

pytestmark = pytest.mark.xdist_group("replay")

ROWS = ("rows.jsonl", "metrics.json", "contract.json")
SAID = [
    Said("b", "\\frac{1}{2}", [r"\boxed{0.5}", r"\boxed{2}", "it is $0.5$"], {"topic": "fractions"}),
    Said("a", "x^2-1", [r"\boxed{(x-1)(x+1)}", r"\boxed{x^2}", ""], {"topic": "algebra"}, truncated=True),
    Said("c", "7", [r"\boxed{}", r"\boxed{7}", r"\boxed{7\text{ apples}}"], {"topic": "fractions"}),
]


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    return freeze(tmp_path / "demo", SAID, shard_size=4)


def _made(replayed: Replayed) -> dict[str, bytes]:
    assert {path.name for path in replayed.folder.iterdir()} == set(ROWS)
    return {name: (replayed.folder / name).read_bytes() for name in ROWS}


def test_verdicts_and_metrics(run_folder: Path, dual: MathV52Dual) -> None:
    replayed = replay(open_run(run_folder), dual, ks=[1, 3])
    rows = list(open_run(run_folder).verdicts("math-v5.2-dual"))
    assert [(row["problem_id"], row["sample_idx"]) for row in rows] == [
        (problem, number) for problem in "bac" for number in range(3)
    ]
    assert [row["status"] for row in rows] == [
        *("correct", "incorrect", "no_candidate"),
        *("correct", "incorrect", "no_candidate"),
        *("parse_error", "correct", "correct"),
    ]
    assert [row["soft"]["status"] for row in rows[2:6:3]] == ["correct", "no_candidate"]
    assert [row["truncated"] for row in rows] == [False] * 3 + [True] * 3 + [False] * 3
    assert rows[0]["topic"] == "fractions"
    assert replayed.metrics["accuracy"] == pytest.approx(4 / 9)
    assert replayed.metrics["k"]["3"]["pass_at_k"] == 1.0
    assert set(replayed.metrics["k"]) == {"1", "3"}
    assert json.loads((replayed.folder / "metrics.json").read_bytes()) == replayed.metrics
    recorded = json.loads((replayed.folder / "contract.json").read_bytes())
    assert recorded["hash"] == "e0b9e40ca45b1844b4a1d31252988bab15083be80615d3e9649b71ffb1f2cc22"
    assert recorded["environment"]["packages"]["math-verify"] == "0.9.0"


def test_again_is_the_same_bytes_and_raw_is_not_touched(run_folder: Path, dual: MathV52Dual) -> None:
    raw = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in run_folder.glob("raw/*")}
    first = _made(replay(open_run(run_folder), dual))
    dual._remembered.clear()
    assert _made(replay(open_run(run_folder), dual)) == first
    assert raw == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in run_folder.glob("raw/*")}


class _Interrupted(Exception):
    pass


def test_an_interrupted_replay_goes_on_where_it_stopped(run_folder: Path, dual: MathV52Dual) -> None:
    whole = _made(replay(open_run(run_folder), dual))

    def stop_after(count: int) -> Any:
        def engine(contract: Any, samples: Iterator[Sample], write: Any) -> None:
            from scientific_math_critpt_env.runs.replay import here

            written: list[dict[str, Any]] = []

            def counted(row: dict[str, Any]) -> None:
                if len(written) == count:
                    raise _Interrupted
                written.append(row)
                write(row)

            here(contract, samples, counted)

        return engine

    for count in (0, 2, 3):
        with pytest.raises(_Interrupted):
            replay(open_run(run_folder), dual, engine=stop_after(count))
        assert (run_folder / "parsed" / "math-v5.2-dual" / "rows.jsonl").read_bytes() == whole["rows.jsonl"]
    rows = run_folder / ".replay-math-v5.2-dual" / "rows.jsonl"
    assert rows.read_bytes().count(b"\n") == 5
    rows.write_bytes(rows.read_bytes()[:-7])  # as a power cut leaves it
    assert _made(replay(open_run(run_folder), dual)) == whole
    assert not list(run_folder.glob(".replay*"))


def test_rows_of_another_state_are_not_gone_on_with(run_folder: Path, dual: MathV52Dual) -> None:
    whole = _made(replay(open_run(run_folder), dual))
    unfinished = run_folder / ".replay-math-v5.2-dual"
    unfinished.mkdir()
    (unfinished / "rows.jsonl").write_text("{}\n{}\n")
    (unfinished / "replaying.json").write_text('{"hash": "of something else"}')
    assert _made(replay(open_run(run_folder), dual)) == whole


def test_two_replays_at_once_are_refused(run_folder: Path, dual: MathV52Dual) -> None:
    def engine(contract: Any, samples: Iterator[Sample], write: Any) -> None:
        with pytest.raises(RunError, match="another process is replaying it"):
            replay(open_run(run_folder), dual)
        raise _Interrupted

    with pytest.raises(_Interrupted):
        replay(open_run(run_folder), dual, engine=engine)


def test_edited_samples_are_refused_before_anything_is_judged(run_folder: Path, dual: MathV52Dual) -> None:
    shard = run_folder / "raw" / "shard-00001.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"boxed{2}", b"boxed{5}", 1).replace(b"x^2}", b"x^3}", 1))
    with pytest.raises(RunError, match="hash of their content differs"):
        replay(open_run(run_folder), dual)
    assert not (run_folder / "parsed").exists()


def _with_hash_of_the_snapshot(folder: Path) -> None:
    name = "snapshots/made.jsonl"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(
        json.dumps({**manifest, "snapshots": {name: file_hash(folder / name)}})
    )


def test_edited_or_missing_snapshots_are_refused(run_folder: Path, dual: MathV52Dual) -> None:
    _with_hash_of_the_snapshot(run_folder)
    snapshot = run_folder / "snapshots" / "made.jsonl"
    lines = snapshot.read_bytes().splitlines(keepends=True)
    snapshot.write_bytes(b"".join(reversed(lines)))
    with pytest.raises(RunError, match=r"made\.jsonl: the snapshot was changed after the run began; restore"):
        replay(open_run(run_folder), dual)
    snapshot.unlink()
    with pytest.raises(RunError, match=r"made\.jsonl: the snapshot is missing; restore the folder"):
        replay(open_run(run_folder), dual)
    assert not (run_folder / "parsed").exists()


@pytest.mark.parametrize("hashes", ["[]", "null", '{"raw": 1}', "NaN"])
def test_a_damaged_manifest_is_one_line(run_folder: Path, hashes: str, capsys: pytest.CaptureFixture) -> None:
    manifest = json.loads((run_folder / "manifest.json").read_bytes())
    told = json.dumps({**manifest, "hashes": "HASHES"}).replace('"HASHES"', hashes)
    (run_folder / "manifest.json").write_text(told)
    assert main(["replay", str(run_folder), "--contract", "math-v5.2-dual"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "manifest.json: " in line


PROGRAM = "```python\nimport sympy as sp\n\ndef model_answer():\n    return {}\n```\n"
ROW = Problem(id="area", prompt="The area of a unit disc?", answer_fn="pi", topic="t", difficulty=2)


def test_problem_rows_are_graded_by_our_grader(tmp_path: Path) -> None:
    row = ROW.model_dump(mode="json", exclude_unset=True)
    replies = [PROGRAM.format("sp.pi"), PROGRAM.format("sp.Integer(3)"), "no code", PROGRAM.format("1/0")]
    replies += [
        PROGRAM.format("sp.Symbol('x')*(sp.Symbol('x') + 1)"),
        PROGRAM.format("sp.sympify('x**2 + x')"),
    ]
    metadata = {"topic": "t", "difficulty": 2, "problem_row": row}
    folder = freeze(tmp_path / "graded", [Said("area", "pi", replies, metadata)])
    with closing(open_contract("scientific-v1", workers=2)) as contract:
        first = _made(replay(open_run(folder), contract))
        assert _made(replay(open_run(folder), contract)) == first
    rows = [json.loads(line) for line in first["rows.jsonl"].splitlines()]
    assert [row["status"] for row in rows] == [
        *("correct", "incorrect", "no_answer", "code_error", "incorrect", "incorrect")
    ]
    assert (rows[0]["normalized_prediction"], rows[0]["normalized_gold"]) == ("pi", "pi")
    assert (rows[0]["soft"], rows[0]["difficulty"]) == (None, 2)
    assert "def model_answer" in rows[0]["candidate_text"]
    assert rows[2]["extraction_rule"] == "none"
    assert json.loads(first["contract.json"])["payload"]["grader"] == "scientific-v1"
    metrics = json.loads(first["metrics.json"])
    assert metrics["clustering"] == "the grader's equality"
    assert metrics["k"]["6"]["maj_at_k"] == 0.0  # x*(x + 1) and x**2 + x are one answer, with two votes


def test_each_contract_has_a_hash_of_its_own() -> None:
    contracts = [open_contract(id, workers=1) for id in CONTRACTS]
    assert [contract.id for contract in contracts] == list(CONTRACTS)
    assert len({contract_hash(contract) for contract in contracts}) == len(CONTRACTS)
    with pytest.raises(RunError, match="unknown contract 'math-v5'"):
        open_contract("math-v5")


def test_canonical_records_do_not_suit_our_graders(run_folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["replay", str(run_folder), "--contract", "scientific-v1"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith(
        f"scientific-math replay: {run_folder}: made:b: scientific-v1 needs problem rows"
    )
    assert len(told) == 3


def test_the_command_on_one_worker_makes_the_same_and_leaves_nothing_behind(
    run_folder: Path, capsys: pytest.CaptureFixture, dual: MathV52Dual
) -> None:
    expected = _made(replay(open_run(run_folder), dual, ks=[1, 2]))
    command = ["replay", str(run_folder), "--contract", "math-v5.2-dual", "--workers", "1", "--k", "1", "2"]
    files, others = len(os.listdir("/proc/self/fd")), descendants(os.getpid())
    assert main([*command, "--json"]) == 0
    assert len(os.listdir("/proc/self/fd")) <= files
    wait_until_gone(descendants(os.getpid()) - others)
    printed = capsys.readouterr()
    (line,) = printed.out.splitlines()
    summary = json.loads(line)
    assert (summary["run"], summary["samples"]) == ("demo", 9)
    assert summary["contract_hash"].startswith("e0b9e40c")
    assert summary["metrics"] == json.loads(expected["metrics.json"])
    assert {name: (Path(summary["output"]) / name).read_bytes() for name in ROWS} == expected


@pytest.mark.slow
def test_killed_at_a_random_moment_it_leaves_no_process_and_ends_the_same(
    tmp_path: Path, dual: MathV52Dual
) -> None:
    said = [Said(f"p{k}", str(k), [rf"\boxed{{{k} + {n} - {n}}}" for n in range(20)]) for k in range(20)]
    folder = freeze(tmp_path / "killed", said)
    whole = _made(replay(open_run(folder), dual))
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "replay", str(folder)]
    process = subprocess.Popen([*command, "--contract", "math-v5.2-dual"], stderr=subprocess.DEVNULL)
    rows = folder / ".replay-math-v5.2-dual" / "rows.jsonl"
    while not rows.exists() or rows.stat().st_size < 20_000:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    started = descendants(process.pid)
    assert len(started) >= 2  # the zygote and its workers
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until_gone(started)
    assert _made(replay(open_run(folder), dual)) == whole
