"""An event loop in a thread of its own, so that one client serves every loop and thread of the process.

Trainers call rewards from loops that come and go; an HTTP client belongs to one loop for as long as it lives.
In a forked copy of the process the thread is gone, but what the kernel watches for it is still shared with
the parent; see `_let_go`.
"""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Coroutine
from selectors import DefaultSelector
from threading import Thread, current_thread
from typing import Any, TypeVar

T = TypeVar("T")

STOPPING_SECONDS = 5.0
"""How long `stop` waits for the thread, which only has cancelled work to clear away."""


class Background:
    """The loop, running from the start until `stop`."""

    def __init__(self, name: str) -> None:
        self._selector = DefaultSelector()
        self._loop = asyncio.SelectorEventLoop(self._selector)
        self._thread = Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()
        _RUNNING.add(self)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, done in the thread; cancelling the caller cancels it there."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def stop(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what is under way, do `last`, end the thread; once only.

        Blocks for a moment, except in the thread itself, where a jury that was dropped may be tidied up.
        """

        async def wind_up() -> None:
            under_way = asyncio.all_tasks() - {asyncio.current_task()}
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
            await last

        _RUNNING.discard(self)
        done = asyncio.run_coroutine_threadsafe(wind_up(), self._loop)
        if current_thread() is self._thread:
            done.add_done_callback(lambda _: self._loop.stop())
            return
        try:
            done.result(STOPPING_SECONDS)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(STOPPING_SECONDS)
            if not self._thread.is_alive():
                self._loop.close()

    def let_go(self) -> None:
        """Close this process's handle on what the loop watches, and nothing else."""
        self._selector.close()


_RUNNING: weakref.WeakSet[Background] = weakref.WeakSet()

_INHERITED: list[Background] = []
"""Loops of the parent, kept so that they are never tidied up."""


def _let_go() -> None:
    """In a forked child: a connection of the parent's that is tidied up here would be taken from the epoll
    object that both processes share, and the parent would never hear from it again."""
    for background in list(_RUNNING):
        background.let_go()
        _INHERITED.append(background)
    _RUNNING.clear()


os.register_at_fork(after_in_child=_let_go)
