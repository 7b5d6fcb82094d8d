"""A worker that does what a request says, in place of an environment: it costs little to start."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import msgpack
import zmq

FLUSHING_SECONDS = 0.3
"""Until what was said before a death is on its way."""


def work(*, address: str, death_pipe: Any, **settings: Any) -> None:
    """Serve as verifiers' `serve_env` does. A payload's `do`: answer, wait for a cancel, or die (`once`: a
    path that is made by the first to come, the only one to die)."""
    if settings.get("stillborn"):
        os._exit(3)
    threading.Thread(target=_end_with, args=(death_pipe,), daemon=True).start()
    front = zmq.Context().socket(zmq.ROUTER)
    front.bind(address)
    waiting: dict[str, tuple[bytes, bytes]] = {}
    while True:
        client, request, method, payload = front.recv_multipart()
        body = msgpack.unpackb(payload)

        def say(kind: bytes, told: dict[str, Any], to: tuple[bytes, bytes] = (client, request)) -> None:
            front.send_multipart([*to, kind, msgpack.packb(told)])

        if method == b"cancel":
            held = waiting.pop(body["request_id"])
            say(b"reply", {"success": False, "error": "cancelled"}, held)
            say(b"reply", {"success": True, "cancelled": True})
            continue
        say(b"delta", {"trace": f"{os.getpid()}", "open": {}})
        if body["do"] == "wait":
            waiting[request.decode()] = (client, request)
            continue
        if body["do"] == "die" and _first(body.get("once")):
            time.sleep(FLUSHING_SECONDS)
            os._exit(9)
        say(b"reply", {"success": True, "pid": os.getpid()})


def _first(path: str | None) -> bool:
    if path is None:
        return True
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _end_with(pipe: Any) -> None:
    try:
        pipe.recv()
    except EOFError:
        os._exit(0)
