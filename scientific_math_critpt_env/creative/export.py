"""CreativeMath's own evaluation file: `<dir>/<model>.json`.

For each sample the generation's fields and, for each stage, {judge: "YES"|"NO", ..., "final_decision": ...}.
A stage that was skipped says "NO" everywhere, as the original writes it. What that format has no word for:
a judge that abstained or failed, or was not asked, is left out; an undecided stage, and what follows on it,
has the final decision "ABSTAIN", which its scripts count as "not YES".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from scientific_math_critpt_env.creative.records import SampleRecord, StageRecord

FINAL = "final_decision"

UNDECIDED = "ABSTAIN"


def exported(records: Iterable[SampleRecord], judges: Sequence[str]) -> str:
    """The text of the file; `judges` are the names of the jury in order."""
    rows = [
        {
            **asdict(record.sample.place),
            "response": record.sample.response,
            **record.sample.further,
            **{name: _stage(stage, judges) for name, stage in record.stages.items()},
        }
        for record in records
    ]
    return as_array(rows)


def as_array(rows: Sequence[Any]) -> str:
    """A JSON array as the original writes it: indent 4, characters beyond ASCII escaped."""
    return json.dumps(rows, indent=4)


def _stage(stage: StageRecord, judges: Sequence[str]) -> dict[str, str]:
    if stage.decision == "UNDECIDED":
        return {**_votes(stage), FINAL: UNDECIDED}
    if stage.state == "skipped" or (stage.by == "rule" and stage.decision == "NO"):
        return {**dict.fromkeys(judges, "NO"), FINAL: "NO"}
    return {**_votes(stage), FINAL: stage.decision}


def _votes(stage: StageRecord) -> dict[str, str]:
    return {vote.judge: vote.verdict for vote in stage.votes if vote.counts}
