"""One computation for many waiting coroutines, remembered for a while when it succeeds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")

KEPT = 10_000
"""Results remembered, the latest asked for; a stream of generated problems asks for most of them once."""


class Once(Generic[T]):
    """Results by key, each computed once while it is among the `KEPT` latest.

    Coroutines of one event loop wait for the same computation; a cancelled waiter does not stop it for the
    others. A failure is raised to those who waited and tried again by the next.
    """

    def __init__(self) -> None:
        self._results: dict[str, T] = {}
        self._tasks: dict[str, asyncio.Task[T]] = {}

    async def get(self, key: str, compute: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result for `key`, from `compute()` where it is not known yet."""
        if key in self._results:
            self._results[key] = result = self._results.pop(key)  # the latest now
            return result
        task = self._tasks.get(key)
        # A task of another loop (an earlier asyncio.run, the parent of a fork) will never finish here.
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = self._tasks[key] = asyncio.create_task(compute())
        result = await asyncio.shield(task)
        self._results[key] = result
        self._tasks.pop(key, None)
        while len(self._results) > KEPT:
            self._results.pop(next(iter(self._results)))
        return result
