"""Killable workers: confined processes that apply one function to payloads, each under limits of its own.

A worker that meets a limit is killed by the kernel and replaced by a fork, which costs milliseconds; the
others do not notice. The processes are the sandbox's checkers (`sandbox.checking`): they die with us, hold
no descriptor of ours, open no file and no connection. What differs is the start, which is kept short, and
that the end tells which of two limits it was: the function may go over to a second one by stopping
`ITIMER_PROF` and starting `ITIMER_VIRTUAL`.

Works from any thread and any event loop; starts nothing until first used, or `start()`ed.
"""

from __future__ import annotations

import os
import signal
import time
import weakref
from dataclasses import replace
from types import TracebackType
from typing import Self

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import Limits, Outcome
from scientific_math_critpt_env.sandbox.checking import CRASHES, Checkers
from scientific_math_critpt_env.sandbox.hiring import Hired
from scientific_math_critpt_env.sandbox.launcher import Launcher, turned_away
from scientific_math_critpt_env.sandbox.running import killed_by_limit
from scientific_math_critpt_env.sandbox.waiting import Gate, Steps, Turn, drive

SECOND = "second"
"""`Outcome.limit` where the function's own second limit killed the worker."""

STARVED_SECONDS = 600.0
"""Wall time in which a worker must get the CPU time of its limits; else this machine is too busy to judge."""


class Workers:
    """At most `workers` processes (default: one per core) that apply `function`, "module:name"."""

    def __init__(self, function: str, *, workers: int | None = None) -> None:
        self._function = function
        self.workers = workers or len(os.sched_getaffinity(0))
        self._open()
        _LIVE.add(self)

    def start(self) -> None:
        """Begin to start; does not wait for it."""
        self._launcher.ensure_started()

    async def apply(self, payload: bytes, *, cpu_seconds: float, memory_bytes: int) -> Outcome:
        """The function's reply as `value` of an "ok" outcome; else which limit was met: cpu, second, memory.

        Raises InfrastructureError where a worker fails for a reason that is not the payload's.
        """
        limits = Limits(cpu_seconds=cpu_seconds, wall_seconds=STARVED_SECONDS, memory_bytes=memory_bytes)
        outcome = await drive(self._in_turn(payload, limits))
        if outcome.limit == "wall":
            raise InfrastructureError(
                f"a worker got less than {cpu_seconds:g} s of CPU time in {STARVED_SECONDS:g} s: "
                "this machine is too busy; use fewer workers"
            )
        return outcome

    def close(self) -> None:
        """Kill all workers; may be used again, and then starts anew."""
        self._finalizer()
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> None:
        self._launcher = Launcher("symbolic", self._function)
        self._checkers = _TwoLimits(self._launcher)
        self._gate = Gate(self.workers)
        self._finalizer = weakref.finalize(self, _closed, self._checkers, self._launcher)

    def _in_turn(self, payload: bytes, limits: Limits) -> Steps[Outcome]:
        yield Turn(self._gate)
        gate = self._gate
        try:
            return (yield from self._checkers.check(payload, limits))
        finally:
            gate.leave()

    def _abandon(self) -> None:
        """In a forked copy of the owner: let go of what is the parent's."""
        self._checkers.abandon()
        self._launcher.abandon()
        self._finalizer.detach()
        self._open()


class _TwoLimits(Checkers):
    def _ended(
        self, hired: Hired, limits: Limits, start: float, deadline: float
    ) -> Steps[Outcome | str | None]:
        status = yield from hired.end(deadline)
        if status is None:
            return None
        if status.kind != "exited":
            raise turned_away(status)
        if status.code == -signal.SIGVTALRM:
            return Outcome(
                status="timeout", limit=SECOND, reason="used more than its second limit of CPU time"
            )
        cpu = max(status.cpu_seconds - hired.cpu_seconds, 0.0)  # of this job alone
        own = replace(status, cpu_seconds=cpu, wall_seconds=time.monotonic() - start)
        if outcome := killed_by_limit(own, limits):
            return outcome
        if -status.code in CRASHES:
            return Outcome(
                status="code_error", reason=f"crashes its process ({signal.Signals(-status.code).name})"
            )
        return f"it ended with status {status.code}"


def _closed(checkers: Checkers, launcher: Launcher) -> None:
    checkers.close()
    launcher.close()


_LIVE: weakref.WeakSet[Workers] = weakref.WeakSet()


def _abandon_all() -> None:
    for workers in list(_LIVE):
        workers._abandon()


os.register_at_fork(after_in_child=_abandon_all)
