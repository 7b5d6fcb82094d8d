"""What a backend is asked, and what it answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

ErrorKind = Literal[
    "connection", "timeout", "rate_limit", "server", "reply", "request", "auth", "not_found", "engine"
]
"""What failed: reaching the endpoint, its time, its limits, itself, its reply's form; what was asked for, the
key, the model or address; or the local engine. The last four do not pass by waiting."""

FATAL: frozenset[ErrorKind] = frozenset({"auth", "not_found"})
"""Kinds that say the same of every sample: where nothing else has come yet, the run stops early."""


@dataclass(frozen=True, slots=True)
class Task:
    """One sample to make."""

    dataset: str
    problem_id: str
    sample_idx: int
    messages: tuple[Mapping[str, str], ...]
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """As `Sample.key`."""
        return (self.dataset, self.problem_id, self.sample_idx)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, as it came."""

    text: str
    reasoning: str
    """From a field of its own; "" where reasoning stands in the text or there is none."""
    finish_reason: str
    prompt_tokens: int | None
    output_tokens: int | None
    response_id: str
    request: Mapping[str, Any]
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """A sample that could not be had; it is asked for again when the run is resumed."""

    kind: ErrorKind
    message: str
    status: int | None = None
    attempts: int = 1


Outcome = tuple[Task, Reply | Failure]


class Backend(Protocol):
    """Makes samples."""

    def outcomes(self, tasks: Iterable[Task]) -> AsyncGenerator[Outcome, None]:
        """An outcome for each task, as they come; tasks are taken from the iterable only when needed."""

    def hardware(self) -> dict[str, Any]:
        """GPUs, driver or processor where models run; {} where they run behind an endpoint."""

    async def aclose(self) -> None:
        """Give back connections, processes and memory. May be called again."""
