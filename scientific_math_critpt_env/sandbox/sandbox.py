"""The front of the sandbox: run a program, check a payload, from any event loop or thread.

    with Sandbox(checker="package.module:function") as sandbox:
        outcome = await sandbox.run(Program(code=code), Limits())     # fresh confined child
        outcome = await sandbox.check(payload, Limits())              # confined checker, reused

Every outcome is the program's own doing. What is ours to answer for is raised: ConfinementError where this
machine cannot confine code, InfrastructureError where a process that should work does not.
"""

from __future__ import annotations

import os
import re
import sys
import time
import weakref
from types import TracebackType

from scientific_math_critpt_env.sandbox import frames
from scientific_math_critpt_env.sandbox.checking import Checkers
from scientific_math_critpt_env.sandbox.hiring import hire
from scientific_math_critpt_env.sandbox.launcher import Launcher, turned_away
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome, Program
from scientific_math_critpt_env.sandbox.running import run_program
from scientific_math_critpt_env.sandbox.waiting import Gate, Steps, T, Turn, drive, drive_sync

MAX_CODE_CHARACTERS = 1 << 18
"""Source longer than this is refused unread; the longest honest answers are under 20,000."""
_SCIPY = re.compile(r"\b(?:scipy|lambdify|stats)\b")
"""Parsing hostile text is the child's risk, not ours: a mention of SciPy is enough to provide it, or of what
in SymPy uses it where it is there."""
_DEFAULT = Limits()


class Sandbox:
    """Confined processes for one checker function. Starts nothing until first used, or `start()`ed."""

    def __init__(self, *, checker: str, workers: int | None = None) -> None:
        """`checker` is "package.module:function", bytes -> bytes; `workers` bounds the runs, and the checks,
        that are under way at the same time (default: one per core)."""
        self._checker = checker
        self._workers = workers or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
        self._open()
        _LIVE.add(self)

    async def run(self, program: Program, limits: Limits = _DEFAULT) -> Outcome:
        """Run untrusted code in a fresh confined child; `value` is the encoded list of what the calls gave.

        Cancelling kills the child. Raises ConfinementError, InfrastructureError; ValueError where the
        argument sources of `program.calls` do not evaluate.
        """
        return await drive(self._run(program, limits))

    async def check(self, payload: bytes, limits: Limits = _DEFAULT) -> Outcome:
        """Apply the checker function to `payload` in a confined process; `value` is what it returned.

        Cancelling kills that process. Raises ConfinementError, InfrastructureError.
        """
        return await drive(self._check(payload, limits))

    def run_sync(self, program: Program, limits: Limits = _DEFAULT) -> Outcome:
        """`run` for a thread without an event loop."""
        return drive_sync(self._run(program, limits))

    def check_sync(self, payload: bytes, limits: Limits = _DEFAULT) -> Outcome:
        """`check` for a thread without an event loop."""
        return drive_sync(self._check(payload, limits))

    def start(self) -> None:
        """Start the zygotes that every grade needs and wait for them; each tries its confinement first.

        Raises ConfinementError, in one line, where this machine cannot confine code; InfrastructureError
        where a zygote cannot start.
        """
        self.begin()
        for launcher in self._processes.needed:
            drive_sync(greet(launcher))

    def begin(self) -> None:
        """Have the zygotes that every grade needs start, side by side, and do not wait for them."""
        _check_platform()
        for launcher in self._processes.needed:
            launcher.ensure_started()

    def close(self) -> None:
        """Kill everything this sandbox has started; work under way or queued raises InfrastructureError.

        It may be used again, and then starts anew.
        """
        self._finalizer()
        self._open()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._checker, self._workers)  # in a spawned process: the same, not started

    def _open(self) -> None:
        self._processes = _Processes(self._checker, self._workers)
        self._finalizer = weakref.finalize(self, self._processes.close)

    def _run(self, program: Program, limits: Limits) -> Steps[Outcome]:
        _check_platform()
        if len(program.code) > MAX_CODE_CHARACTERS:
            reason = f"the code is longer than {MAX_CODE_CHARACTERS} characters"
            return Outcome(status="resource_limit", limit="code", reason=reason)
        launcher = self._processes.launchers["full" if _SCIPY.search(program.code) else "light"]
        return (yield from _inside(self._processes.runs, run_program(launcher, program, limits)))

    def _check(self, payload: bytes, limits: Limits) -> Steps[Outcome]:
        _check_platform()
        return (yield from _inside(self._processes.checks, self._processes.checkers.check(payload, limits)))

    def _abandon(self) -> None:
        self._processes.abandon()
        self._finalizer.detach()
        self._open()


class _Processes:
    """What a sandbox has started between its first use and its closing."""

    def __init__(self, checker: str, workers: int) -> None:
        self.launchers = {
            "light": Launcher("light"),
            "full": Launcher("full"),
            "checker": Launcher("light", checker),
        }
        self.needed = (self.launchers["checker"], self.launchers["light"])
        self.checkers = Checkers(self.launchers["checker"])
        self.runs, self.checks = Gate(workers), Gate(workers)

    def close(self) -> None:
        self.checkers.close()
        for launcher in self.launchers.values():
            launcher.close()

    def abandon(self) -> None:
        self.checkers.abandon()
        for launcher in self.launchers.values():
            launcher.abandon()


def _inside(gate: Gate, steps: Steps[T]) -> Steps[T]:
    yield Turn(gate)
    try:
        return (yield from steps)
    finally:
        gate.leave()


def greet(launcher: Launcher) -> Steps[int]:
    """Wait until the zygote serves, starting it if need be; returns its pid."""
    while True:
        hired = yield from hire(launcher, frames.HELLO)
        try:
            status = yield from hired.end(time.monotonic() + launcher.patience())
        finally:
            hired.close()
        if status is None:
            launcher.lost(hired.generation)
        elif status.kind != "ready":
            raise turned_away(status)
        else:
            launcher.served()
            return status.code


def _check_platform() -> None:
    if sys.platform != "linux":
        reason = f"it needs Linux, not {sys.platform}; use a Linux machine or container"
        raise turned_away(frames.Status("refused", reason=reason))


def _again(checker: str, workers: int) -> Sandbox:
    return Sandbox(checker=checker, workers=workers)


_LIVE: weakref.WeakSet[Sandbox] = weakref.WeakSet()


def _abandon_all() -> None:
    for sandbox in list(_LIVE):
        sandbox._abandon()


if hasattr(os, "register_at_fork"):  # else there is no Linux either, and no sandbox
    os.register_at_fork(after_in_child=_abandon_all)
