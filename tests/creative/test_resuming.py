"""Killed with SIGKILL wherever it happens to be, and run again: no reply asked for twice, the same files."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import diskcache
import pytest

from scientific_math_critpt_env.creative.errors import CreativeError
from scientific_math_critpt_env.creative.folders import RunFolder
from scientific_math_critpt_env.demo.judges import JudgeScript, Rule
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.judging import Judge
from scientific_math_critpt_env.judging.requesting import reply_key
from tests.creative.golden import write_judges

RULES = [
    Rule(model="a", delay=0.03, contains=("word 3",), reply="Step 1 fails.\nVerdict: NO"),
    Rule(model="b", delay=0.05, contains=("word 5",), reply="Nobody can say."),
    Rule(stage="generation", delay=0.04, reply="Unlike the given solutions, we count word {digest} again."),
    Rule(delay=0.02, reply="It holds.\nVerdict: YES"),
]


def write_data(path: Path, problems: int) -> Path:
    rows = [
        {
            "competition": f"C{index % 2}",
            "competition_id": "C",
            "problem_id": 1,
            "problem": f"What is {index} + {index}?",
            "solutions": {str(n): f"Way {n} to {2 * index}." for n in range(1, 2 + index % 3)},
        }
        for index in range(problems)
    ]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def write_generation(path: Path, data: Path) -> Path:
    places = [
        {"problem_id": index, "k": k, "n": len(row["solutions"])}
        for index, row in enumerate(json.loads(data.read_text()))
        for k in range(1, len(row["solutions"]) + 1)
    ]
    rows = [{**place, "response": f"word {number} of a solution"} for number, place in enumerate(places)]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def start(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "creative", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill_after(process: subprocess.Popen[bytes], script: JudgeScript, calls: int) -> None:
    """Kill once the server has seen so many calls, in the middle of whatever goes on then."""
    target = len(script.calls) + calls
    while len(script.calls) < target:
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    time.sleep(0.1)  # calls on their way when it died are counted to the run that made them


def stored(folder: Path) -> set[str]:
    with diskcache.Cache(str(folder), disk=diskcache.JSONDisk) as store:
        return set(store)


def judge_key(call: Any) -> str:
    judge = Judge(name=call.model, model=call.model, base_url="http://any")
    return reply_key(judge, {"model": call.model, "messages": list(call.messages)})


def evaluated(folder: Path) -> dict[str, bytes]:
    return {
        name: (folder / name).read_bytes() for name in ("m.json", "m.run/record.jsonl", "m.run/manifest.json")
    }


@pytest.mark.slow
def test_evaluate(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data.json", 9)
    generation = write_generation(tmp_path / "m.json", data)
    script = JudgeScript(RULES)
    with running([], judges=script) as url:
        judges = write_judges(tmp_path / "judges.yaml", url, judges=("a", "b", "c"), judge={"concurrency": 2})
        options = ("evaluate", "--data", data, "--generation", generation, "--judges", judges, "--output-dir")
        with start(*options, tmp_path / "fresh") as process:
            assert process.wait(60) == 0
        fresh, whole = evaluated(tmp_path / "fresh"), len(script.calls)
        place = random.Random(7)
        killed, repeated = tmp_path / "killed", 0
        for _ in range(2):
            known = stored(killed / "m.run/replies") if killed.exists() else set()
            seen = len(script.calls)
            with start(*options, killed) as process:
                kill_after(process, script, place.randrange(3, whole // 5))
            assert not known & {judge_key(call) for call in script.calls[seen:]}
            repeated += sum(
                judge_key(call) not in stored(killed / "m.run/replies") for call in script.calls[seen:]
            )
        known, seen = stored(killed / "m.run/replies"), len(script.calls)
        with start(*options, killed) as process:
            assert process.wait(60) == 0
        assert not known & {judge_key(call) for call in script.calls[seen:]}
    assert evaluated(killed) == fresh
    assert len(script.calls) == 2 * whole + repeated  # again only what was under way when it was killed
    assert repeated <= 2 * 6


@pytest.mark.slow
def test_generate(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data.json", 12)
    script = JudgeScript(RULES)
    with running([], judges=script) as url:
        options = ("generate", "--data", data, "--model", "m", "--base-url", url, "--concurrency", 2)
        with start(*options, "--output-dir", tmp_path / "fresh") as process:
            assert process.wait(60) == 0
        whole = len(script.calls)
        for calls in (8,):
            seen = len(script.calls)
            with start(*options, "--output-dir", tmp_path / "killed") as process:
                kill_after(process, script, calls)
            assert not (tmp_path / "killed/m.json").exists()
        with start(*options, "--output-dir", tmp_path / "killed") as process:
            assert process.wait(60) == 0
        assert len(script.calls) - seen <= whole + 2
    assert evaluated(tmp_path / "killed") == evaluated(tmp_path / "fresh")
    assert whole == 24
    assert len(script.calls) <= 2 * whole + 2


@pytest.mark.parametrize(
    "content", ["", "[]", "{", "[" * 100_000, "\udcff"], ids=lambda text: ascii(text[:5])
)
def test_a_damaged_manifest_is_one_line(tmp_path: Path, content: str) -> None:
    folder = RunFolder(tmp_path, "m")
    folder.begin({"model": "m"}, overwrite=False)
    (folder.beside / "manifest.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(CreativeError, match="is damaged; use --overwrite"):
        folder.begin({"model": "m"}, overwrite=False)
    folder.begin({"model": "m"}, overwrite=True)
