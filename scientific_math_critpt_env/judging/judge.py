"""One judge: a model behind an OpenAI-compatible endpoint, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TIMEOUT_SECONDS = 180.0
"""A judge that reasons at length needs a minute or two; one that stalls must not hold a run for an hour."""

RETRIES = 4
"""With the pauses doubling from half a second, this outlasts an endpoint that restarts."""

CONCURRENCY = 32
"""Requests under way to one judge: what endpoints take without complaint, and enough to hide 50 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A judge. Only the *name* of the variable that holds its key is kept, never the key."""

    name: str
    """What its votes are filed under."""
    model: str
    base_url: str
    """Such as `https://host/v1`; `/chat/completions` is appended."""
    key_variable: str = ""
    """Environment variable with the key; "" sends none."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request: temperature, max_tokens, seed, ..."""
    prompt_price: float = 0.0
    """Money per million prompt tokens."""
    completion_price: float = 0.0
    """Money per million completion tokens."""
    timeout: float = TIMEOUT_SECONDS
    """Seconds for one attempt."""
    retries: int = RETRIES
    """Attempts after the first."""
    structured: bool = False
    """Ask for the verdict by `response_format` (JSON schema), which not every endpoint has."""
    concurrency: int = CONCURRENCY
    """Requests under way at a time."""
    requests_per_minute: float | None = None
    """Rate limit; None is none."""
    identity: str = ""
    """Tells models of the same name apart in the cache ("default" on two servers); "" is the model's name."""

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What a reply of so many tokens costs."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6

    def is_author(self, author: str) -> bool:
        """Whether this judge is the model called `author`, with or without its provider before a slash.

        Files are named with "_" for a slash, so "lab_model" is "lab/model" and "model" as well; a judge too
        many is left out rather than one too few.
        """
        return bool(_names(author, file=True) & (_names(self.name) | _names(self.model)))


def _names(model: str, *, file: bool = False) -> set[str]:
    """Ways to write the name; `file`: its underscores may have been slashes."""
    whole = model.strip().casefold()
    names = {whole.replace("/", "_"), whole.rsplit("/", 1)[-1]}
    if file:
        parts = whole.replace("/", "_").split("_")
        names |= {"_".join(parts[place:]) for place in range(1, len(parts))}
    return names
