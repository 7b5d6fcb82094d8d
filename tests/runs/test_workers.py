"""Workers are confined, have two limits, and are replaced alone."""

from __future__ import annotations

import asyncio

import pytest

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.runs import workers as module
from scientific_math_critpt_env.runs.workers import SECOND, Workers

pytestmark = pytest.mark.xdist_group("replay")

JOB = "tests.runs.jobs:job"


def test_confined_limited_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def apply(payload: bytes, seconds: float = 20.0, memory_bytes: int = 1 << 30) -> tuple[str, ...]:
        outcome = await workers.apply(payload, cpu_seconds=seconds, memory_bytes=memory_bytes)
        return outcome.status, outcome.limit, outcome.value.decode()

    async def all_of_it() -> None:
        assert await apply(b"trespass") == ("ok", "", "4 of 4 refused")
        assert await apply(b"spin", 0.2) == ("timeout", "cpu", "")
        assert await apply(b"second-spin 0.2") == ("timeout", SECOND, "")
        assert await apply(b"fill 500000000", memory_bytes=100 << 20) == ("resource_limit", "memory", "")
        slow, *quick = await asyncio.gather(apply(b"spin", 0.5), *(apply(b"echo a") for _ in range(20)))
        assert slow == ("timeout", "cpu", "")
        assert quick == [("ok", "", "a")] * 20
        monkeypatch.setattr(module, "STARVED_SECONDS", 0.3)
        with pytest.raises(InfrastructureError, match="too busy"):
            await apply(b"sleep")

    with Workers(JOB, workers=2) as workers:
        asyncio.run(all_of_it())
        asyncio.run(_another_loop(workers))


async def _another_loop(workers: Workers) -> None:
    """The same processes serve it."""
    outcome = await workers.apply(b"echo b", cpu_seconds=20, memory_bytes=1 << 30)
    assert outcome.value == b"b"
