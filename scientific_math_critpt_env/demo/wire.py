"""The OpenAI chat protocol, as far as the scripted endpoint speaks it: requests read, replies as JSON."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from scientific_math_critpt_env.demo.replies import Reply

MODEL = "scripted-demo"
"""The model every reply names, whatever model was asked for."""

FINGERPRINT = "scripted-replies-no-model"

TOKEN_CHARACTERS = 4
"""Characters that count as a token, in usage and for `max_tokens`."""

MAX_CHOICES = 128
"""What OpenAI's endpoint takes as `n`."""


class Asked:
    """A request for chat completions, checked. Raises ValueError with a sentence for the caller."""

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict):
            raise ValueError("the body must be a JSON object")
        messages = body.get("messages")
        if not isinstance(messages, list) or not messages or not all(isinstance(m, dict) for m in messages):
            raise ValueError("messages must be a list of at least one object")
        self.messages: list[dict[str, Any]] = messages
        self.model = str(body.get("model") or "")
        self.n = _integer(body, "n", low=1, high=MAX_CHOICES) or 1
        self.seed = _integer(body, "seed")
        limits = [_integer(body, name, low=1) for name in ("max_completion_tokens", "max_tokens")]
        self.max_tokens = next((limit for limit in limits if limit is not None), None)
        self.structured = isinstance(body.get("response_format"), dict)
        self.stream = body.get("stream") is True
        options = body.get("stream_options")
        self.stream_usage = isinstance(options, dict) and options.get("include_usage") is True

    def cut(self, reply: Reply) -> Reply:
        """The reply, ended at `max_tokens` as a model's would be."""
        if self.max_tokens is None or _tokens(reply.content) <= self.max_tokens:
            return reply
        return replace(
            reply, content=reply.content[: self.max_tokens * TOKEN_CHARACTERS], finish_reason="length"
        )


def models(created: int) -> dict[str, Any]:
    """The list of models: one, which says that it is none."""
    model = {"id": MODEL, "object": "model", "created": created, "owned_by": "a script: no model runs here"}
    return {"object": "list", "data": [model], "scripted": True}


def whole(asked: Asked, replies: Sequence[Reply]) -> dict[str, Any]:
    """A chat completion."""
    choices = [
        {
            "index": index,
            "message": {
                "role": "assistant",
                "content": reply.content,
                "reasoning_content": reply.reasoning,
                **({"tool_calls": _calls(reply)} if reply.tool_calls else {}),
            },
            "logprobs": None,
            "finish_reason": reply.finish_reason,
        }
        for index, reply in enumerate(replies)
    ]
    return {**_head("chat.completion"), "choices": choices, "usage": _usage(asked, replies)}


def judged(asked: Asked, reply: str | None, digest: str, finish_reason: str, usage: bool) -> dict[str, Any]:
    """A chat completion of a scripted judge, which may lack content and usage."""
    text = None if reply is None else reply.replace("{digest}", digest)
    said = whole(asked, [Reply(text or "", reasoning="")])
    said["choices"][0]["message"]["content"] = text
    said["choices"][0]["finish_reason"] = finish_reason
    if not usage:
        del said["usage"]
    return said


def chunks(asked: Asked, replies: Sequence[Reply]) -> Iterator[dict[str, Any]]:
    """The same as a stream: reasoning, the content line by line, why it ended, and usage if asked for."""
    head = _head("chat.completion.chunk")
    if asked.stream_usage:
        head["usage"] = None
    for index, reply in enumerate(replies):
        deltas: list[dict[str, Any]] = [{"role": "assistant", "reasoning_content": reply.reasoning}]
        deltas += [{"content": line} for line in reply.content.splitlines(keepends=True)]
        if reply.tool_calls:
            calls = [{"index": place, **call} for place, call in enumerate(_calls(reply))]
            deltas.append({"tool_calls": calls})
        for delta in deltas:
            yield {**head, "choices": [{"index": index, "delta": delta, "finish_reason": None}]}
        yield {**head, "choices": [{"index": index, "delta": {}, "finish_reason": reply.finish_reason}]}
    if asked.stream_usage:
        yield {**head, "choices": [], "usage": _usage(asked, replies)}


def refusal(reason: str) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": reason, "type": "invalid_request_error", "param": None, "code": None}}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]


def _integer(
    body: dict[str, Any], name: str, *, low: int | None = None, high: int | None = None
) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} must be an integer")
    if low is not None and value < low:
        raise ValueError(f"{name} must be at least {low}")
    if high is not None and value > high:
        raise ValueError(f"{name} must be at most {high}")
    return value


def _head(kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-scripted-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": MODEL,
        "system_fingerprint": FINGERPRINT,
    }


def _usage(asked: Asked, replies: Sequence[Reply]) -> dict[str, int]:
    prompt = sum(_tokens(str(message.get("content", ""))) for message in asked.messages)
    replied = sum(_tokens(reply.content) for reply in replies)
    return {"prompt_tokens": prompt, "completion_tokens": replied, "total_tokens": prompt + replied}


def _tokens(text: str) -> int:
    return -(-len(text) // TOKEN_CHARACTERS)
