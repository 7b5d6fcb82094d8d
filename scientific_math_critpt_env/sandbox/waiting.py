"""Work as a generator of things to wait for, and the two drivers that wait: an event loop, or a thread.

The sandbox's logic is written once, without threads and without an event loop: it yields `Wait`s and is
resumed with whether what it waited for came (True) or its deadline did (False). Whoever closes the generator
early - a cancelled task, a KeyboardInterrupt - runs its `finally` blocks, which kill the child.
"""

from __future__ import annotations

import asyncio
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wait:
    """Until `descriptor` can be read (or written), at most to `deadline` (monotonic); or a turn at `gate`."""

    descriptor: int = -1
    write: bool = False
    gate: Gate | None = None
    deadline: float | None = None


Steps = Generator[Wait, bool, T]


class Gate:
    """At most `width` holders at a time, first come first served, across threads and event loops."""

    def __init__(self, width: int) -> None:
        self._free = width
        self._lock = threading.Lock()
        self._queue: deque[Callable[[], bool]] = deque()

    def enter(self, wake: Callable[[], bool]) -> bool:
        """True: in at once. False: queued; `wake` is called in its turn, and says whether that is wanted."""
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return True
            self._queue.append(wake)
            return False

    def give_up(self, wake: Callable[[], bool]) -> bool:
        """Leave the queue; False if the turn had been given already."""
        with self._lock:
            try:
                self._queue.remove(wake)
            except ValueError:
                return False
            return True

    def leave(self) -> None:
        """Hand the place to the next in the queue that still wants it."""
        while True:
            with self._lock:
                if not self._queue:
                    self._free += 1
                    return
                wake = self._queue.popleft()
            if wake():
                return


async def drive(steps: Steps[T]) -> T:
    """Run `steps` on the running event loop."""
    loop = asyncio.get_running_loop()
    try:
        wait = steps.send(None)  # type: ignore[arg-type]
        while True:
            came = await (_turn(loop, wait.gate) if wait.gate else _ready(loop, wait))
            wait = steps.send(came)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


async def _ready(loop: asyncio.AbstractEventLoop, wait: Wait) -> bool:
    future: asyncio.Future[bool] = loop.create_future()
    watch, unwatch = (
        (loop.add_writer, loop.remove_writer) if wait.write else (loop.add_reader, loop.remove_reader)
    )
    watch(wait.descriptor, _settle, future, True)
    timer = (
        loop.call_later(wait.deadline - time.monotonic(), _settle, future, False) if wait.deadline else None
    )
    try:
        return await future
    finally:
        unwatch(wait.descriptor)
        if timer:
            timer.cancel()


def _settle(future: asyncio.Future[bool], value: bool) -> None:
    if not future.done():
        future.set_result(value)


async def _turn(loop: asyncio.AbstractEventLoop, gate: Gate) -> bool:
    future: asyncio.Future[bool] = loop.create_future()

    def wake() -> bool:
        try:
            loop.call_soon_threadsafe(_settle, future, True)
        except RuntimeError:  # that event loop has been closed with the task in it
            return False
        return True

    if gate.enter(wake):
        return True
    try:
        return await future
    except BaseException:
        if not gate.give_up(wake):
            gate.leave()  # the turn came and nobody is here to take it
        raise


def drive_sync(steps: Steps[T]) -> T:
    """Run `steps` in the calling thread."""
    try:
        wait = steps.send(None)  # type: ignore[arg-type]
        while True:
            wait = steps.send(_turn_sync(wait.gate) if wait.gate else _ready_sync(wait))
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def _ready_sync(wait: Wait) -> bool:
    poll = select.poll()
    poll.register(wait.descriptor, select.POLLOUT if wait.write else select.POLLIN)
    milliseconds = None if wait.deadline is None else max(0.0, (wait.deadline - time.monotonic()) * 1000)
    return bool(poll.poll(milliseconds))


def _turn_sync(gate: Gate) -> bool:
    event = threading.Event()

    def wake() -> bool:
        event.set()
        return True

    if gate.enter(wake):
        return True
    try:
        event.wait()
    except BaseException:
        if not gate.give_up(wake):
            gate.leave()
        raise
    return True
