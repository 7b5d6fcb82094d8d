"""What a worker does in tests: all that a checker of the sandbox's tests does, and a second stage."""

from __future__ import annotations

import signal
from typing import NoReturn

from tests.sandbox import checks


def job(payload: bytes) -> bytes:
    """As `checks.check`; `second-spin SECONDS` never ends and starts its own second limit."""
    command, _, rest = payload.partition(b" ")
    if command == b"second-spin":
        _spin(float(rest))
    return checks.check(payload)


def _spin(seconds: float) -> NoReturn:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    while True:
        pass
