"""A scripted endpoint with the OpenAI chat protocol: smoke tests and `make eval` without a model.

Covered: /v1/models and /v1/chat/completions with `n`, `seed`, `max_tokens`, usage, and streaming with
`stream_options.include_usage`, and tool calls where a script makes them. Not covered: log-probabilities,
authentication (any key will do), and anything but the conversations its scripts know: those get status 400
rather than a made-up reply.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from aiohttp import web

from scientific_math_critpt_env.demo import wire
from scientific_math_critpt_env.demo.judges import Call, JudgeScript
from scientific_math_critpt_env.demo.script import Script

MAX_BODY = 16 << 20
"""Bytes of a request: a long conversation is far below."""

CLOSING_SECONDS = 1.0
"""How long a stopping server waits for the replies under way."""


STALLING_SECONDS = 3_600.0
"""A scripted silence: longer than any client waits."""


def application(
    scripts: Sequence[Script], *, latency: float = 0.0, judges: JudgeScript | None = None
) -> web.Application:
    """The server as an aiohttp application; each reply comes after `latency` seconds."""
    started = int(time.time())

    async def models(request: web.Request) -> web.Response:
        return web.json_response(wire.models(started))

    async def completions(request: web.Request) -> web.StreamResponse:
        try:
            asked = wire.Asked(await request.json())
        except ValueError as error:
            return web.json_response(wire.refusal(str(error)), status=400)
        call = judges.play(asked) if judges is not None else None
        if call is not None:
            await asyncio.sleep(latency)
            return await _judged(asked, call)
        answers = (script.replies(asked.messages, n=asked.n, seed=asked.seed) for script in scripts)
        replies = next((found for found in answers if found is not None), None)
        if replies is None:
            reason = "this endpoint is scripted and answers only the problems it was started with"
            return web.json_response(wire.refusal(reason), status=400)
        await asyncio.sleep(latency)
        replies = [asked.cut(reply) for reply in replies]
        if not asked.stream:
            return web.json_response(wire.whole(asked, replies))
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
        )
        await response.prepare(request)
        for chunk in wire.chunks(asked, replies):
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response

    app = web.Application(client_max_size=MAX_BODY)
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", completions)
    return app


async def serve(
    scripts: Sequence[Script],
    *,
    until: asyncio.Event,
    announce: Callable[[str], None],
    host: str = "127.0.0.1",
    port: int = 0,
    latency: float = 0.0,
    judges: JudgeScript | None = None,
) -> None:
    """Serve until the event is set; `announce` gets the base URL (`http://host:port/v1`) once it listens.

    Port 0 takes a free one. Raises `OSError` where the port is taken.
    """
    runner = web.AppRunner(
        application(scripts, latency=latency, judges=judges), shutdown_timeout=CLOSING_SECONDS
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        chosen = runner.addresses[0][1]
        announce(f"http://{f'[{host}]' if ':' in host else host}:{chosen}/v1")
        await until.wait()
    finally:
        await runner.cleanup()


@contextmanager
def running(
    scripts: Sequence[Script], *, latency: float = 0.0, judges: JudgeScript | None = None
) -> Iterator[str]:
    """Serve on a free local port, in a thread, while the context lasts; yields the base URL."""
    loop = asyncio.new_event_loop()
    until, ready = asyncio.Event(), Event()
    urls: list[str] = []

    def announce(url: str) -> None:
        urls.append(url)
        ready.set()

    def run() -> None:
        try:
            serving = serve(scripts, until=until, announce=announce, latency=latency, judges=judges)
            loop.run_until_complete(serving)
        finally:
            loop.close()
            ready.set()

    thread = Thread(target=run, name="demo endpoint", daemon=True)
    thread.start()
    ready.wait()
    if not urls:
        thread.join()
        raise OSError("the demo endpoint could not listen on a local port")
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(until.set)
        thread.join()


async def _judged(asked: wire.Asked, call: Call) -> web.Response:
    """What the rule says, after the time it takes."""
    rule = call.rule
    await asyncio.sleep(STALLING_SECONDS if rule.stall else rule.delay)
    headers = {} if rule.retry_after is None else {"Retry-After": f"{rule.retry_after:g}"}
    if rule.body is not None:
        return web.Response(
            text=rule.body, content_type="application/json", status=rule.status, headers=headers
        )
    if rule.status != 200:
        refusal = wire.refusal(rule.reply or "scripted failure")
        return web.json_response(refusal, status=rule.status, headers=headers)
    return web.json_response(wire.judged(asked, rule.reply, call.digest, rule.finish_reason, rule.usage))
