"""Processes, descriptors and event loops: nothing lost, nothing left, from wherever it is used."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import Limits, Outcome, Program, Sandbox
from scientific_math_critpt_env.sandbox.sandbox import greet
from scientific_math_critpt_env.sandbox.waiting import drive_sync
from tests.sandbox.attacking import CHECKER, honest
from tests.sandbox.family import descriptors, family, gone_within, resident_bytes, zombies

ONE = Program(code="def model_answer(): return 1")
HANG = Program(code="def model_answer():\n    while True: pass")
LONG = Limits(cpu_seconds=60.0, wall_seconds=60.0)


@pytest.fixture(scope="module")
def own() -> Iterator[Sandbox]:
    """A sandbox that tests may mistreat; it recovers."""
    with Sandbox(checker=CHECKER, workers=2) as sandbox:
        yield sandbox


async def grade(sandbox: Sandbox) -> Outcome:
    run = await sandbox.run(ONE)
    assert run.status == "ok"
    check = await sandbox.check(b"read " + run.value)
    assert check.value == b"[1]"
    return check


def zygotes(sandbox: Sandbox, *names: str) -> dict[str, int]:
    """Pids of the zygotes that serve now, by name; those that are not there yet are started."""
    return {
        name: drive_sync(greet(sandbox._processes.launchers[name])) for name in names or ("light", "checker")
    }


def test_every_event_loop_and_thread_may_use_it(sandbox: Sandbox):
    for _ in range(3):
        asyncio.run(grade(sandbox))
    results: list[str] = []

    def loop_of_its_own() -> None:
        results.append(asyncio.run(honest(sandbox, 3)))

    def without_a_loop() -> None:
        outcome = sandbox.run_sync(ONE)
        results.append("" if sandbox.check_sync(b"read " + outcome.value).value == b"[1]" else "wrong")

    threads = [threading.Thread(target=target) for target in (loop_of_its_own, without_a_loop) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [""] * 8


async def test_thousands_in_flight(sandbox: Sandbox):
    """Bounded work, unbounded waiting: here 1,000 runs at two at a time."""
    before = descriptors()
    running = [asyncio.ensure_future(sandbox.run(ONE)) for _ in range(1000)]
    await asyncio.sleep(0.2)
    assert len(descriptors()) - len(before) < 30
    for task in running[300:]:
        task.cancel()
    done = await asyncio.gather(*running, return_exceptions=True)
    assert all(outcome.status == "ok" for outcome in done if isinstance(outcome, Outcome))
    assert sum(isinstance(outcome, Outcome) for outcome in done) >= 300
    await grade(sandbox)


async def test_cancelling_kills_the_child(own: Sandbox):
    await grade(own)
    serving = set(zygotes(own).values())
    tasks = [asyncio.ensure_future(own.run(HANG, LONG)) for _ in range(2)]
    tasks += [asyncio.ensure_future(own.check(b"spin", LONG)) for _ in range(2)]
    working: list[int] = []
    while len(working) < 2:  # the others may be waiting for a core
        await asyncio.sleep(0.1)
        working = [pid for pid in set(family(os.getpid())) - serving if _running(pid)]
    for task in tasks:
        task.cancel()
    assert all(
        isinstance(end, asyncio.CancelledError)
        for end in await asyncio.gather(*tasks, return_exceptions=True)
    )
    for _ in range(100):
        if not set(working) & set(family(os.getpid())):
            break
        await asyncio.sleep(0.02)
    else:
        pytest.fail("still there")
    assert zombies(os.getpid()) == []
    await grade(own)


def _running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False


async def test_no_descriptor_is_leaked(sandbox: Sandbox):
    await asyncio.gather(*(grade(sandbox) for _ in range(4)))
    gc.collect()
    before = descriptors()
    for _ in range(10):
        tasks = [asyncio.ensure_future(grade(sandbox)) for _ in range(8)]
        tasks += [asyncio.ensure_future(sandbox.run(HANG, LONG)) for _ in range(2)]
        await asyncio.wait(tasks, timeout=0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(grade(sandbox) for _ in range(4)))
    assert len(descriptors()) <= len(before) + 4  # as many idle checkers as there were at most
    assert zombies(os.getpid()) == []


@pytest.mark.slow
def test_closing_leaves_nothing(own: Sandbox):
    own.start()
    asyncio.run(grade(own))
    mine = _descendants(own)
    assert len(mine) >= 4
    own.close()
    deadline = time.monotonic() + 2
    while mine & set(family(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert mine & set(family(os.getpid())) == set()
    assert zombies(os.getpid()) == []
    asyncio.run(grade(own))  # and it may be used again


@pytest.mark.slow
async def test_closing_ends_what_is_under_way(own: Sandbox):
    await grade(own)
    before = _descendants(own)
    tasks = [asyncio.ensure_future(own.run(HANG, LONG)) for _ in range(4)]  # two at work, two queued
    tasks += [asyncio.ensure_future(own.check(b"spin", LONG)) for _ in range(4)]
    await asyncio.sleep(0.3)
    own.close()
    ends = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
    assert all(isinstance(end, InfrastructureError) and "closed" in str(end) for end in ends), ends
    assert before & set(family(os.getpid())) == set()
    await grade(own)


@pytest.mark.slow
def test_a_forgotten_sandbox_is_closed():
    sandbox = Sandbox(checker=CHECKER)
    sandbox.run_sync(ONE)
    mine = _descendants(sandbox, "light")
    assert len(mine) >= 2
    del sandbox
    gc.collect()
    time.sleep(0.5)
    assert mine & set(family(os.getpid())) == set()


def test_two_sandboxes_do_not_meet(sandbox: Sandbox, own: Sandbox):
    async def both() -> None:
        await asyncio.gather(*(grade(each) for each in (sandbox, own) * 10))
        assert int((await own.check(b"served")).value) >= 1

    asyncio.run(both())
    assert set(zygotes(sandbox).values()).isdisjoint(zygotes(own).values())
    own.close()
    asyncio.run(grade(sandbox))


def test_a_dead_zygote_is_replaced_at_once(own: Sandbox):
    own.start()
    asyncio.run(grade(own))
    for _ in range(3):
        before = zygotes(own)
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        start = time.monotonic()
        asyncio.run(grade(own))
        after = zygotes(own)
        assert set(before.values()).isdisjoint(after.values())
        assert time.monotonic() - start < 3.0  # its twin was there; an interpreter would load for that long
        asyncio.run(grade(own))
    assert zombies(os.getpid()) == []


@pytest.mark.slow
def test_both_zygotes_dead_start_anew(own: Sandbox):
    own.start()
    asyncio.run(grade(own))
    for pid in _descendants(own):
        with suppress(ProcessLookupError):  # it died with its zygote
            os.kill(pid, signal.SIGKILL)
    asyncio.run(grade(own))


def _descendants(sandbox: Sandbox, *names: str) -> set[int]:
    """All processes of this sandbox: those in the sessions of its zygotes; a twin stays in its original's."""
    sessions = {os.getsid(pid) for pid in zygotes(sandbox, *names).values()}
    return {pid for pid in family(os.getpid()) if _session(pid) in sessions}


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return -1


@pytest.mark.slow
async def test_zygotes_killed_all_the_time_lose_nothing(own: Sandbox):
    own.start()
    chance = random.Random(1)
    graded = 0

    async def client() -> None:
        nonlocal graded
        for _ in range(100):
            await grade(own)
            graded += 1

    async def killer() -> int:
        kills = 0
        while True:
            await asyncio.sleep(0.5)
            os.kill(chance.choice(list((await asyncio.to_thread(zygotes, own)).values())), signal.SIGKILL)
            kills += 1

    killing = asyncio.ensure_future(killer())
    await asyncio.gather(*(client() for _ in range(8)))
    killing.cancel()
    assert graded == 800


TRAINER = """
import asyncio, os, sys
from scientific_math_critpt_env.sandbox import Limits, Program, Sandbox
sandbox = Sandbox(checker="tests.sandbox.checks:check", workers=2)
hang = Program(code="def model_answer():\\n    while True: pass")
long = Limits(cpu_seconds=60.0, wall_seconds=60.0)
async def main():
    tasks = [asyncio.ensure_future(sandbox.run(hang, long)) for _ in range(2)]
    tasks.append(asyncio.ensure_future(sandbox.check(b"spin", long)))
    assert (await sandbox.check(b"echo x")).value == b"x"
    await asyncio.sleep(0.5)
    if os.fork() == 0:  # a worker of the trainer that outlives it, with copies of every socket
        os.execv("/bin/sleep", ["sleep", "3"]) if "exec" in sys.argv else __import__("time").sleep(3)
        os._exit(0)
    print("ready", flush=True)
    await asyncio.gather(*tasks)
asyncio.run(main())
"""


@pytest.mark.parametrize("how", ["fork", pytest.param("exec", marks=pytest.mark.slow)])
def test_a_killed_trainer_leaves_nothing(how: str):
    with subprocess.Popen([sys.executable, "-c", TRAINER, how], stdout=subprocess.PIPE) as trainer:
        assert trainer.stdout
        assert trainer.stdout.readline() == b"ready\n"
        assert len(family(trainer.pid)) >= 6
        trainer.kill()
        trainer.wait()
        assert gone_within(1.0, trainer.pid) == []


def _in_a_fork(sandbox: Sandbox) -> None:
    before = family(os.getpid())
    asyncio.run(grade(sandbox))
    os._exit(0 if not before and family(os.getpid()) else 1)


def test_a_forked_copy_starts_its_own(sandbox: Sandbox):
    asyncio.run(grade(sandbox))
    ours = zygotes(sandbox)
    pid = os.fork()
    if pid == 0:
        _in_a_fork(sandbox)
    asyncio.run(grade(sandbox))  # meanwhile, undisturbed
    assert os.waitpid(pid, 0)[1] == 0
    assert gone_within(1.0, pid) == []
    assert zygotes(sandbox) == ours


async def test_a_fork_in_the_middle_of_work_disturbs_nobody(sandbox: Sandbox):
    tasks = [asyncio.ensure_future(grade(sandbox)) for _ in range(20)]
    await asyncio.sleep(0.02)
    _fork_and_forget(tasks)
    await asyncio.gather(*tasks)


def _fork_and_forget(tasks: list[asyncio.Future[Outcome]]) -> None:
    pid = os.fork()
    if pid == 0:
        for task in tasks:  # the copies end here, and must not end the originals
            task.get_coro().close()  # type: ignore[attr-defined]
        os._exit(0)
    os.waitpid(pid, 0)


@pytest.mark.slow
def test_a_spawned_process_gets_its_own(sandbox: Sandbox):
    again = pickle.loads(pickle.dumps(sandbox))
    assert isinstance(again, Sandbox)
    process = multiprocessing.get_context("spawn").Process(target=_in_a_fork, args=(sandbox,))
    process.start()
    process.join(60)
    assert process.exitcode == 0


@pytest.mark.slow
async def test_memory_stays_flat(own: Sandbox):
    own.start()
    await asyncio.gather(*(grade(own) for _ in range(200)))
    pids = [os.getpid(), *zygotes(own).values()]
    before = [resident_bytes(pid) for pid in pids]
    for _ in range(10):
        await asyncio.gather(*(grade(own) for _ in range(150)))
    after = [resident_bytes(pid) for pid in pids]
    assert all(new < 1.05 * old for old, new in zip(before, after, strict=True)), (before, after)
