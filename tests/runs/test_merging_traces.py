"""Folders of vf-eval merged: the same samples as of one run, and every refusal by its message."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.hashing import ContentHash
from scientific_math_critpt_env.runs.merging_traces import merge_traces
from scientific_math_critpt_env.runs.reading import open_run

CONFIG = {
    "env": {"taskset": {"id": "e", "problems": "default"}},
    "model": "m",
    "client": {"base_url": "http://one", "api_key_var": "KEY"},
    "sampling": {"temperature": 0.5},
    "select": {"skip": 0, "limit": None},
    "num_rollouts": 2,
    "run": {"name": "part", "dir": "part"},
    "output_dir": "outputs",
}


def _episode(key: str, start: float, **changes: Any) -> dict[str, Any]:
    task = {"type": "T", "key": key, "hash": f"hash of {key}", "data": {"idx": ord(key) - 97, "answer": "4"}}
    trace = {
        "id": f"{key}{start}",
        "task": task,
        "verifiers": {"version": "0.4.0"},
        "agent": {"config": {"model": "m", "sampling": {}}},
        "nodes": [{"message": {"role": "assistant", "content": f"{key} at {start}"}, "sampled": True}],
        "calls": [],
        "timing": {"start": start},
        "ok": True,
        "errors": [],
    }
    episode = {"id": f"episode {key}{start}", "env": {"id": "e"}, "task": task, "traces": [trace]}
    return json.loads(json.dumps(episode | changes))


def _part(folder: Path, *episodes: dict[str, Any], **settings: Any) -> Path:
    (folder / "configs" / "resolved").mkdir(parents=True)
    (folder / "configs" / "resolved" / "eval.json").write_text(json.dumps(CONFIG | settings))
    (folder / "traces.jsonl").write_text("".join(f"{json.dumps(episode)}\n" for episode in episodes))
    return folder


def _of_version(version: str, episode: dict[str, Any]) -> dict[str, Any]:
    return {**episode, "traces": [{**t, "verifiers": {"version": version}} for t in episode["traces"]]}


EPISODES = [_episode(key, start) for start in (1.0, 2.0) for key in "abc"]
OF_A = [episode for episode in EPISODES if episode["task"]["key"] == "a"]
OTHERS = [episode for episode in EPISODES if episode["task"]["key"] != "a"]


def test_parts_of_different_problems_are_the_whole_again(tmp_path: Path) -> None:
    whole = open_run(_part(tmp_path / "whole", *random.Random(1).sample(EPISODES, 6)))
    elsewhere = {"base_url": "http://other", "api_key_var": "KEY"}
    one = _part(tmp_path / "one", *OF_A, select={"skip": 0, "limit": 1}, client=elsewhere)
    two = _part(tmp_path / "two", *OTHERS, select={"skip": 1, "limit": None})
    manifest = merge_traces([two, one], tmp_path / "merged")
    assert manifest["hashes"]["content"] == ContentHash(sample.row() for sample in whole.samples()).content
    assert manifest["counts"] == {"problems": 3, "samples": 6, "failed": 0}
    merged = open_run(tmp_path / "merged")
    assert merged.name == "merged"
    assert [sample.key for sample in merged.samples()] == [sample.key for sample in whole.samples()]
    merge_traces([one, two], tmp_path / "other-order")
    assert (tmp_path / "other-order" / "traces.jsonl").read_bytes() == (
        tmp_path / "merged" / "traces.jsonl"
    ).read_bytes()


def test_further_rollouts_count_on(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    parts = [
        _part(tmp_path / f"part{k}", _episode("a", float(k)), num_rollouts=1, select=CONFIG["select"])
        for k in range(3)
    ]
    output = tmp_path / "merged"
    assert main(["merge", "--output", str(output), *map(str, reversed(parts)), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["samples"] == 3
    found = [(sample.sample_idx, sample.raw_text) for sample in open_run(output).samples()]
    assert found == [(0, "a at 0.0"), (1, "a at 1.0"), (2, "a at 2.0")]
    assert json.loads((output / "configs" / "resolved" / "eval.json").read_text())["num_rollouts"] == 3


@pytest.mark.parametrize(
    ("episodes", "settings", "told"),
    [
        (OTHERS, {"model": "n"}, "model differs from that of"),
        (OTHERS, {"sampling": {"temperature": 1.0}}, "sampling differs"),
        (OTHERS, {"env": {"taskset": {"id": "other"}}}, "env differs"),
        (OTHERS, {"client": {"api_key_var": "OTHER"}}, "client differs"),
        (OTHERS[:3], {}, r"'c' has 1 rollouts of 2; go on with vf-eval @ .*--resume"),
        (OF_A, {}, "the episode episode a1.0 is in .* already"),
        (
            [_episode("a", s, task={**OF_A[0]["task"], "hash": "x"}) for s in (8.0, 9.0)],
            {},
            "the task 'a' is not the one in",
        ),
        (
            [_of_version("0.5", episode) for episode in OTHERS],
            {},
            r"different versions of verifiers: 0\.4\.0 in .*one, 0\.5 in .*two",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(
    tmp_path: Path, episodes: list[dict[str, Any]], settings: dict[str, Any], told: str
) -> None:
    parts = [_part(tmp_path / "one", *OF_A), _part(tmp_path / "two", *episodes, **settings)]
    with pytest.raises(RunError, match=told):
        merge_traces(parts, tmp_path / "merged")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_output_and_configuration_are_needed(tmp_path: Path) -> None:
    one, two = _part(tmp_path / "one", *OF_A), _part(tmp_path / "two", *OTHERS)
    with pytest.raises(RunError, match="exists; name a folder that does not"):
        merge_traces([one, two], one)
    (two / "configs" / "resolved" / "eval.json").unlink()
    with pytest.raises(RunError, match=r"eval\.json: is missing"):
        merge_traces([one, two], tmp_path / "merged")
    with (one / "traces.jsonl").open("a") as file:
        file.write('{"traces": [')
    with pytest.raises(RunError, match="the line is cut off"):
        merge_traces([one, two], tmp_path / "merged")
