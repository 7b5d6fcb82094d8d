"""The client's side of a run: one program, one fresh child, one outcome."""

from __future__ import annotations

import signal
import time
from dataclasses import replace

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import frames
from scientific_math_critpt_env.sandbox.hiring import Hired, hire
from scientific_math_critpt_env.sandbox.launcher import Launcher, turned_away
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome, Program
from scientific_math_critpt_env.sandbox.waiting import Steps

ZYGOTE_DEATHS = 20
"""How many zygotes may die under one job before that is raised."""
SUSPICIOUS = 0.25
"""Part of the memory limit beyond which a process killed from outside was the victim of its own use of it."""
CPU_SLACK = 0.1
"""CPU seconds beyond the limit that are laid to the kernel's clock ticks, not to the code."""
UNKNOWN_ENDS = 2
"""How often a child may end for no known reason before that is raised."""


def run_program(launcher: Launcher, program: Program, limits: Limits) -> Steps[Outcome]:
    """Raises InfrastructureError, ConfinementError; ValueError where the arguments do not evaluate."""
    request = frames.pack_program(program, limits)
    deaths, unknown = 0, 0
    while True:
        hired = yield from hire(launcher)
        try:
            result = yield from _attempt(launcher, hired, request, limits)
        finally:
            hired.close()
        if isinstance(result, Outcome):
            return result
        if result is None:
            launcher.lost(hired.generation)
            deaths += 1
            if deaths >= ZYGOTE_DEATHS:
                raise InfrastructureError(f"the sandbox's zygote died {deaths} times under one run")
        else:
            unknown += 1
            if unknown >= UNKNOWN_ENDS:
                raise InfrastructureError(f"a confined child ended for no reason of the program's: {result}")


def _attempt(launcher: Launcher, hired: Hired, request: bytes, limits: Limits) -> Steps[Outcome | str | None]:
    """The outcome; or what happened to the child, if that says nothing about the program; None: no zygote."""
    deadline = time.monotonic() + launcher.patience() + limits.wall_seconds
    yield from hired.send(request, deadline)
    hired.no_more()
    stream = bytearray()
    overflow = False
    while True:
        part = yield from hired.receive(deadline)
        if part is None:
            return None
        if not part:
            break
        stream += part
        if len(stream) > limits.output_bytes + frames.PROGRAM_OVERHEAD:
            overflow = True
            hired.kill()
            break
    status = yield from hired.end(deadline)
    if status is None:
        return None
    if status.kind != "exited":
        raise turned_away(status)
    launcher.served()
    started, frame = bytes(stream[:1]), bytes(stream[1:])
    if started == frames.ARGUMENTS_BAD:
        raise ValueError("the arguments of the program do not evaluate")
    if started != frames.ARGUMENTS_GOOD:  # the first byte is written before any of the program's code runs
        return f"before the code ran, {_how(status.code)}"
    outcome = _judge(status, frame, overflow, limits)
    if outcome is None:
        return _how(status.code)
    return replace(outcome, cpu_seconds=status.cpu_seconds, wall_seconds=status.wall_seconds)


def _judge(status: frames.Status, frame: bytes, overflow: bool, limits: Limits) -> Outcome | None:
    """What the end of a child means; None if it was killed from outside."""
    if overflow:
        return Outcome(
            status="resource_limit", limit="output", reason="the code wrote more than the limit on output"
        )
    if limit := killed_by_limit(status, limits):
        return limit
    code = status.code
    if status.cpu_seconds > limits.cpu_seconds + CPU_SLACK:
        # The timers look at the clock on ticks; code that naps between them got through, and ends here.
        reason = f"used more than {limits.cpu_seconds:g} s of CPU time"
        return Outcome(status="timeout", limit="cpu", reason=reason)
    if code == -signal.SIGKILL:
        return None
    if code == frames.NO_MEMORY_LEFT:
        return Outcome(
            status="resource_limit", limit="memory", reason="the code needs more memory than its limit"
        )
    if code < 0:
        return Outcome(
            status="code_error", reason=f"the code crashed its process ({signal.Signals(-code).name})"
        )
    if code > 0 or not frame:
        return Outcome(status="code_error", reason="the code ended its process before it returned")
    forged = Outcome(status="code_error", reason="the code wrote to the channel of its result")
    return frames.unpack_frame(frame) or forged


def killed_by_limit(status: frames.Status, limits: Limits) -> Outcome | None:
    """The outcome of a process that was killed at a limit, if it was."""
    code, cpu, wall = status.code, status.cpu_seconds, status.wall_seconds
    if code in (-signal.SIGPROF, -signal.SIGXCPU) or (code == -signal.SIGKILL and cpu >= limits.cpu_seconds):
        reason = f"used more than {limits.cpu_seconds:g} s of CPU time"
        return Outcome(status="timeout", limit="cpu", reason=reason, cpu_seconds=cpu, wall_seconds=wall)
    if code == -signal.SIGALRM:
        reason = f"took more than {limits.wall_seconds:g} s"
        return Outcome(status="timeout", limit="wall", reason=reason, cpu_seconds=cpu, wall_seconds=wall)
    if code == -signal.SIGKILL and status.peak_bytes > limits.memory_bytes * SUSPICIOUS:
        reason = "the system ran out of memory, most of it taken here"
        return Outcome(
            status="resource_limit", limit="memory", reason=reason, cpu_seconds=cpu, wall_seconds=wall
        )
    return None


def _how(code: int) -> str:
    return f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"it exited with {code}"
