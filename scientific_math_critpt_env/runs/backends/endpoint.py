"""One request to a chat endpoint: its answer, or why there is none, by kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from scientific_math_critpt_env.runs.backends.tasks import ErrorKind

MAX_REPLY = 64 << 20
"""Bytes of a reply: a million tokens are four mebibytes; more is no reply."""

MAX_MESSAGE = 500
"""Characters of an endpoint's error that are kept."""

MIN_SECRET = 6
"""A shorter key (`x`, `EMPTY`) is a placeholder; taking it out of texts would only spoil them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The first choice of a chat completion."""

    text: str
    reasoning: str
    finish_reason: str
    prompt_tokens: int | None
    output_tokens: int | None
    response_id: str


class Refused(Exception):
    """No answer came."""

    def __init__(
        self, kind: ErrorKind, message: str, status: int | None = None, retry_after: str | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        """The header of that name, as it came."""


async def ask(
    session: aiohttp.ClientSession, url: str, body: Mapping[str, Any], *, secret: str = ""
) -> Answer:
    """The answer to one request. Raises Refused; `secret` is in nothing that comes back."""
    try:
        async with session.post(url, json=body, allow_redirects=False) as response:
            content = _without(await _read(response), secret)
            if response.status != 200:
                message = f"HTTP {response.status}: {_message(content)}"
                kind = _kind(response.status, content)
                raise Refused(kind, message, response.status, response.headers.get("Retry-After"))
    except TimeoutError:
        raise Refused("timeout", f"no reply within {session.timeout.total:g} s") from None
    except aiohttp.ClientPayloadError as error:
        raise Refused("connection", _without(f"the reply broke off ({error})", secret)) from None
    except (aiohttp.ClientError, OSError, asyncio.IncompleteReadError) as error:
        raise Refused("connection", _without(f"{type(error).__name__}: {error}", secret)) from None
    return _parsed(content, secret)


async def _read(response: aiohttp.ClientResponse) -> str:
    content = bytearray()
    async for block in response.content.iter_chunked(1 << 16):
        content += block
        if len(content) > MAX_REPLY:
            raise Refused("reply", f"the reply is longer than {MAX_REPLY} bytes", response.status)
    return content.decode("utf-8", errors="replace")


def _without(text: str, secret: str) -> str:
    return text.replace(secret, "[key]") if len(secret) >= MIN_SECRET else text


def _kind(status: int, content: str) -> ErrorKind:
    if status in (401, 403):
        return "auth"
    if status == 404:
        return "not_found"
    if status == 429:
        # Out of credit is no matter of waiting.
        return "auth" if "insufficient_quota" in content else "rate_limit"
    if status in (408, 409, 425) or status >= 500:
        return "server"
    return "request"


def _message(content: str) -> str:
    """The sentence in an error's body, in whichever of the usual places."""
    try:
        told = json.loads(content)
    except ValueError:
        told = content
    if isinstance(told, dict):
        told = told.get("error", told.get("detail", told.get("message", told)))
    if isinstance(told, dict):
        told = told.get("message", told)
    return " ".join(str(told).split())[:MAX_MESSAGE] or "without a word"


def _parsed(content: str, secret: str) -> Answer:
    try:
        reply = json.loads(content)
        choice = reply["choices"][0]
        message = choice["message"]
        text = message.get("content")
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        usage = reply.get("usage") or {}
        refusal = message.get("refusal")
        prompt_tokens, output_tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise Refused("reply", f"no chat completion ({type(error).__name__}): {_message(content)}") from None
    if text is None:
        # All budget went into reasoning, or the model refused: both are replies.
        text = refusal if isinstance(refusal, str) else ""
    if not isinstance(text, str) or not isinstance(reasoning, str):
        raise Refused("reply", "the content of the message is no text")
    # Once more, since a key can stand in JSON with its slashes escaped.
    return Answer(
        text=_without(text, secret),
        reasoning=_without(reasoning, secret),
        finish_reason=_without(str(choice.get("finish_reason") or "unknown"), secret),
        prompt_tokens=_count(prompt_tokens),
        output_tokens=_count(output_tokens),
        response_id=_without(str(reply.get("id") or ""), secret),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
