"""Reads evaluations back: CreativeMath's file, whoever wrote it, and the record beside it if there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.creative.dataset import Dataset, read_list
from scientific_math_critpt_env.creative.errors import CreativeError
from scientific_math_critpt_env.creative.export import FINAL
from scientific_math_critpt_env.creative.folders import RunFolder
from scientific_math_critpt_env.creative.samples import SamplePlace, load_generation
from scientific_math_critpt_env.creative.stages import STAGES, StageName, skipped
from scientific_math_critpt_env.judging import Decision


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The decisions and votes of one sample."""

    place: SamplePlace
    decisions: Mapping[StageName, Decision]
    votes: Mapping[StageName, Mapping[str, str]]
    """By judge, of stages that were judged: YES, NO, and ABSTAIN or ERROR where the record tells them."""
    grader: Decision | None = None
    """What the grader found of the final answer, where it was asked."""
    jury: Decision | None = None
    """What the jury alone says of correctness, where it was asked."""


def load_evaluation(path: Path | str, dataset: Dataset) -> list[Evaluated]:
    """The samples of an evaluation file. Raises `CreativeError` for what does not fit."""
    path = Path(path)
    places = [sample.place for sample in load_generation(path, dataset).samples]
    _, rows = read_list(path)
    samples = []
    for number, (place, row) in enumerate(zip(places, rows, strict=True)):
        try:
            samples.append(_evaluated(place, row))
        except (KeyError, TypeError, ValueError) as error:
            told = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise CreativeError(f"{path}: record {number}: {told}") from error
    record = RunFolder(path.parent, path.stem).record
    return _with_record(samples, record) if record.exists() else samples


def _evaluated(place: SamplePlace, row: Mapping[str, Any]) -> Evaluated:
    decisions: dict[StageName, Decision] = {}
    votes: dict[StageName, dict[str, str]] = {}
    before: Decision | None = None
    for stage in STAGES:
        cells = row[stage]
        if not isinstance(cells, dict):
            raise ValueError(f"{stage} must be an object")
        final = cells[FINAL]
        before_this, before = before, "UNDECIDED" if final not in ("YES", "NO") else final
        decisions[stage] = before
        # Not what the file calls a vote: a skipped stage says NO for every judge.
        judged = not skipped(stage, place, before_this)
        votes[stage] = {judge: vote for judge, vote in cells.items() if judge != FINAL} if judged else {}
    return Evaluated(place, decisions, votes)


def _with_record(samples: list[Evaluated], path: Path) -> list[Evaluated]:
    """The same with what only the record tells; it must be of the same samples and decisions."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found = [_recorded(sample, row) for sample, row in zip(samples, rows, strict=True)]
    except (KeyError, TypeError, ValueError) as error:
        raise CreativeError(f"{path}: is not the record of the evaluation beside it: {error}") from error
    return found


def _recorded(sample: Evaluated, row: Mapping[str, Any]) -> Evaluated:
    stages = row["stages"]
    place = SamplePlace(row["problem_id"], row["k"], row["n"])
    decisions = {stage: stages[stage]["decision"] for stage in STAGES}
    if place != sample.place or decisions != dict(sample.decisions):
        raise ValueError(f"problem {place.problem_id}, k = {place.k} differs")
    votes = {stage: {vote["judge"]: vote["verdict"] for vote in stages[stage]["votes"]} for stage in STAGES}
    answer = row["answer"]
    jury = stages["correctness"]["jury"]
    return Evaluated(sample.place, sample.decisions, votes, answer and answer["decision"], jury)
