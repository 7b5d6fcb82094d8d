"""The output folder of verifiers' `vf-eval`, read as a run.

A line of `traces.jsonl` is an episode; each trace in it that ended in order is a sample:

    {"env": {"id": "scientific-math-boxed"}, "run": {"name": "demo"}, "traces": [{"id": "cb23", "ok": true,
     "task": {"key": "circle-chord", "data": {"idx": 3, "answer": "24", ...}}, "nodes": [{"message": ...}],
     "calls": [{"finish_reason": "stop", "usage": {...}}], "timing": {"start": 1796066791.9}, ...}]}

Rollouts are not numbered there: they count in the order in which they started. Rollouts that failed are no
samples; the manifest counts them. Golds are known for tasks that hold a problem row of ours (`data.problem`)
or an answer (`data.answer`). verifiers keeps no hash of its traces, so that `verify` can only tell damage.
Not covered: conversations that branch; the last message is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.runs.backends.thinking import separated
from scientific_math_critpt_env.runs.datasets import GRADED_FIELDS
from scientific_math_critpt_env.runs.hashing import file_hash, stable_hash
from scientific_math_critpt_env.runs.reading import TRACES, Run
from scientific_math_critpt_env.runs.rows import parsed_row
from scientific_math_critpt_env.runs.samples import Sample

CONFIG = Path("configs", "resolved", "eval.json")

DAMAGE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, OSError)
"""What reading a field raises that is missing or of another type; the last two, a time that is none."""

FIRST_BLOCK = {"block": "first"}
"""Metadata of samples whose code block is the first of the second reply: the two-turn protocol's rule."""


def open_traces(path: str | Path) -> Run:
    """The run in a folder of vf-eval. Raises RunError where it holds none, or a line of it is damaged."""
    folder = Path(path)
    places, failed = _index(folder / TRACES)
    if not places:
        raise RunError(f"{folder / TRACES}: holds no rollout that ended in order; run vf-eval again")
    config = _config(folder / CONFIG)
    try:
        name = str((config.get("run") or {}).get("name") or places[0].run or folder.name)
        dataset = _dataset_name(config, places[0].environment)
    except DAMAGE as error:
        raise RunError(f"{folder / CONFIG}: no configuration of verifiers ({error!r})") from None
    manifest = {
        "run_id": name,
        "status": "completed",
        "model": config.get("model", ""),
        "backend": "verifiers",
        "datasets": [{"name": dataset}],
        "hashes": {"raw": file_hash(folder / TRACES)},
        "counts": {
            "problems": len({place.key for place in places}),
            "samples": len(places),
            "failed": failed,
        },
        "config": config,
    }
    return TracesRun(folder, manifest, places)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a trace stands: the line's offset, and which of its traces it is."""

    idx: int
    key: str
    started: float
    id: str
    offset: int
    number: int
    environment: str
    run: str


class TracesRun(Run):
    """Samples are read from `traces.jsonl` as they are asked for; memory holds where they stand."""

    def __init__(self, path: Path, manifest: dict[str, Any], places: list[_Place]) -> None:
        super().__init__(path, manifest)
        self._places = sorted(places, key=lambda place: (place.idx, place.key, place.started, place.id))

    def samples(self) -> Iterator[Sample]:
        """By task, then in the order in which they started."""
        dataset = self.manifest["datasets"][0]["name"]
        counted: dict[str, int] = {}
        with (self.path / TRACES).open("rb") as lines:
            for place in self._places:
                lines.seek(place.offset)
                where = f"{self.path / TRACES} at byte {place.offset}"
                episode = parsed_row(lines.readline(), where)
                number = counted.setdefault(place.key, 0)
                counted[place.key] += 1
                try:
                    trace = episode["traces"][place.number]
                    sample = _sample(trace, run_id=self.name, dataset=dataset, number=number, where=where)
                except DAMAGE as error:
                    raise RunError(f"{where}: no trace of verifiers ({error!r})") from None
                yield Sample.from_row(sample.row(), where)  # its fields have the types of a sample's

    def verify(self) -> None:
        """Check that the file is what it was when the run was opened; raises RunError."""
        if file_hash(self.path / TRACES) != self.manifest["hashes"]["raw"]:
            raise RunError(f"{self.path / TRACES}: vf-eval is still writing it; wait for it to end")


def _index(path: Path) -> tuple[list[_Place], int]:
    """The traces that ended in order, and the number of the others."""
    places: list[_Place] = []
    failed = 0
    offset = 0
    with path.open("rb") as lines:
        for row, line in enumerate(lines, start=1):
            where = f"{path}:{row}"
            if not line.endswith(b"\n"):
                raise RunError(f"{where}: the line is cut off; go on with vf-eval @ {CONFIG} --resume")
            episode = parsed_row(line, where)
            try:
                found, bad = _traces_of(episode, offset)
            except DAMAGE as error:
                raise RunError(f"{where}: no episode of verifiers ({error!r})") from None
            places += found
            failed += bad
            offset += len(line)
    return places, failed


def _traces_of(episode: Mapping[str, Any], offset: int) -> tuple[list[_Place], int]:
    found = [
        _Place(
            idx=int(trace["task"]["data"].get("idx") or 0),
            key=str(trace["task"]["key"]),
            started=float(trace["timing"]["start"]),
            id=str(trace["id"]),
            offset=offset,
            number=number,
            environment=str((episode.get("env") or {}).get("id") or ""),
            run=str((episode.get("run") or {}).get("name") or ""),
        )
        for number, trace in enumerate(episode["traces"])
        if trace["ok"] and not trace["errors"]
    ]
    return found, max(len(episode["traces"]), 1) - len(found)


def _sample(trace: Mapping[str, Any], *, run_id: str, dataset: str, number: int, where: str) -> Sample:
    data, calls = trace["task"]["data"], trace["calls"]
    text, reasoning = _reply(trace)
    reasoning_text, final, status = separated(text, reasoning)
    problem, gold, gold_hash, metadata = _asked(data, where)
    usage = [call["usage"] for call in calls if call.get("usage")]
    return Sample(
        run_id=run_id,
        model=str((trace["agent"]["config"] or {}).get("model") or ""),
        backend="verifiers",
        dataset=dataset,
        problem_id=str(trace["task"]["key"]),
        problem=problem,
        gold_answer=gold,
        gold_hash=gold_hash,
        sample_idx=number,
        decode=_decode(trace),
        raw_text=text,
        reasoning_text=reasoning_text,
        final_text=final,
        thinking_status=status,
        finish_reason=str((calls[-1].get("finish_reason") if calls else "") or ""),
        prompt_tokens=sum(each["prompt_tokens"] for each in usage) if usage else None,
        output_tokens=sum(each["completion_tokens"] for each in usage) if usage else None,
        response_id=str(trace["id"]),
        resolved_request={"messages": [node["message"] for node in trace["nodes"] if not node["sampled"]]},
        truncated=any(call.get("finish_reason") == "length" for call in calls),
        created_at=datetime.fromtimestamp(trace["timing"]["start"], UTC).isoformat(),
        metadata=metadata | _ballots(trace),
    )


def _reply(trace: Mapping[str, Any]) -> tuple[str, str]:
    """What was said last, and the reasoning beside it; "" where the second turn never came."""
    said = [node["message"] for node in trace["nodes"] if node["message"]["role"] == "assistant"]
    if trace["task"]["data"].get("follow_up") is not None:
        said = said[1:2]
    if not said:
        return "", ""
    return str(said[-1].get("content") or ""), str(said[-1].get("reasoning_content") or "")


def _asked(data: Mapping[str, Any], where: str) -> tuple[str, str, str, dict[str, Any]]:
    """The problem's text, its gold, the gold's hash, and what a sample carries along."""
    row = data.get("problem")
    if isinstance(row, dict):
        try:
            problem = Problem.model_validate(row)
        except ValidationError as error:
            raise RunError(f"{where}: its problem row is defective: {error.errors()[0]['msg']}") from None
        metadata = {"topic": problem.topic, "difficulty": problem.difficulty, "problem_row": row}
        if data.get("follow_up") is not None:
            metadata |= FIRST_BLOCK
        graded = problem.model_dump(mode="json", include=set(GRADED_FIELDS))
        return problem.prompt, problem.answer_fn, stable_hash(graded), metadata
    gold = data.get("answer")
    gold = gold if isinstance(gold, str) else ""
    asked = row if isinstance(row, str) else json.dumps(data.get("prompt"), ensure_ascii=False)
    return asked, gold, stable_hash(gold), dict(data.get("metadata") or {})


def _ballots(trace: Mapping[str, Any]) -> dict[str, Any]:
    """What juries said of it, as environments with judges keep it."""
    info = trace.get("info") or {}
    return {name: info[name] for name in ("judges", "stages") if name in info}


def _decode(trace: Mapping[str, Any]) -> dict[str, Any]:
    sampling = (trace["agent"]["config"] or {}).get("sampling") or {}
    return {name: value for name, value in sampling.items() if value is not None}


def _config(path: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:  # traces that were copied alone: their own fields have to do
        return {}
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: no JSON ({error}); restore the file") from None
    return config


def _dataset_name(config: Mapping[str, Any], environment: str) -> str:
    """As a configuration of `generate` would most likely call it; else by the environment."""
    taskset = (config.get("env") or {}).get("taskset") or {}
    source = taskset.get("problems")
    if taskset.get("source") == "generated":
        return "generated"
    if isinstance(source, str) and source.endswith((".jsonl", ".jsonl.gz")):
        return Path(source).name.partition(".jsonl")[0]
    return source if isinstance(source, str) and source != "default" else environment or "verifiers"
