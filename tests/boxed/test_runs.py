"""The real vf-eval and vf-replay on the boxed environment, and their output replayed as a run of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.demo.replies import Reply
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.replay import replay

pytestmark = [pytest.mark.xdist_group("replay"), pytest.mark.slow]

BIN = Path(sys.executable).parent
REPLIES = {
    "right": Reply(r"Two and two: \boxed{4}"),
    "wrong": Reply(r"<think>\boxed{4}</think> I say \boxed{5}"),
    "unboxed": Reply("It is $4$."),
    "cut off": Reply(r"so \boxed{4} and then \boxed{", finish_reason="length"),
}


class BoxedScript:
    """Replies by the word that stands in the problem."""

    def replies(self, messages: Sequence[dict[str, Any]], *, n: int, seed: int | None) -> list[Reply] | None:
        return next([reply] * n for word, reply in REPLIES.items() if word in messages[-1]["content"])


def _traces(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "traces.jsonl").read_text().splitlines()
    return {trace["task"]["key"]: trace for line in lines for trace in json.loads(line)["traces"]}


def test_vf_eval_vf_replay_and_our_replay_agree(tmp_path: Path, dual: MathV52Dual) -> None:
    rows = tmp_path / "rows.jsonl"
    records = [{"id": word, "problem": f"What is 2 + 2 ({word})?", "answer": "4"} for word in REPLIES]
    rows.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PRIME_")}
    environment = {**kept, "HOME": str(tmp_path), "PRIME_DISABLE_VERSION_CHECK": "1"}
    with running([BoxedScript()]) as url:
        done = subprocess.run(
            [
                *(str(BIN / "vf-eval"), "scientific-math-boxed", "-m", "scripted", "-r", "1"),
                *("--env.taskset.problems", str(rows), "--client.base-url", url),
                *("--client.api-key-var", "NO_KEY", "--no-push", "--no-rich"),
                *("-o", str(tmp_path), "--run.name", "boxed"),
            ],
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
    assert done.returncode == 0, done.stderr
    traces = _traces(tmp_path / "boxed")
    rewards = {key: trace["rewards"]["correct"]["score"] for key, trace in traces.items()}
    assert rewards == {"right": 1.0, "wrong": 0.0, "unboxed": 0.0, "cut off": 1.0}
    metrics = {name: {key: trace["metrics"][name] for key, trace in traces.items()} for name in METRICS}
    assert metrics == METRICS

    again = subprocess.run(
        [str(BIN / "vf-replay"), str(tmp_path / "boxed"), "--rich", "False", "-o", str(tmp_path / "again")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert again.returncode == 0, again.stderr
    rescored = _traces(tmp_path / "again")
    assert {key: trace["info"] for key, trace in rescored.items()} == {
        key: trace["info"] for key, trace in traces.items()
    }

    run = open_run(tmp_path / "boxed")
    assert [sample.key for sample in run.samples()] == [("rows", word, 0) for word in REPLIES]
    replay(run, dual)
    for row in run.verdicts("math-v5.2-dual"):
        verdict = traces[row["problem_id"]]["info"]["verdict"]
        assert {name: row[name] for name in verdict if name != "soft"} == {
            name: value for name, value in verdict.items() if name != "soft"
        }
        assert row["truncated"] == (row["problem_id"] == "cut off")
    assert main(["replay", str(tmp_path / "boxed"), "--contract", "scientific-v1"]) == 1


METRICS = {
    "soft_correct": {"right": 1.0, "wrong": 0.0, "unboxed": 1.0, "cut off": 1.0},
    "boxed": {"right": 1.0, "wrong": 1.0, "unboxed": 0.0, "cut off": 1.0},
    "truncated": {"right": 0.0, "wrong": 0.0, "unboxed": 0.0, "cut off": 1.0},
    "parse_error": dict.fromkeys(REPLIES, 0.0),
    "verification_error": dict.fromkeys(REPLIES, 0.0),
}
