"""Running a coroutine to its end from synchronous code, wherever that code runs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, in an event loop of its own; blocks.

    Inside a running loop (a notebook, a synchronous reward function called by an asynchronous trainer)
    `asyncio.run` refuses. Handing the work to a thread would make the sandbox's processes children of a
    thread that ends, so the outer loop is set aside instead; it is blocked meanwhile, as the caller asked.
    """
    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        with asyncio.Runner() as runner:
            return runner.run(work)
    finally:
        asyncio._set_running_loop(outer)
