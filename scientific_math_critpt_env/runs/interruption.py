"""SIGTERM and SIGINT as an orderly stop of asynchronous work."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Interruption:
    """A context in which a signal cancels what `run` runs, and raises KeyboardInterrupt elsewhere.

    While `sealing` is set a signal is only noted: what is being made durable is finished first. Outside of
    the main thread, which alone gets signals, the context changes nothing.
    """

    def __init__(self) -> None:
        self.signalled = False
        self.sealing = False
        self._task: asyncio.Task[Any] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._handle) for number in SIGNALS}
        return self

    def rearm(self) -> None:
        """Take the signals back from a library that has set handlers of its own, as Ray does."""
        for number in self._before:
            signal.signal(number, self._handle)

    def __exit__(self, *raised: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work()` to its end, or to the cancellation that a signal brings; see `signalled`."""

        async def cancellable() -> None:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            try:
                if not self.signalled:
                    await work()
            finally:
                # From here on the loop closes: nothing is left to cancel.
                self._task = None
                self.sealing = True

        try:
            asyncio.run(cancellable())
        except asyncio.CancelledError:
            if not self.signalled:
                raise

    def _handle(self, number: int, frame: FrameType | None) -> None:
        repeated, self.signalled = self.signalled, True
        if self.sealing:
            return
        if self._task is None:
            raise KeyboardInterrupt
        if not repeated:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._task.cancel)
