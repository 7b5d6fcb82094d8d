"""Real servers on loopback ports that reply, or fail, as a test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from scientific_math_critpt_env.demo.replies import Reply
from scientific_math_critpt_env.demo.server import application


class Endpoint:
    """Replies in order of the turns of a conversation, after failing with `failures` in order.

    Keeps the bodies of all requests.
    """

    def __init__(self, *replies: Reply, failures: Sequence[int] = ()) -> None:
        self.requests: list[dict[str, Any]] = []
        self._replies = replies
        self._failures = list(failures)

    def replies(self, messages: Sequence[dict[str, Any]], *, n: int, seed: int | None) -> list[Reply] | None:
        """The demo server's way to ask."""
        turn = sum(message["role"] == "assistant" for message in messages)
        return [self._replies[turn]] * n

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Listen while the context lasts; the base URL."""

        @web.middleware
        async def recorded(request: web.Request, handler: Any) -> web.StreamResponse:
            self.requests.append(await request.json())
            if self._failures:
                return web.json_response({"error": {"message": "not now"}}, status=self._failures.pop(0))
            response: web.StreamResponse = await handler(request)
            return response

        app = application([self])
        app.middlewares.append(recorded)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            await runner.cleanup()
