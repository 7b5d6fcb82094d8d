"""Workers behind one ZMQ address, each replaced when it dies, and the runs that they have under way.

Frames are verifiers' own: a client sends [request, method, payload]; a worker answers with any number of
[request, "delta", data] and one [request, "reply", data]. A request goes to the worker with the fewest.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgpack  # type: ignore[import-untyped]
import zmq
import zmq.asyncio
from verifiers.v1.serve import HealthResponse, serve_env
from verifiers.v1.serve.types import BaseResponse, CancelResponse

logger = logging.getLogger("verifiers.v1.scientific_math_critpt")

MOST_DEATHS = 3
"""Deaths of workers that a run may be part of. The first two may well be a neighbour's doing."""

MOST_STILLBORN = 3
"""Workers in a row that die before they have answered anything: it is the machine, or the configuration."""

STOPPING_SECONDS = 10.0
"""How long a worker may clean up at the end."""


class WorkersDie(Exception):
    """Workers die as fast as they are started."""


@dataclass
class Request:
    client: bytes
    frames: tuple[bytes, bytes, bytes]
    deaths: int = 0
    traces: set[str] = field(default_factory=set)
    """Traces that a worker has begun to send, which the client must forget if the worker dies."""


@dataclass
class Worker:
    process: Any
    dealer: zmq.asyncio.Socket
    life: Any
    """Our end of a pipe: the worker ends itself when it closes."""
    requests: dict[bytes, Request] = field(default_factory=dict)
    answered: bool = False


class Fleet:
    """The address that clients know, and the workers behind it."""

    def __init__(
        self,
        address: str,
        *,
        workers: int,
        server: Mapping[str, Any],
        log_setup: Callable[[], None] | None = None,
    ) -> None:
        """`server`: what each worker's `EnvServer` takes. Binds the address at once: raises zmq.ZMQError."""
        self._server, self._log_setup = dict(server), log_setup
        self._spawning = multiprocessing.get_context("spawn")
        self._folder = tempfile.TemporaryDirectory(prefix="vf-fleet-")
        self._started = 0
        self._stillborn = 0
        self._size = workers
        self._workers: list[Worker] = []
        self._context = zmq.asyncio.Context()
        self._front = self._socket(zmq.ROUTER)
        self._front.bind(address)
        self.address = self._front.getsockopt_string(zmq.LAST_ENDPOINT)

    async def run(self) -> None:
        """Serve until cancelled; every process is gone when this returns. Raises `WorkersDie`."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self._size):
                    tasks.create_task(self._keep_one(tasks))
                tasks.create_task(self._serve_clients())
        except* WorkersDie as group:
            raise group.exceptions[0] from None
        finally:
            self._stop()

    async def _serve_clients(self) -> None:
        while True:
            frames = await self._front.recv_multipart()
            if len(frames) != 4:
                logger.warning("a request with %d frames instead of 4 is dropped", len(frames))
                continue
            client, request, method, payload = frames
            if method == b"health":
                await self._reply(client, request, HealthResponse())
            elif method == b"cancel":
                await self._cancel(client, request, payload)
            else:
                await self._dispatch(Request(client, (request, method, payload)))

    async def _cancel(self, client: bytes, request: bytes, payload: bytes) -> None:
        try:
            target = str(msgpack.unpackb(payload, raw=False)["request_id"]).encode()
        except Exception:  # noqa: BLE001 - whatever is wrong with one frame, the server goes on
            target = b""
        worker = next((worker for worker in self._workers if target in worker.requests), None)
        if worker is None:
            await self._reply(client, request, CancelResponse(cancelled=False))
            return
        worker.requests[request] = Request(client, (request, b"cancel", payload))
        with suppress(zmq.ZMQError):  # as below
            await worker.dealer.send_multipart([request, b"cancel", payload])

    async def _dispatch(self, request: Request) -> None:
        worker = min(self._workers, key=lambda worker: len(worker.requests))
        worker.requests[request.frames[0]] = request
        with suppress(zmq.ZMQError):  # it died just now, and what it had under way is run again
            await worker.dealer.send_multipart(request.frames)

    async def _keep_one(self, tasks: asyncio.TaskGroup) -> None:
        """One worker after another, each until it dies; the next takes over what the last had under way."""
        left: list[Request] = []
        while True:
            worker = self._start()
            relaying = tasks.create_task(self._relay(worker))
            for request in left:
                await self._again(request)
            await _death(worker.process)
            relaying.cancel()
            self._workers.remove(worker)
            worker.dealer.close()
            worker.life.close()
            left, code = list(worker.requests.values()), worker.process.exitcode
            logger.warning("a worker died (exit code %s) with %d requests under way", code, len(left))
            self._stillborn = 0 if worker.answered else self._stillborn + 1
            if self._stillborn >= MOST_STILLBORN:
                raise WorkersDie(
                    f"{self._stillborn} workers in a row died before they answered anything, the last with "
                    f"exit code {code}; what they said is above"
                )

    def _start(self) -> Worker:
        self._started += 1
        address = f"ipc://{self._folder.name}/{self._started}"
        ours, theirs = self._spawning.Pipe()
        process = self._spawning.Process(
            target=serve_env,
            kwargs={
                "max_workers": 1,
                "address": address,
                "death_pipe": theirs,
                "log_setup": self._log_setup,
                **self._server,
            },
        )
        process.start()
        theirs.close()
        dealer = self._socket(zmq.DEALER)
        dealer.connect(address)  # before the worker listens: what is sent until then waits
        worker = Worker(process, dealer, ours)
        self._workers.append(worker)
        return worker

    async def _relay(self, worker: Worker) -> None:
        """Pass on what a worker says, until cancelled."""
        while True:
            name, kind, data = await worker.dealer.recv_multipart()
            worker.answered = True
            request = worker.requests.get(name)
            if request is None:
                continue
            if kind == b"reply":
                del worker.requests[name]
            else:
                request.traces.add(_trace_of(data))
            await self._send(request.client, name, kind, data)

    async def _again(self, request: Request) -> None:
        """Give a dead worker's request to another, or answer it where that is no use."""
        name, method, _ = request.frames
        if method == b"cancel":
            await self._reply(request.client, name, CancelResponse(cancelled=False))
            return
        for trace in request.traces:
            await self._send(request.client, name, b"delta", msgpack.packb({"trace": trace, "discard": True}))
        request.traces.clear()
        request.deaths += 1
        if request.deaths < MOST_DEATHS:
            await self._dispatch(request)
            return
        error = f"the worker died while this ran, {request.deaths} times in a row"
        await self._reply(request.client, name, BaseResponse(success=False, error=error))

    async def _reply(self, client: bytes, request: bytes, response: BaseResponse) -> None:
        await self._send(client, request, b"reply", msgpack.packb(response.model_dump(mode="json")))

    async def _send(self, client: bytes, request: bytes, kind: bytes, data: bytes) -> None:
        with suppress(zmq.ZMQError):  # the client has gone
            await self._front.send_multipart([client, request, kind, data])

    def _socket(self, kind: int) -> zmq.asyncio.Socket:
        socket = self._context.socket(kind)
        for option in (zmq.SNDHWM, zmq.RCVHWM, zmq.LINGER):  # keep everything, but nothing after the end
            socket.setsockopt(option, 0)
        if kind == zmq.ROUTER:
            socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        return socket

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(STOPPING_SECONDS)
            worker.process.kill()
            worker.process.join()
            worker.life.close()
            worker.dealer.close()
        self._front.close()
        self._context.term()
        self._folder.cleanup()


async def _death(process: Any) -> None:
    loop = asyncio.get_running_loop()
    dead = asyncio.Event()
    loop.add_reader(process.sentinel, dead.set)
    try:
        await dead.wait()
    finally:
        loop.remove_reader(process.sentinel)
    process.join()


def _trace_of(delta: bytes) -> str:
    """The trace that a delta belongs to, which it names first; the rest, all tokens perhaps, is not read."""
    unpacker = msgpack.Unpacker(raw=False, strict_map_key=False)
    unpacker.feed(delta)
    unpacker.read_map_header()
    assert unpacker.unpack() == "trace"
    trace: str = unpacker.unpack()
    return trace
