"""OpenRLHF's remote reward model protocol, answered by the grader: for graders on machines of their own.

    python -m scientific_math_critpt_env.training.openrlhf_server --port 5000
    ... --reward.remote_url http://127.0.0.1:5000/get_reward --data.label_key label

Request: {"query": [text], "prompts": [text], "labels": [row]}; reply: {"rewards": [0..1], "scores": the same,
"extra_logs": {name: [number]}}. Status 400 for a request that is wrong, 503 where the grader failed: OpenRLHF
tries five times and then leaves the sample without a reward. There is no authentication: keep to loopback or
a network of your own.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Sequence

from aiohttp import web

from scientific_math_critpt_env.errors import InfrastructureError, ProblemError
from scientific_math_critpt_env.training.openrlhf import as_fields, verdicts

logger = logging.getLogger(__name__)

MAX_BODY = 64 << 20
"""Bytes of a request: a batch of long completions is far below."""


def application(*, workers: int | None = None) -> web.Application:
    """The server as an aiohttp application; `workers` as for `Grader`."""

    async def get_reward(request: web.Request) -> web.Response:
        try:
            body = await request.json()
            queries, prompts, labels = (_listed(body, name) for name in ("query", "prompts", "labels"))
            found = await verdicts(queries, prompts, labels, workers=workers)
        except (ValueError, ProblemError) as error:
            return web.json_response({"error": str(error)}, status=400)
        except InfrastructureError as error:
            logger.warning("not graded: %s", error)
            return web.json_response({"error": str(error)}, status=503)
        return web.json_response(as_fields(found))

    app = web.Application(client_max_size=MAX_BODY)
    app.router.add_post("/get_reward", get_reward)
    return app


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until interrupted; prints the URL once it listens. 1 where it cannot."""
    parser = argparse.ArgumentParser(description="OpenRLHF's remote reward model, answered by the grader.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=5000, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--workers", type=int, help="answers graded at a time (default: one per core)")
    arguments = parser.parse_args(argv)
    try:
        asyncio.run(_serve(arguments.host, arguments.port, arguments.workers))
    except OSError as error:
        print(f"cannot serve on {arguments.host}:{arguments.port}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve(host: str, port: int, workers: int | None) -> None:
    runner = web.AppRunner(application(workers=workers))
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        print(f"http://{host}:{runner.addresses[0][1]}/get_reward", flush=True)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def _listed(body: object, name: str) -> list[str]:
    found = body.get(name) if isinstance(body, dict) else None
    if not isinstance(found, list):
        raise ValueError(f"the body must be an object with the list {name!r}")
    return found


if __name__ == "__main__":
    sys.exit(main())
