"""What the environment server does with requests, cancels and deaths; its workers do as they are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zmq
import zmq.asyncio
from scientific_math_critpt import serving_workers
from scientific_math_critpt.serving_workers import Fleet, WorkersDie

from tests.environment.obedient_worker import work

Said = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _obedient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_workers, "serve_env", work)


class Client:
    def __init__(self, address: str) -> None:
        self._context = zmq.asyncio.Context()
        self.socket = self._context.socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(address)

    async def ask(self, name: str, method: str = "run", **payload: Any) -> None:
        await self.socket.send_multipart([name.encode(), method.encode(), msgpack.packb(payload)])

    async def replies(self, count: int) -> Said:
        """Everything that comes until `count` replies have."""
        said: Said = []
        while sum(kind == "reply" for _, kind, _ in said) < count:
            name, kind, data = await asyncio.wait_for(self.socket.recv_multipart(), 60)
            said.append((name.decode(), kind.decode(), msgpack.unpackb(data)))
        return said

    def close(self) -> None:
        self.socket.close()
        self._context.term()


@asynccontextmanager
async def _serving(workers: int = 1) -> AsyncIterator[Client]:
    fleet = Fleet("tcp://127.0.0.1:0", workers=workers, server={})
    running = asyncio.ensure_future(fleet.run())
    client = Client(fleet.address)
    try:
        yield client
    finally:
        client.close()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        assert not any(worker.process.is_alive() for worker in fleet._workers)


def _replies(said: Said) -> dict[str, dict[str, Any]]:
    return {name: told for name, kind, told in said if kind == "reply"}


async def test_requests_go_to_all_workers_and_frames_that_are_none_hurt_nobody() -> None:
    async with _serving(workers=2) as client:
        await client.socket.send_multipart([b"too", b"few"])
        await client.ask("h", "health")
        assert (await client.replies(1))[0][2]["success"] is True
        for place in range(6):
            await client.ask(f"r{place}", do="answer")
        replies = _replies(await client.replies(6))
        assert len({reply["pid"] for reply in replies.values()}) == 2
        await client.socket.send_multipart([b"c", b"cancel", b"\xc1"])
        assert _replies(await client.replies(1))["c"]["cancelled"] is False


async def test_a_run_is_cancelled_where_it_runs() -> None:
    async with _serving(workers=2) as client:
        await client.ask("r", do="wait")
        assert (await client.replies(0)) == []
        assert await client.socket.recv_multipart()
        await client.ask("c", "cancel", request_id="r")
        replies = _replies(await client.replies(2))
        assert replies["r"]["error"] == "cancelled"
        assert replies["c"]["cancelled"] is True


async def test_what_a_dead_worker_had_under_way_is_run_again(tmp_path: Path) -> None:
    async with _serving() as client:
        await client.ask("neighbour", do="wait")
        await client.ask("first", do="die", once=str(tmp_path / "died"))
        said = await client.replies(1)
        assert _replies(said)["first"]["success"] is True
        for name in ("neighbour", "first"):
            kinds = [
                "discard" if told.get("discard") else kind for asked, kind, told in said if asked == name
            ]
            assert kinds[:3] == ["delta", "discard", "delta"]
            traces = [told["trace"] for asked, kind, told in said if asked == name and kind == "delta"]
            assert traces[0] == traces[1] != traces[2]


async def test_a_run_that_kills_every_worker_is_given_up() -> None:
    async with _serving() as client:
        await client.ask("deadly", do="die")
        reply = _replies(await client.replies(1))["deadly"]
        assert reply == {"success": False, "error": "the worker died while this ran, 3 times in a row"}
        await client.ask("next", do="answer")
        assert _replies(await client.replies(1))["next"]["success"] is True


async def test_workers_that_cannot_live_end_the_server() -> None:
    fleet = Fleet("tcp://127.0.0.1:0", workers=1, server={"stillborn": True})
    with pytest.raises(WorkersDie, match=r"3 workers in a row died .* exit code 3"):
        await asyncio.wait_for(fleet.run(), 60)
