"""A real chat endpoint on the loopback address, whose failures a test can order."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from aiohttp import web

Trouble = Callable[[dict[str, Any], int], "web.StreamResponse | None"]
"""From a request's body and how often it has come: another response than the usual one, or None."""


@dataclass
class Endpoint:
    """What a test sees of the server."""

    url: str = ""
    trouble: Trouble = lambda body, times: None
    latency: float = 0.0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0
    closing: bool = False
    """Close the connection of the next request instead of answering."""

    def times(self, body: dict[str, Any]) -> int:
        """How often this very body has been asked."""
        return sum(asked == body for asked in self.bodies)


def reply_to(body: dict[str, Any]) -> dict[str, Any]:
    """A reply that depends on the messages and the seed alone, and is right half the time; its id differs."""
    said = hashlib.sha256(json.dumps([body["messages"], body["seed"]]).encode()).hexdigest()
    asked = re.search(r"What is (\d+)", body["messages"][-1]["content"])
    answer = 2 * int(asked[1]) + int(said[0], 16) % 2 if asked else 0
    content = f"<think>\nhm {said[:8]}\n</think>\nIt is \\boxed{{{answer}}}."
    message = {"role": "assistant", "content": content}
    return {
        "id": f"reply-{id(body)}",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 11, "total_tokens": 18},
    }


@contextmanager
def serving(trouble: Trouble = lambda body, times: None, *, latency: float = 0.0) -> Iterator[Endpoint]:
    """The endpoint, in a thread, while the context lasts."""
    endpoint = Endpoint(trouble=trouble, latency=latency)
    loop = asyncio.new_event_loop()
    ready, until = Event(), asyncio.Event()

    async def completions(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        endpoint.bodies.append(body)
        endpoint.headers.append(dict(request.headers))
        endpoint.under_way += 1
        endpoint.most_at_once = max(endpoint.most_at_once, endpoint.under_way)
        try:
            await asyncio.sleep(endpoint.latency)
            if endpoint.closing:
                endpoint.closing = False
                assert request.transport is not None
                request.transport.close()
                return web.Response()
            troubled = endpoint.trouble(body, endpoint.times(body))
            return troubled if troubled is not None else web.json_response(reply_to(body))
        finally:
            endpoint.under_way -= 1

    async def serve() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", completions)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        endpoint.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set()
        await until.wait()
        await runner.cleanup()

    thread = Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield endpoint
    finally:
        loop.call_soon_threadsafe(until.set)
        thread.join()
        loop.close()
