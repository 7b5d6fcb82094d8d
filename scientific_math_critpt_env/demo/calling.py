"""Scripted use of a tool before each scripted answer: `serve-demo --call-tool python`.

The calls compute nothing that the answer needs. They show the protocol: a name defined in one call is used
in the next, whose result the reply repeats, so that a run in which the tool forgets is a run that fails.
"""

from __future__ import annotations

import json
from typing import Any

from scientific_math_critpt_env.demo.replies import Reply, ToolCall
from scientific_math_critpt_env.demo.script import Messages, Script

CELLS = ("import sympy as sp\n\nx = sp.Symbol('x')\nprint('defined', x)", "sp.diff(x**3, x)")
"""What the calls of one question run, in their order."""
RESULT = "3*x**2"
"""What the last of them returns."""


class CallingScript:
    """Another script, which calls a tool with each of `CELLS` before it answers a question."""

    def __init__(self, script: Script, tool: str = "python") -> None:
        self.script = script
        self.tool = tool

    def replies(self, messages: Messages, *, n: int, seed: int | None) -> list[Reply] | None:
        """As `Script.replies`; after the calls, the other script's replies, if the tool's result is right."""
        found = self.script.replies(_without_calls(messages), n=n, seed=seed)
        if found is None:
            return None
        results = _results(messages)
        if len(results) < len(CELLS):
            return [self._call(len(results))] * n
        if results[-1] != RESULT:
            return [Reply(f"The tool returned {results[-1]!r}, not {RESULT}: the script stops here.")] * n
        return found

    def _call(self, place: int) -> Reply:
        arguments = json.dumps({"code": CELLS[place]})
        call = ToolCall(self.tool, arguments, id=f"call_scripted_{place}")
        return Reply("", finish_reason="tool_calls", tool_calls=(call,))


def _without_calls(messages: Messages) -> list[dict[str, Any]]:
    """The conversation as it is without its tool calls and their results."""
    return [m for m in messages if m.get("role") != "tool" and not m.get("tool_calls")]


def _results(messages: Messages) -> list[str]:
    """What the tool said since the last question."""
    asked = max(place for place, message in enumerate(messages) if message.get("role") == "user")
    return [str(message.get("content")) for message in messages[asked:] if message.get("role") == "tool"]
