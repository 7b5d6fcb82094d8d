"""The confined checker's side: one process, many jobs, no model code ever.

It holds golds and candidates' values, as data. Each job gets the full limits again: the kill timers are
started anew, and stopped before the answer is written.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames, kernel
from scientific_math_critpt_env.sandbox.channel import read_exactly, write_all

MOST_JOBS = 2000
"""A checker retires after as many, so that nothing it caches can grow for ever."""
MOST_GROWTH_BYTES = 256 << 20
"""It retires earlier when its resident memory peaked this far above the start."""

Function = Callable[[bytes], bytes]


def serve_checker(channel: int, base_bytes: int, filter: kernel.Filter, function: Function) -> NoReturn:
    """Answer jobs with `function` until the client goes away or this process has served its time."""
    confinement.seal(filter, channel)
    start = _peak_bytes()
    for served in range(1, MOST_JOBS + 1):
        header = read_exactly(confinement.CHANNEL, frames.JOB_HEADER)
        size, cpu_seconds, wall_seconds, memory_bytes = frames.unpack_job(header)
        payload = read_exactly(confinement.CHANNEL, size)
        cpu_start, wall_start = time.process_time(), time.monotonic()
        confinement.limit_memory(base_bytes + memory_bytes)
        confinement.arm(cpu_seconds, wall_seconds)
        kind, body = _answer(function, payload)
        confinement.arm(0, 0)
        retire = served == MOST_JOBS or kind != frames.DONE or _peak_bytes() - start > MOST_GROWTH_BYTES
        answer = frames.pack_answer(
            kind,
            body,
            retire=retire,
            cpu_seconds=time.process_time() - cpu_start,
            wall_seconds=time.monotonic() - wall_start,
        )
        write_all(confinement.CHANNEL, answer)
        if retire:
            break
    confinement.leave()


def _answer(function: Function, payload: bytes) -> tuple[bytes, bytes]:
    try:
        return frames.DONE, function(payload)
    except MemoryError:
        return frames.NO_MEMORY, b""
    except Exception as error:  # noqa: BLE001 - told to the client, which retries once and then raises
        return frames.RAISED, _where(error).encode()


def _where(error: Exception) -> str:
    """Type and place of an error of ours; not its message, which may quote a candidate."""
    traceback, place = error.__traceback__, "nowhere"
    while traceback is not None:
        place = f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return f"{type(error).__name__} at {place}"


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
