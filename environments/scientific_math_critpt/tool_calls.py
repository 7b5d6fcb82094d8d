"""Carries out the tool calls of a model's message, over MCP, in this process.

What is wrong with a call (unknown name, arguments that are no JSON or do not fit) is told to the model; what
is wrong with a tool server is raised, so that the rollout is an error and no 0.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import jsonschema  # type: ignore[import-untyped]
from verifiers.v1.harnesses.utils.mcp import MCPConnection, connect_mcp, mcp_content_to_chat_content


class ToolFailed(Exception):
    """A tool server could not carry out a call that was well formed."""


class Tools:
    """The tools of a rollout's servers."""

    def __init__(
        self,
        schemas: list[dict[str, Any]],
        homes: Mapping[str, tuple[str, str]],
        servers: Mapping[str, MCPConnection],
    ) -> None:
        self.schemas = schemas
        """As a request for chat completions takes them; empty where there are no tools."""
        self._homes = homes
        self._servers = servers
        self._parameters = {s["function"]["name"]: s["function"]["parameters"] for s in schemas}

    async def answer(self, call: Mapping[str, Any]) -> dict[str, Any]:
        """The message that answers one call. Raises `ToolFailed`."""
        asked = call.get("function") or {}
        content = await self._content(str(asked.get("name")), asked.get("arguments") or "{}")
        return {"role": "tool", "tool_call_id": call.get("id"), "content": content}

    async def _content(self, name: str, arguments: Any) -> Any:
        if name not in self._homes:
            return f"Error: there is no tool {name!r}; there is {', '.join(self._homes)}."
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else arguments
            jsonschema.validate(given, self._parameters[name])
        except (ValueError, RecursionError) as error:
            return f"Error: the arguments are no JSON: {error}"
        except jsonschema.ValidationError as error:
            return f"Error: the arguments do not fit: {error.message}"
        server, tool = self._homes[name]
        try:
            result = await self._servers[server].run(lambda client: client.call_tool(tool, given))
        except Exception as error:  # whatever the transport raises after its own retries
            raise ToolFailed(f"the tool {name} cannot be reached: {error!r}") from error
        content = mcp_content_to_chat_content(result.content)
        if result.is_error:
            raise ToolFailed(f"the tool {name} failed: {content}")
        return content


@asynccontextmanager
async def connected(mcp_urls: Mapping[str, str]) -> AsyncIterator[Tools]:
    """The tools behind these URLs, for the length of the context; nothing is opened where there are none."""
    if not mcp_urls:
        yield Tools([], {}, {})
        return
    config = {"mcpServers": {name: {"url": url} for name, url in mcp_urls.items()}}
    async with AsyncExitStack() as stack:
        yield Tools(*await connect_mcp(config, stack))
