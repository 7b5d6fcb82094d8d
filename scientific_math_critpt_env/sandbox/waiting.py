"""Work as a generator of things to wait for, and the two drivers that wait: an event loop, or a thread.

The sandbox's logic is written once, without threads and without an event loop: it yields what it waits for
and is resumed with whether that came (True) or its deadline did (False). Whoever closes the generator early -
a cancelled task, a KeyboardInterrupt - runs its `finally` blocks, which kill the child.
"""

from __future__ import annotations

import asyncio
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ready:
    """Wait until `descriptor` can be read (or written), and no longer than to `deadline` (monotonic)."""

    descriptor: int
    deadline: float
    write: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """Wait for a place at `gate`, however long that takes."""

    gate: Gate


Wait = Ready | Turn
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

    def give_up(self, wake: Callable[[], bool]) -> None:
        """Leave the queue; or, where the turn has come already and nobody is there to take it, the gate."""
        with self._lock:
            try:
                self._queue.remove(wake)
            except ValueError:
                pass
            else:
                return
        self.leave()

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
        wait = steps.send(None)  # type: ignore[arg-type]  # how a generator is started
        while True:
            came = await (_turn(loop, wait.gate) if isinstance(wait, Turn) else _ready(loop, wait))
            wait = steps.send(came)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


async def _ready(loop: asyncio.AbstractEventLoop, wait: Ready) -> bool:
    future: asyncio.Future[bool] = loop.create_future()
    owner = os.getpid()
    timer = loop.call_later(max(0.0, wait.deadline - time.monotonic()), _settle, future, False)
    if wait.write:
        loop.add_writer(wait.descriptor, _settle, future, True)
    else:
        loop.add_reader(wait.descriptor, _settle, future, True)
    try:
        return await future
    finally:
        timer.cancel()
        if os.getpid() == owner:  # a forked copy shares its parent's epoll, and must leave it alone
            if wait.write:
                loop.remove_writer(wait.descriptor)
            else:
                loop.remove_reader(wait.descriptor)


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
        gate.give_up(wake)
        raise


def _settle(future: asyncio.Future[bool], value: bool) -> None:
    if not future.done():
        future.set_result(value)


def drive_sync(steps: Steps[T]) -> T:
    """Run `steps` in the calling thread."""
    try:
        wait = steps.send(None)  # type: ignore[arg-type]  # how a generator is started
        while True:
            wait = steps.send(_turn_sync(wait.gate) if isinstance(wait, Turn) else _ready_sync(wait))
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def _ready_sync(wait: Ready) -> bool:
    poll = select.poll()
    poll.register(wait.descriptor, select.POLLOUT if wait.write else select.POLLIN)
    return bool(poll.poll(max(0.0, wait.deadline - time.monotonic()) * 1000))


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
        gate.give_up(wake)
        raise
    return True
