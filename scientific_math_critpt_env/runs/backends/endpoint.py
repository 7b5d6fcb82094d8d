"""One request to a chat endpoint: its answer, or why there is none, by kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from scientific_math_critpt_env.runs.backends.redaction import without
from scientific_math_critpt_env.runs.backends.tasks import ErrorKind
from scientific_math_critpt_env.runs.samples import MAX_COUNT

MAX_REPLY = 64 << 20
"""Bytes of a reply: a million tokens are four mebibytes; more is no reply."""

MAX_MESSAGE = 500
"""Characters of an endpoint's error that are kept."""


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
            content = await _read(response)
            if response.status != 200:
                message = f"HTTP {response.status}: {_message(content, secret)}"
                kind = _kind(response.status, content)
                raise Refused(kind, message, response.status, response.headers.get("Retry-After"))
    except TimeoutError:
        raise Refused("timeout", f"no reply within {session.timeout.total:g} s") from None
    except aiohttp.ClientPayloadError as error:
        raise Refused("connection", without(f"the reply broke off ({error})", secret)) from None
    except (aiohttp.ClientError, OSError, asyncio.IncompleteReadError) as error:
        raise Refused("connection", without(f"{type(error).__name__}: {error}", secret)) from None
    except UnicodeError as error:
        # A host's name that the resolver cannot encode; anything else it says as an OSError.
        raise Refused("connection", f"the address is no host's name ({error})") from None
    return _parsed(content, secret)


async def _read(response: aiohttp.ClientResponse) -> str:
    content = bytearray()
    async for block in response.content.iter_chunked(1 << 16):
        content += block
        if len(content) > MAX_REPLY:
            raise Refused("reply", f"the reply is longer than {MAX_REPLY} bytes", response.status)
    return content.decode("utf-8", errors="replace")


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


def _message(content: str, secret: str) -> str:
    """The sentence in an error's body, in whichever of the usual places."""
    try:
        told = json.loads(content)
        if isinstance(told, dict):
            told = told.get("error", told.get("detail", told.get("message", told)))
        if isinstance(told, dict):
            told = told.get("message", told)
        text = str(told)
    except (ValueError, RecursionError):
        text = content
    # Before the text is cut, which could leave half a key.
    return " ".join(without(text, secret).split())[:MAX_MESSAGE] or "without a word"


def _parsed(content: str, secret: str) -> Answer:
    try:
        reply = json.loads(content)
        choice = reply["choices"][0]
        message = choice["message"]
        finish_reason, response_id = choice.get("finish_reason"), reply.get("id")
        text = message.get("content")
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        usage = reply.get("usage") or {}
        refusal = message.get("refusal")
        prompt_tokens, output_tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        told = f"no chat completion ({type(error).__name__}): {_message(content, secret)}"
        raise Refused("reply", told) from None
    if text is None:
        # All budget went into reasoning, or the model refused: both are replies.
        text = refusal if isinstance(refusal, str) else ""
    if not isinstance(text, str) or not isinstance(reasoning, str):
        raise Refused("reply", "the content of the message is no text")
    # The fields and not the whole before it was parsed: in JSON a key can be written in many ways.
    return Answer(
        text=without(text, secret),
        reasoning=without(reasoning, secret),
        finish_reason=without(_word(finish_reason), secret) or "unknown",
        prompt_tokens=_count(prompt_tokens),
        output_tokens=_count(output_tokens),
        response_id=without(_word(response_id), secret),
    )


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_COUNT else None
