"""CPU budget of one comparison, and a timer for single SymPy calls that may hang.

Covered: CPU time of this process, checked between steps, and an interrupt of one step by SIGVTALRM.
Not covered: threads other than the main one (no signals there: a step then runs to its end, and the
sandbox's kill is the limit), and C code that never returns to the interpreter.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

DEFAULT_SECONDS = 2.0
"""CPU seconds for one comparison: RL rollouts are graded by the thousand, and 99 % need under 0.1 s."""

INTERRUPT_AGAIN_SECONDS = 0.05
"""SymPy has broad handlers that may swallow the first interrupt: it is repeated until the step ends."""


class OutOfTime(Exception):
    """A step used up what it was given. Never leaves `grading.equality`."""


class Budget:
    """A CPU clock that starts when it is first asked, and the costs of the stages that ran on it."""

    def __init__(self, seconds: float = DEFAULT_SECONDS) -> None:
        self.seconds = seconds
        self.costs: dict[str, float] = {}
        self._start: float | None = None

    @property
    def left(self) -> float:
        """CPU seconds still to spend, never below 0."""
        now = time.process_time()
        if self._start is None:
            self._start = now
        return max(0.0, self.seconds - (now - self._start))

    def check(self) -> None:
        """Raise `OutOfTime` if nothing is left."""
        if self.left <= 0:
            raise OutOfTime

    def share(self, fraction: float) -> Budget:
        """A budget of its own with a part of what is left, for an attempt that may fail; books costs here."""
        part = Budget(self.left * fraction)
        part.costs = self.costs
        return part

    def count(self, event: str) -> None:
        """Count something that went wrong inside a step and was survived."""
        self.costs[event] = self.costs.get(event, 0.0) + 1

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Book the CPU time of the block under `name`."""
        start = time.process_time()
        try:
            yield
        finally:
            self.costs[name] = self.costs.get(name, 0.0) + time.process_time() - start

    def limited(self, step: Callable[[], T], seconds: float) -> T:
        """`step()` within `seconds` CPU (and within the budget); raises `OutOfTime` when it takes longer."""
        allowed = min(seconds, self.left)
        if allowed <= 0:
            raise OutOfTime
        if threading.current_thread() is not threading.main_thread():
            return step()
        return _with_timer(step, allowed)


def install_interrupt() -> None:
    """Make SIGVTALRM end a step. A confined process cannot install handlers, so it does this beforehand."""
    signal.signal(signal.SIGVTALRM, _interrupt)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTime


def _with_timer(step: Callable[[], T], seconds: float) -> T:
    """Run `step` under a virtual timer; an outer timer is set again afterwards for what it had left."""
    if signal.getsignal(signal.SIGVTALRM) is not _interrupt:
        install_interrupt()
    outer_left, outer_interval = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, INTERRUPT_AGAIN_SECONDS)
    start = time.process_time()
    try:
        return step()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if outer_left:
            used = time.process_time() - start
            signal.setitimer(signal.ITIMER_VIRTUAL, max(outer_left - used, 1e-3), outer_interval)
