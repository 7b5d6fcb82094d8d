"""The store of replies: asked for once by coroutines, juries and processes, also after kills; no pickles."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import time
import zlib
from multiprocessing.context import ForkContext, SpawnContext
from pathlib import Path

import diskcache
import pytest

from scientific_math_critpt_env.demo.judges import JudgeScript, Rule
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.judging import Judge, JudgingError, Jury, Question
from scientific_math_critpt_env.judging.claims import Claims
from scientific_math_critpt_env.judging.replies import Replies


def question(number: int) -> Question:
    return Question("q", ({"role": "user", "content": f"question {number}"},))


def ask_all(url: str, folder: Path, count: int) -> None:
    async def ask() -> None:
        async with Jury([Judge(name="a", model="a", base_url=url)], cache=folder) as jury:
            ballots = await asyncio.gather(*(jury.ask(question(number)) for number in range(count)))
            assert {ballot.decision for ballot in ballots} == {"YES"}

    asyncio.run(ask())


@pytest.fixture
def spawning() -> SpawnContext:
    return multiprocessing.get_context("spawn")


def test_processes_ask_once(tmp_path: Path, spawning: SpawnContext) -> None:
    script = JudgeScript([Rule(delay=0.1, reply="YES")])
    with running([], judges=script) as url:
        processes = [spawning.Process(target=ask_all, args=(url, tmp_path, 40)) for _ in range(2)]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
            assert process.exitcode == 0
        assert len(script.calls) == len({call.digest for call in script.calls}) == 40


def test_two_juries_of_one_process_ask_once(tmp_path: Path) -> None:
    script = JudgeScript([Rule(delay=0.1, reply="YES")])
    with running([], judges=script) as url:

        async def both() -> None:
            juries = [Jury([Judge(name="a", model="a", base_url=url)], cache=tmp_path) for _ in range(2)]
            await asyncio.gather(*(jury.ask(question(number % 5)) for jury in juries for number in range(10)))
            for jury in juries:
                await jury.aclose()

        asyncio.run(both())
        assert len(script.calls) == 5


def test_a_forked_copy_asks_for_itself() -> None:
    script = JudgeScript([Rule(reply="YES")])
    with running([], judges=script) as url:
        jury = Jury([Judge(name="a", model="a", base_url=url, timeout=20.0, retries=0)])
        assert asyncio.run(jury.ask(question(1))).decision == "YES"
        forking: ForkContext = multiprocessing.get_context("fork")

        def child() -> None:
            assert asyncio.run(jury.ask(question(2))).decision == "YES"
            os._exit(0)

        process = forking.Process(target=child)
        process.start()
        process.join(20)
        assert process.exitcode == 0
        assert asyncio.run(jury.ask(question(3))).decision == "YES"
        jury.close()


def hold_claim(path: Path) -> None:
    Claims(path).claim("ab" * 8)
    path.with_suffix(".held").touch()
    time.sleep(60)


def test_a_killed_process_leaves_no_claim(tmp_path: Path, spawning: SpawnContext) -> None:
    path = tmp_path / "claims.lock"
    process = spawning.Process(target=hold_claim, args=(path,))
    process.start()
    while not path.with_suffix(".held").exists():
        time.sleep(0.01)
    claims = Claims(path)
    assert not claims.claim("ab" * 8)
    assert claims.claim("cd" * 8)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join(10)
    assert claims.claim("ab" * 8)
    assert not claims.claim("ab" * 8)
    claims.release("ab" * 8)
    assert claims.claim("ab" * 8)
    claims.close()


async def test_a_failure_is_told_to_all_who_wait_and_not_kept(tmp_path: Path) -> None:
    replies, asked = Replies(tmp_path), 0

    async def ask() -> dict[str, int]:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)
        if asked == 1:
            raise ValueError("first")
        return {"asked": asked}

    results = await asyncio.gather(*(replies.get("ab" * 32, ask) for _ in range(3)), return_exceptions=True)
    assert [str(result) for result in results] == ["first"] * 3
    assert await replies.get("ab" * 32, ask) == ({"asked": 2}, False)
    assert await replies.get("ab" * 32, ask) == ({"asked": 2}, True)
    replies.close()


async def test_a_waiter_that_gives_up_does_not_stop_the_asking(tmp_path: Path) -> None:
    replies, done = Replies(tmp_path), asyncio.Event()

    async def ask() -> dict[str, int]:
        await done.wait()
        return {"paid": 1}

    waiting = asyncio.create_task(replies.get("ab" * 32, ask))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    done.set()
    assert (await replies.get("ab" * 32, ask))[0] == {"paid": 1}
    replies.close()


async def test_values_are_json_and_nothing_is_evicted(tmp_path: Path) -> None:
    replies = Replies(tmp_path)

    async def ask() -> dict[str, str]:
        return {"content": "π" * 50_000}

    await replies.get("ab" * 32, ask)
    replies.close()
    with diskcache.Cache(str(tmp_path), disk=diskcache.JSONDisk) as store:
        assert (store.eviction_policy, store.cull_limit) == ("none", 0)
        assert json.dumps(store["ab" * 32])
    assert (await Replies(tmp_path).get("ab" * 32, ask))[1]


@pytest.mark.parametrize(
    "value", [b"no zlib", b"", zlib.compress(b"{"), zlib.compress(b"[" * 10**5), 7, "text"]
)
async def test_a_damaged_row_is_asked_for_again(tmp_path: Path, value: object) -> None:
    async def ask() -> dict[str, str]:
        return {"content": "YES"}

    replies = Replies(tmp_path)
    await replies.get("ab" * 32, ask)
    replies.close()
    with sqlite3.connect(tmp_path / "cache.db") as store:
        store.execute("UPDATE Cache SET value = ?", (value,))
    for known in (False, True):
        replies = Replies(tmp_path)
        assert await replies.get("ab" * 32, ask) == ({"content": "YES"}, known)
        replies.close()


@pytest.mark.parametrize("row", [{}, {"choices": []}, {"choices": [{"message": {"content": 3}}]}])
def test_a_kept_row_that_is_no_completion_is_asked_for_again(tmp_path: Path, row: object) -> None:
    script = JudgeScript([Rule(reply="YES")])
    with running([], judges=script) as url:
        ask_all(url, tmp_path, 1)
        with sqlite3.connect(tmp_path / "cache.db") as store:
            store.execute("UPDATE Cache SET value = ?", (zlib.compress(json.dumps(row).encode()),))
        ask_all(url, tmp_path, 1)
        ask_all(url, tmp_path, 1)
    assert len(script.calls) == 2


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JudgingError, match="no store of replies"):
        Replies(tmp_path / "file")
    (tmp_path / "cache.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(JudgingError, match="no store of replies"):
        Replies(tmp_path)
