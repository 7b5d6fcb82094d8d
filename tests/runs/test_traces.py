"""Folders of vf-eval as runs: numbering, golds, what is left out, and damage told by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.runs.config import DatasetConfig
from scientific_math_critpt_env.runs.datasets import load_dataset
from scientific_math_critpt_env.runs.reading import Run, open_run

ROW = {"id": "area", "prompt": "The area of a unit disc?", "answer_fn": "pi", "topic": "t", "difficulty": 2}
DUMPED = {**ROW, "answer_type": "symbolic", "symbols": {}, "unordered": False, "entry_point": "model_answer"}


def _trace(key: str, start: float, *said: str, **changes: Any) -> dict[str, Any]:
    """A trace as verifiers 0.4 writes it, without what is not read."""
    data = {"idx": 0, "id": key, "prompt": "asked", "answer": "4", "problem": "What is 2 + 2?"}
    nodes = [{"message": {"role": "user", "content": "asked"}, "sampled": False}]
    nodes += [{"message": {"role": "assistant", "content": text}, "sampled": True} for text in said]
    trace = {
        "id": f"{key}-{start}",
        "task": {"type": "T", "key": key, "data": data | changes.pop("data", {})},
        "agent": {"config": {"model": "m", "sampling": {"temperature": 0.5, "top_p": None}}},
        "nodes": nodes,
        "calls": [
            {"finish_reason": "stop", "usage": {"prompt_tokens": 5, "completion_tokens": len(text)}}
            for text in said
        ],
        "timing": {"start": start},
        "ok": True,
        "errors": [],
    }
    return trace | changes


def _folder(folder: Path, *traces: dict[str, Any], config: dict[str, Any] | None = None) -> Path:
    episodes = [
        {"env": {"id": "some-env"}, "run": {"name": "demo"}, "task": trace["task"], "traces": [trace]}
        for trace in traces
    ]
    folder.mkdir(exist_ok=True)
    (folder / "traces.jsonl").write_text("".join(f"{json.dumps(episode)}\n" for episode in episodes))
    if config is not None:
        (folder / "configs" / "resolved").mkdir(parents=True)
        (folder / "configs" / "resolved" / "eval.json").write_text(json.dumps(config))
    return folder


def _only(run: Run) -> Any:
    (sample,) = run.samples()
    return sample


def test_samples_are_numbered_as_they_started(tmp_path: Path) -> None:
    traces = [
        _trace("b", 3.0, "third", data={"idx": 1}),
        _trace("a", 2.0, "second"),
        _trace("b", 1.0, "first", data={"idx": 1}),
    ]
    run = open_run(_folder(tmp_path / "run", *traces))
    run.verify()
    assert [(sample.problem_id, sample.sample_idx, sample.raw_text) for sample in run.samples()] == [
        ("a", 0, "second"),
        ("b", 0, "first"),
        ("b", 1, "third"),
    ]
    assert (run.name, run.contracts()) == ("demo", [])
    assert run.manifest["counts"] == {"problems": 2, "samples": 3, "failed": 0}
    other_order = open_run(_folder(tmp_path / "moved", *reversed(traces)))
    assert list(other_order.samples()) == list(run.samples())


def test_what_a_sample_says(tmp_path: Path) -> None:
    calls = [{"finish_reason": "length", "usage": {"prompt_tokens": 7, "completion_tokens": 11}}]
    trace = _trace("a", 0.0, r"<think>\boxed{5}</think>so \boxed{4}", calls=calls)
    sample = _only(open_run(_folder(tmp_path / "run", trace)))
    assert (sample.dataset, sample.model, sample.backend) == ("some-env", "m", "verifiers")
    assert (sample.final_text, sample.thinking_status) == (r"so \boxed{4}", "closed")
    assert (sample.truncated, sample.finish_reason) == (True, "length")
    assert (sample.prompt_tokens, sample.output_tokens) == (7, 11)
    assert (sample.problem, sample.gold_answer) == ("What is 2 + 2?", "4")
    assert sample.decode == {"temperature": 0.5}
    assert sample.created_at == "1970-01-01T00:00:00+00:00"


def test_problem_rows_have_the_golds_of_a_run_of_ours(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "run", _trace("area", 0.0, "x", data={"problem": DUMPED}))
    sample = _only(open_run(folder))
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(ROW) + "\n")
    (record,) = load_dataset(DatasetConfig(name="rows", path="rows.jsonl"), tmp_path).records
    assert (sample.gold_hash, sample.gold_answer) == (record.gold_hash, record.answer)
    assert sample.problem == record.problem
    assert Problem.model_validate(sample.metadata["problem_row"]) == Problem.model_validate(DUMPED)
    assert (sample.metadata["topic"], sample.metadata["difficulty"]) == ("t", 2)


@pytest.mark.parametrize(("said", "final"), [(("one", "two", "three"), "two"), (("one",), ""), ((), "")])
def test_two_turns_are_judged_by_the_second(tmp_path: Path, said: tuple[str, ...], final: str) -> None:
    data = {"problem": DUMPED, "follow_up": "Now the code."}
    sample = _only(open_run(_folder(tmp_path / "run", _trace("area", 0.0, *said, data=data))))
    assert (sample.final_text, sample.metadata["block"]) == (final, "first")


@pytest.mark.parametrize(
    ("taskset", "name"),
    [
        ({"problems": "builtin", "source": "rows"}, "builtin"),
        ({"problems": "builtin", "source": "generated"}, "generated"),
        ({"problems": "/data/olympiad.jsonl"}, "olympiad"),
        ({"problems": "default"}, "some-env"),
        ({}, "some-env"),
    ],
)
def test_the_data_set_has_the_name_of_its_source(tmp_path: Path, taskset: dict[str, Any], name: str) -> None:
    config = {"env": {"taskset": taskset}, "model": "m"}
    assert _only(open_run(_folder(tmp_path / "run", _trace("a", 0.0, "x"), config=config))).dataset == name


def test_failed_rollouts_are_no_samples(tmp_path: Path) -> None:
    failed = [
        _trace("a", 1.0, "x", ok=False),
        _trace("a", 2.0, "x", errors=[{"type": "HarnessError", "message": "no"}]),
    ]
    run = open_run(_folder(tmp_path / "run", _trace("a", 3.0, "said"), *failed))
    assert _only(run).raw_text == "said"
    assert run.manifest["counts"]["failed"] == 2
    with pytest.raises(RunError, match="holds no rollout that ended in order"):
        open_run(_folder(tmp_path / "none", *failed))


@pytest.mark.parametrize(
    ("tail", "told"),
    [
        ('{"traces": [', r"traces\.jsonl:2: the line is cut off; go on with vf-eval @ .*--resume"),
        ("{\n", r"traces\.jsonl:2: no JSON"),
        ('{"traces": 5}\n', r"traces\.jsonl:2: no episode of verifiers"),
        ('{"other": 5}\n', r"traces\.jsonl:2: no episode of verifiers"),
    ],
)
def test_damage_is_told_by_its_line(tmp_path: Path, tail: str, told: str) -> None:
    folder = _folder(tmp_path / "run", _trace("a", 0.0, "x"))
    with (folder / "traces.jsonl").open("a") as file:
        file.write(tail)
    with pytest.raises(RunError, match=told):
        open_run(folder)


DAMAGED: list[dict[str, Any]] = [
    {"nodes": None},
    {"nodes": [{"message": "x", "sampled": True}]},
    {"agent": None},
    {"timing": {"start": 1e300}},
    {"calls": [{"usage": {"a": 1}}]},
    {"calls": [{"usage": {"prompt_tokens": 1.5, "completion_tokens": 2}}]},
    {"calls": [{"usage": {"prompt_tokens": -1, "completion_tokens": 2}}]},
    {"calls": 5},
    {"info": 5},
    {"data": {"idx": 1e999}},
    {"data": {"metadata": 5}},
    {"task": None},
]


def test_damaged_traces_are_told_in_a_line(tmp_path: Path) -> None:
    for number, changes in enumerate(DAMAGED):
        with pytest.raises(RunError, match=r"traces\.jsonl( at byte 0|:1): [^\n]*$"):
            list(open_run(_folder(tmp_path / str(number), _trace("a", 1.0, "x", **changes))).samples())
    for config in ([], {"run": 5}, {"env": {"taskset": 5}}):
        folder = _folder(tmp_path / json.dumps(config), _trace("a", 1.0, "x"), config=config)  # type: ignore[arg-type]
        with pytest.raises(RunError, match=r"eval\.json: no configuration of verifiers"):
            open_run(folder)


def test_a_file_that_is_still_written_is_refused(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "run", _trace("a", 0.0, "x"))
    run = open_run(folder)
    _folder(folder, _trace("a", 0.0, "x"), _trace("a", 1.0, "y"))
    with pytest.raises(RunError, match="vf-eval is still writing it"):
        run.verify()


def test_what_juries_said_goes_along(tmp_path: Path) -> None:
    vote = {"judge": "j", "verdict": "YES", "reply": "sound\nYES"}
    info = {"judges": {"judge": {"votes": [vote], "decision": "YES"}}, "verdict": {"status": "correct"}}
    sample = _only(open_run(_folder(tmp_path / "run", _trace("a", 1.0, "said", info=info))))
    assert sample.metadata == {"judges": info["judges"]}
