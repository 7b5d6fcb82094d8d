"""The request a judge gets for a question, and the key its reply is kept under."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.votes import Question

RESERVED = ("model", "messages", "n", "stream", "response_format")
"""Fields of a request that sampling may not set."""

_SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "verdict",
        "strict": True,
        "schema": {
            "type": "object",
            # In this order: a model that writes its verdict first has not reasoned for it.
            "properties": {
                "reasoning": {"type": "string"},
                "verdict": {"type": "string", "enum": ["YES", "NO", "ABSTAIN"]},
            },
            "required": ["reasoning", "verdict"],
            "additionalProperties": False,
        },
    },
}

_AS_JSON = (
    'Reply with one JSON object: {"reasoning": what you checked and found, "verdict": "YES", "NO" or '
    '"ABSTAIN"}, in this order; the verdict goes there instead of a last line.'
)


def request(judge: Judge, question: Question) -> dict[str, Any]:
    """The body of the request."""
    messages = [dict(message) for message in question.messages]
    body: dict[str, Any] = {"model": judge.model, "messages": messages, **judge.sampling}
    if judge.structured:
        messages[-1]["content"] = f"{messages[-1]['content']}\n\n{_AS_JSON}"
        body["response_format"] = _SCHEMA
    return body


def reply_key(judge: Judge, body: dict[str, Any]) -> str:
    """What the reply is kept under: model, messages and sampling; not where or for whom it was asked."""
    kept = {**body, "model": judge.identity or judge.model}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
