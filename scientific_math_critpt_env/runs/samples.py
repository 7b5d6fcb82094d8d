"""One sample: a problem asked once, and what came back.

A row of `raw/shard-00000.jsonl`, shortened:

    {"schema_version": 1, "run_id": "demo", "model": "m", "backend": "openai", "dataset": "builtin",
     "problem_id": "fourier.1", "problem_uid": "builtin:fourier.1", "problem": "Find ...",
     "gold_answer": "pi/2", "gold_hash": "9f...", "sample_idx": 0, "decode": {"temperature": 1.0, ...},
     "raw_text": "...", "reasoning_text": "", "final_text": "...", "thinking_status": "none",
     "finish_reason": "stop", "prompt_tokens": 210, "output_tokens": 154, "response_id": "chatcmpl-1",
     "resolved_request": {"model": "m", "messages": [...], "seed": 7}, "truncated": false,
     "created_at": "2026-01-01T00:00:00+00:00", "metadata": {"topic": "fourier", "problem_row": {...}}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from scientific_math_critpt_env.errors import RunError

SCHEMA_VERSION = 1
"""Version of the row's fields; rows of another version are refused, never guessed at."""

MAX_COUNT = 10**9
"""Tokens of one reply, and the index of a sample: more is no count, and sums of such numbers overflow."""

ThinkingStatus = Literal["none", "closed", "unclosed", "separate"]
"""No reasoning; `<think>...</think>` in the text; `<think>` never closed; in a field of its own."""

Key = tuple[str, str, int]
"""(data set, problem id, sample index): names a sample within a run."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of `raw/`."""

    run_id: str
    model: str
    backend: str
    dataset: str
    problem_id: str
    problem: str
    gold_answer: str
    gold_hash: str
    sample_idx: int
    decode: Mapping[str, Any]
    """How it was sampled, without the number of samples, which may grow."""
    raw_text: str
    """The message as it came, inline reasoning included."""
    reasoning_text: str
    final_text: str
    """What is scored: the message without its reasoning; "" where the reasoning never ended."""
    thinking_status: ThinkingStatus
    finish_reason: str
    prompt_tokens: int | None
    output_tokens: int | None
    response_id: str
    resolved_request: Mapping[str, Any]
    """The request's body, all of it: the model, the messages, the seed. Never a header, so never a key."""
    truncated: bool
    created_at: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """`topic`, `difficulty`, `source`; `problem_row` where the data set holds `Problem` rows."""
    problem_uid: str = ""
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem_uid", f"{self.dataset}:{self.problem_id}")

    @property
    def key(self) -> Key:
        """Names the sample within its run."""
        return (self.dataset, self.problem_id, self.sample_idx)

    def row(self) -> dict[str, Any]:
        """The sample as a JSON object."""
        return {name: getattr(self, name) for name in FIELDS}

    @classmethod
    def from_row(cls, row: Any, where: str) -> Sample:
        """The sample a row holds. Raises RunError, naming `where`, for anything else."""
        if not isinstance(row, dict):
            raise RunError(f"{where}: no sample, which is a JSON object")
        if row.get("schema_version") != SCHEMA_VERSION:
            version = row.get("schema_version")
            raise RunError(f"{where}: schema_version {version!r}; this version reads {SCHEMA_VERSION}")
        missing = [name for name in FIELDS if name not in row and name != "metadata"]
        unknown = [name for name in row if name not in FIELDS]
        if missing or unknown:
            wrong = f"lacks {', '.join(missing)}" if missing else f"has unknown {', '.join(unknown)}"
            raise RunError(f"{where}: the sample {wrong}")
        mistyped = [name for name, kinds in _KINDS.items() if type(row.get(name, {})) not in kinds]
        if mistyped:
            raise RunError(f"{where}: {', '.join(mistyped)} of the sample has the wrong type")
        absurd = [name for name in _INTEGERS if not 0 <= (row[name] or 0) <= MAX_COUNT]
        if absurd:
            raise RunError(f"{where}: {', '.join(absurd)} of the sample is not within 0 and {MAX_COUNT}")
        if row["thinking_status"] not in get_args(ThinkingStatus):
            raise RunError(f"{where}: thinking_status {row['thinking_status']!r} is unknown")
        if row["problem_uid"] != f"{row['dataset']}:{row['problem_id']}":
            raise RunError(f"{where}: problem_uid {row['problem_uid']!r} is not dataset:problem_id")
        return cls(**row)


FIELDS = (
    *("schema_version", "run_id", "model", "backend", "dataset", "problem_id", "problem_uid", "problem"),
    *("gold_answer", "gold_hash", "sample_idx", "decode", "raw_text", "reasoning_text", "final_text"),
    *("thinking_status", "finish_reason", "prompt_tokens", "output_tokens", "response_id"),
    *("resolved_request", "truncated", "created_at", "metadata"),
)
"""The order of the fields in a row."""

assert set(FIELDS) == {entry.name for entry in fields(Sample)}

_INTEGERS = {"sample_idx": (int,), "prompt_tokens": (int, type(None)), "output_tokens": (int, type(None))}
_MAPPINGS = dict.fromkeys(("decode", "resolved_request", "metadata"), (dict,))
_OTHERS = {*_INTEGERS, *_MAPPINGS, "schema_version", "truncated"}
_KINDS: dict[str, tuple[type, ...]] = {
    **{name: (str,) for name in FIELDS if name not in _OTHERS},
    **_INTEGERS,
    **_MAPPINGS,
    "truncated": (bool,),
}
