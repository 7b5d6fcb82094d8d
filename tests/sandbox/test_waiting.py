"""The gate and the drivers: fair, across loops and threads, and nothing is lost when somebody gives up."""

from __future__ import annotations

import asyncio
import os
import resource
import threading
import time
from collections.abc import Generator
from contextlib import suppress

import pytest

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import Program, Sandbox
from scientific_math_critpt_env.sandbox.waiting import Gate, Ready, Steps, Turn, Wait, drive, drive_sync

ONE = Program(code="def model_answer(): return 1")


def passing(gate: Gate, log: list[object], name: object, seconds: float = 0.0) -> Steps[object]:
    yield Turn(gate)
    try:
        log.append(name)
        reader, writer = os.pipe()
        try:
            assert not (yield Ready(reader, time.monotonic() + seconds))
        finally:
            os.close(reader)
            os.close(writer)
        return name
    finally:
        gate.leave()


async def test_first_come_first_served():
    gate, log = Gate(1), list[object]()
    results = await asyncio.gather(*(drive(passing(gate, log, k, 0.001)) for k in range(20)))
    assert results == log == list(range(20))


async def test_who_gives_up_takes_no_place():
    gate, log = Gate(1), list[object]()
    tasks = [asyncio.ensure_future(drive(passing(gate, log, k, 0.05))) for k in range(10)]
    await asyncio.sleep(0.01)
    for task in tasks[1:9]:
        task.cancel()
    assert await tasks[9] == 9
    assert log == [0, 9]
    tasks[0].cancel()
    assert await asyncio.wait_for(drive(passing(gate, log, "after")), 1) == "after"


async def test_a_turn_that_comes_too_late_is_passed_on():
    """Cancelled in the same step of the loop in which its turn came."""
    gate, log = Gate(1), list[object]()
    assert gate.enter(lambda: True)
    task = asyncio.ensure_future(drive(passing(gate, log, "never")))
    await asyncio.sleep(0)
    gate.leave()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await asyncio.wait_for(drive(passing(gate, log, "next")), 1) == "next"


def test_a_closed_loop_is_passed_over():
    gate, log = Gate(1), list[object]()
    assert gate.enter(lambda: True)
    loop = asyncio.new_event_loop()
    task = loop.create_task(drive(passing(gate, log, "gone")))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()  # with the task in the queue
    gate.leave()
    assert drive_sync(passing(gate, log, "next")) == "next"
    del task


def test_loops_and_threads_share_a_gate():
    gate, log, inside, most = Gate(2), list[object](), [0], [0]

    def counted(name: object) -> Generator[Wait, bool, object]:
        yield Turn(gate)
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.001)
        inside[0] -= 1
        gate.leave()
        log.append(name)
        return name

    async def several() -> None:
        await asyncio.gather(*(drive(counted(k)) for k in range(10)))

    threads = [threading.Thread(target=lambda: asyncio.run(several())) for _ in range(3)]
    threads += [threading.Thread(target=lambda: drive_sync(counted("sync"))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(log) == 35
    assert most[0] <= 2


def test_without_descriptors_it_is_an_infrastructure_error(sandbox: Sandbox):
    assert sandbox.run_sync(ONE).status == "ok"
    held = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
    try:
        with suppress(OSError):
            while True:
                held.append(os.dup(0))
        with pytest.raises(InfrastructureError, match="Too many open files"):
            sandbox.run_sync(ONE)
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert sandbox.run_sync(ONE).status == "ok"
