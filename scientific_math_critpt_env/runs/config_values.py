"""Values of a run's configuration: given back as they are used, or refused by a ValueError."""

from __future__ import annotations

import math
import re
from typing import Any
from urllib.parse import urlsplit

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""Run ids and data sets name files and folders, so they hold nothing a path could be made of."""

MAX_DEPTH = 32
"""Levels of a field that is handed on; what is deeper cannot be written into a manifest or a request."""

SECRET = re.compile(
    r"api_?key|authori[sz]ation|password|passwd|secret|bearer|(access|auth|hf)_?token", re.IGNORECASE
)
"""Names of fields that would hold a key: it would be in the run's snapshots."""

OF_THE_RUN = {
    **dict.fromkeys(("messages", "prompt"), "the prompt and the problem make it"),
    "model": "it is model.name",
    "seed": "it is decode.seed",
    **dict.fromkeys(("max_tokens", "max_completion_tokens"), "it is decode.max_output_tokens"),
    **{
        field: f"it is decode.{field}"
        for field in (
            *("temperature", "top_p", "top_k", "min_p", "stop"),
            *("presence_penalty", "frequency_penalty", "repetition_penalty"),
        )
    },
    **dict.fromkeys(("n", "best_of"), "one sample is asked for at a time; it is decode.samples_per_problem"),
    **dict.fromkeys(("stream", "stream_options"), "replies are taken whole"),
}
"""Fields of a request that the run sets itself, and why or where."""


def name(value: str) -> str:
    """What can name a file."""
    if not NAME.fullmatch(value):
        raise ValueError(f"{value!r} must be letters, digits, '.', '_' and '-', at most 100, no '.' first")
    return value


def text(value: str) -> str:
    """What is not blank, and can be a path or in one."""
    if not value.strip():
        raise ValueError("is empty")
    if "\0" in value:
        raise ValueError("holds a NUL character, which no path or name can")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("holds half of a surrogate pair, which is no text") from None
    return value


def address(value: str) -> str:
    """The address of an endpoint, without a slash at its end."""
    shown = "" if set("@?#") & set(value) else f"{value!r} "  # else it may hold a secret
    try:
        parts = urlsplit(value)
        port, host = parts.port, (parts.hostname or "").encode("idna")
    except ValueError:  # a bracket left open, a port beyond 65535, a host's name with an empty label
        raise ValueError(f"{shown}is no address: its host or port cannot be") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no user, password or query; a key goes into a variable of its own")
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise ValueError(f"{shown}must start with http:// or https://, and name a host")
    if re.search(r"[\s\x00-\x1f\x7f]", value):
        raise ValueError(f"{shown}must hold no blanks")
    return value.rstrip("/")


def variable(value: str) -> str:
    """The name of an environment variable."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
        # Not shown: it may be the key itself.
        raise ValueError("must be the name of an environment variable, not a key")
    return value


def further(value: dict[str, Any]) -> dict[str, Any]:
    """Fields that are handed on as they are, and kept with the run: JSON, without a key."""
    _refuse_no_json(value, "", 0)
    return value


def request_fields(value: dict[str, Any]) -> dict[str, Any]:
    """Further fields of a request, none of which the run sets itself."""
    for field in value:
        if field in OF_THE_RUN:
            raise ValueError(f"`{field}` has no place in it: {OF_THE_RUN[field]}")
    return value


def _refuse_no_json(value: object, place: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError(f"is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for field, part in value.items():
            if SECRET.search(field.replace("-", "_")):
                raise ValueError(f"`{field}` would put a key into the run; leave it to the environment")
            _refuse_no_json(part, f"{place}.{field}" if place else field, depth + 1)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _refuse_no_json(part, f"{place}[{index}]", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{place} is {value}, which JSON cannot say")
    elif not isinstance(value, str | int | float):
        raise ValueError(f"{place} is a {type(value).__name__}, which JSON cannot say; put a text in quotes")
