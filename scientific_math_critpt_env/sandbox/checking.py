"""The client's side of a check: a pool of confined checkers, each lent to one job at a time."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import replace

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import frames
from scientific_math_critpt_env.sandbox.hiring import Hired, hire
from scientific_math_critpt_env.sandbox.launcher import Launcher, turned_away
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome
from scientific_math_critpt_env.sandbox.running import ZYGOTE_DEATHS, killed_by_limit
from scientific_math_critpt_env.sandbox.waiting import Steps

FRESH_FAILURES = 2
"""How often a fresh checker may fail on one payload before that is raised; a crash is laid to the payload."""
CRASHES = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL})
"""Ends that native code brings about on some value: nobody from outside sends these."""
MAX_ANSWER_BYTES = 64 << 20
"""What a checker may answer; it is ours, so this only bounds the damage if it is not itself any more."""


class Checkers:
    """The checkers of one sandbox, from any thread: a checker is either idle here or in one job's hands."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._lock = threading.Lock()
        self._idle: list[Hired] = []
        self._closed = False

    def close(self) -> None:
        """End the idle checkers; those at work end when their jobs give them back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for hired in idle:
            hired.close()

    def abandon(self) -> None:
        """In a forked copy of the owner: close our copies of its sockets (`Hired` knows whose they are)."""
        self._closed = True
        for hired in self._idle:
            hired.close()

    def check(self, payload: bytes, limits: Limits) -> Steps[Outcome]:
        """`code_error` where it crashes every checker. Raises InfrastructureError, ConfinementError."""
        request = frames.pack_job(payload, limits)
        deaths, failures = 0, 0
        while True:
            hired = self._take()
            fresh = hired is None
            if hired is None:
                hired = yield from hire(self._launcher)
            keep = False
            try:
                result, keep = yield from self._attempt(hired, request, limits)
            finally:
                if keep:
                    self._give_back(hired)
                else:
                    hired.close()
            if isinstance(result, Outcome) and result.status != "code_error":
                return result
            if result is None:
                self._launcher.lost(hired.generation)
                deaths += 1
                if deaths >= ZYGOTE_DEATHS:
                    raise InfrastructureError(f"the checkers' zygote died {deaths} times under one check")
            elif fresh:
                failures += 1
                if failures >= FRESH_FAILURES:
                    if isinstance(result, Outcome):
                        return result
                    raise InfrastructureError(f"the checker failed: {result}")

    def _take(self) -> Hired | None:
        stale = []
        try:
            with self._lock:
                while self._idle:
                    hired = self._idle.pop()
                    if hired.generation == self._launcher.generation:
                        return hired
                    stale.append(hired)
        finally:
            for hired in stale:
                hired.close()
        return None

    def _give_back(self, hired: Hired) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(hired)
                return
        hired.close()

    def _attempt(
        self, hired: Hired, request: bytes, limits: Limits
    ) -> Steps[tuple[Outcome | str | None, bool]]:
        """(the outcome; or what is wrong with the checker; or None: no zygote), and whether it can go on."""
        start = time.monotonic()
        deadline = start + self._launcher.patience() + limits.wall_seconds
        yield from hired.send(request, deadline)
        header = yield from hired.receive_exactly(frames.ANSWER_HEADER, deadline)
        if not header:
            return (yield from self._ended(hired, limits, start, deadline)), False
        size, kind, retire, cpu, wall = frames.unpack_answer(header)
        if size > MAX_ANSWER_BYTES:
            return "it answers more than it may", False
        body = yield from hired.receive_exactly(size, deadline)
        if body is None or len(body) < size:
            return (yield from self._ended(hired, limits, start, deadline)), False
        self._launcher.served()
        hired.cpu_seconds += cpu
        if kind == frames.DONE:
            return Outcome(status="ok", value=body, cpu_seconds=cpu, wall_seconds=wall), not retire
        if kind == frames.NO_MEMORY:
            reason = "the comparison needs more memory than its limit"
            outcome = Outcome(status="resource_limit", limit="memory", reason=reason)
            return replace(outcome, cpu_seconds=cpu, wall_seconds=wall), False
        return body.decode(errors="replace"), False

    def _ended(
        self, hired: Hired, limits: Limits, start: float, deadline: float
    ) -> Steps[Outcome | str | None]:
        """What came of a checker that did not answer."""
        status = yield from hired.end(deadline)
        if status is None:
            return None
        if status.kind != "exited":
            raise turned_away(status)
        cpu, wall = status.cpu_seconds - hired.cpu_seconds, time.monotonic() - start  # of this job alone
        outcome = killed_by_limit(replace(status, cpu_seconds=max(cpu, 0.0), wall_seconds=wall), limits)
        if outcome is not None:
            return replace(outcome, reason=f"the comparison: {outcome.reason}")
        if -status.code in CRASHES:
            reason = f"it crashes its process ({signal.Signals(-status.code).name})"
            return Outcome(status="code_error", reason=reason, cpu_seconds=max(cpu, 0.0), wall_seconds=wall)
        return f"it ended with status {status.code}"
