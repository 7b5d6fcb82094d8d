"""The result of grading one completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Status = Literal[
    "correct",
    "incorrect",
    "undecided",
    "no_answer",
    "code_error",
    "invalid_answer",
    "timeout",
    "resource_limit",
]
"""Every verdict there is; all but the first are the answer's fault and earn what the policy says (0)."""

STATUSES: tuple[str, ...] = get_args(Status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the grader found out about one completion."""

    status: Status
    score: float
    """The reward, 0..1."""
    method: str
    """What decided: structural, exact, symbolic:<step>, numeric, string, elementwise; "" if nothing was."""
    reason: str
    """One sentence a person can act on: the witness point, the component, the exception."""
    partial: float = 0.0
    """Fraction of right components, 0..1; 0 or 1 for a single value."""
    answer: str = ""
    """The value the code returned, printed; "" where there is none."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    """From the start of the work, not from the start of the queue."""
    grader: str = ""
    """Id of the contract that produced this verdict, such as "scientific-v1"."""
    truncated: bool = False
    """The completion stopped in the middle; stands beside the status and does not change it."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """CPU seconds by stage: "run" for the code, then each stage of the comparison."""

    def row(self) -> dict[str, Any]:
        """The fields of a verdict row in an output file, in their order."""
        fields = ("status", "score", "method", "reason", "partial", "answer", "cpu_seconds", "grader")
        values = asdict(self)
        return {name: values[name] for name in fields}


def presentable(text: str) -> str:
    """`text` with control characters and lone surrogates escaped.

    Reasons and answers hold names that the model chose: raw, they could not be written to a UTF-8 file,
    or would be obeyed by a terminal.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
