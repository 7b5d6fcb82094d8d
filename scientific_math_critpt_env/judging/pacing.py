"""When the next request to a judge may go out: a rate, pauses it asked for, and a rest after failures."""

from __future__ import annotations

import asyncio
from time import monotonic

FAILURES_IN_A_ROW = 10
"""Questions lost one after another before a judge is left alone: the run must not wait out every stall."""

REST_SECONDS = 60.0
"""How long a judge is left alone before one question tries it again."""


class Pace:
    """The pace of one judge, within one event loop."""

    def __init__(self, requests_per_minute: float | None) -> None:
        self._spacing = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._next = 0.0
        self._lost = 0
        self._resting_until = 0.0
        self._why = ""

    async def turn(self) -> None:
        """Wait for the next slot of the rate, and until pauses are over."""
        slot = max(monotonic(), self._next)
        self._next = slot + self._spacing
        await asyncio.sleep(max(0.0, slot - monotonic()))

    def pause(self, seconds: float) -> None:
        """Nobody asks this judge for so long: it said that it has too much to do."""
        self._next = max(self._next, monotonic() + seconds)

    def resting(self) -> str:
        """Why the judge is left alone for now; "" where it may be asked.

        When its rest is over one caller is let through, and the others once that one was answered.
        """
        if not self._why:
            return ""
        if monotonic() < self._resting_until:
            return self._why
        self._resting_until = monotonic() + REST_SECONDS
        return ""

    def answered(self) -> None:
        """A question was answered."""
        self._lost, self._why = 0, ""

    def lost(self, reason: str, *, for_good: bool = False) -> None:
        """A question was lost; `for_good` where every other would be (a wrong key, no such model)."""
        self._lost += 1
        if for_good or self._lost >= FAILURES_IN_A_ROW:
            self._why = reason
            self._resting_until = monotonic() + REST_SECONDS
