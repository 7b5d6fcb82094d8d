"""Asks the model, in this process: one message, or two with the first reply kept in between, and tool calls.

A program of its own for every rollout costs two CPU seconds of start-up; this costs milliseconds. Every call
goes through the rollout's interception endpoint, which records it and adds the model and sampling settings.
Only the reply's text is ever graded; what a provider returns beside it (`reasoning_content`) stays in the
conversation as it came.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from typing import Any

import aiohttp
import verifiers.v1 as vf
from pydantic import Field

from scientific_math_critpt.tool_calls import ToolFailed, Tools, connected

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
"""Seconds before a retry, doubling from the first to the longest: what OpenAI's own client waits."""

TRANSIENT = frozenset({408, 409, 429})
"""Statuses worth another try, beside everything from 500 on: the same as OpenAI's own client."""


class CritptHarnessConfig(vf.HarnessConfig):
    max_retries: int = Field(4, ge=0)
    """Further tries of a model call that failed in passing (connection, 408, 409, 429, 5xx)."""
    max_tool_rounds: int = Field(64, ge=1)
    """Replies with tool calls to one question, after which what was said last stands; the tool's own limits
    come first, and agent.max_turns bounds the whole."""


class CallFailed(Exception):
    """A model call came to nothing; the rollout's endpoint keeps the cause."""


class CritptHarness(vf.Harness[CritptHarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Hold the conversation of `data`: its prompt, then its `follow_up` if there is one."""
        system, prompt = self.resolve_text_prompt(data)
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
        questions = [prompt, getattr(data, "follow_up", None)]
        # A model may think for hours: the limit is the rollout's own (agent.timeout.rollout).
        waits = aiohttp.ClientTimeout(total=None)
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            aiohttp.ClientSession(timeout=waits, headers=headers) as session,
            connected(mcp_urls) as tools,
        ):
            body = {"model": ctx.model, "messages": messages}
            if tools.schemas:
                body["tools"] = tools.schemas
            for question in questions:
                if question is None:
                    continue
                messages.append({"role": "user", "content": question})
                try:
                    await self._answer(session, f"{endpoint}/chat/completions", body, tools)
                except (CallFailed, ToolFailed) as error:
                    return vf.ProgramResult(exit_code=1, stdout="", stderr=str(error))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    async def _answer(
        self, session: aiohttp.ClientSession, url: str, body: dict[str, Any], tools: Tools
    ) -> None:
        """Let the model reply to `body["messages"]`, in as many rounds as it calls tools; appends it all."""
        for _ in range(self.config.max_tool_rounds):
            reply = await self._reply(session, url, body)
            body["messages"].append(reply)
            if not (tools.schemas and reply.get("tool_calls")):
                return
            for call in reply["tool_calls"]:  # one after the other: each sees what the one before it defined
                body["messages"].append(await tools.answer(call))

    async def _reply(self, session: aiohttp.ClientSession, url: str, body: dict[str, Any]) -> dict[str, Any]:
        """The assistant's message, as the provider sent it. Raises `CallFailed` after the last try."""
        # The endpoint answers a repeated key from memory: a call tried again is not two turns of the trace.
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        for attempt in range(self.config.max_retries + 1):
            try:
                async with session.post(url, json=body, headers=headers) as response:
                    if response.status == 200:
                        message = (await response.json())["choices"][0]["message"]
                        sent = {name: value for name, value in message.items() if value is not None}
                        return {"content": "", **sent}
                    failure = f"status {response.status}: {(await response.text())[:500]}"
                    transient = response.status >= 500 or response.status in TRANSIENT
            except aiohttp.ClientError as error:
                failure, transient = f"{type(error).__name__}: {error}", True
            if not transient:
                break
            if attempt < self.config.max_retries:
                await asyncio.sleep(
                    min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE) * (0.75 + random.random() / 4)
                )
        raise CallFailed(f"the model call failed, {failure}")
