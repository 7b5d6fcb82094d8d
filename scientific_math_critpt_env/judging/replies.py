"""Replies by key, asked for once: kept on disk, shared by coroutines, threads and processes.

The store is diskcache's (SQLite); values are JSON, never pickles, and nothing is ever evicted. Who asks holds
a lock that the kernel drops when the process dies, so that a killed run leaves nothing to wait for.
"""

from __future__ import annotations

import asyncio
import sqlite3
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import diskcache

from scientific_math_critpt_env.judging.claims import Claims
from scientific_math_critpt_env.judging.errors import JudgingError

Reply = dict[str, Any]

POLL_SECONDS = 0.05
"""How often it is looked whether another process has its reply: short beside a judge's seconds."""

SIZE_LIMIT = 1 << 50
"""diskcache wants a limit; with no eviction it is only a number."""


class Replies:
    """The replies in one folder, or, without a folder, only those being waited for."""

    def __init__(self, folder: Path | None, fits: Callable[[Reply], bool] = lambda reply: True) -> None:
        """Raises `JudgingError` where the folder cannot be used; what does not fit there is not known."""
        self._fits = fits
        self._folder = folder
        self._tasks: dict[str, asyncio.Task[tuple[Reply, bool]]] = {}
        self._store: diskcache.Cache | None = None
        self._lost = ""
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._store = diskcache.Cache(
                str(folder),
                disk=diskcache.JSONDisk,
                eviction_policy="none",
                size_limit=SIZE_LIMIT,
                cull_limit=0,
            )
            self._claims = Claims(folder / "claims.lock")
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            raise JudgingError(f"{folder}: no store of replies: {error}") from error

    async def get(self, key: str, ask: Callable[[], Coroutine[Any, Any, Reply]]) -> tuple[Reply, bool]:
        """The reply for `key`, by `ask()` where nobody knows it; and whether it was known or being asked for.

        What `ask` raises is raised to all who wait, and is not kept. A waiter that is cancelled does not stop
        the asking: it is paid for.
        """
        task = self._tasks.get(key)
        if task is not None:
            return (await asyncio.shield(task))[0], True
        task = self._tasks[key] = asyncio.create_task(self._known_or_asked(key, ask))
        task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    @asynccontextmanager
    async def admitting(self, admission: AbstractAsyncContextManager[None]) -> AsyncIterator[None]:
        """`admission`, but nobody is asked any more once a reply could not be kept: it would be lost as well.

        Raises `JudgingError` then.
        """
        if self._lost:
            raise JudgingError(self._lost)
        async with admission:
            yield

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
            self._claims.close()

    def _forget(self, key: str, done: asyncio.Task[tuple[Reply, bool]]) -> None:
        self._tasks.pop(key, None)
        if not done.cancelled():
            done.exception()  # looked at, so that a failure nobody waits for any more is not warned of

    async def _known_or_asked(self, key: str, ask: Callable[[], Awaitable[Reply]]) -> tuple[Reply, bool]:
        if self._store is None:
            return await ask(), False
        while not self._claims.claim(key):  # noqa: ASYNC110 - another process cannot set an event
            await asyncio.sleep(POLL_SECONDS)
        try:
            known = self._read(key)
            if known is not None:
                return known, True
            reply = await ask()
            # At once, before anything else happens: a kill must not find a reply that is read and not kept.
            self._write(key, reply)
            return reply, False
        finally:
            self._claims.release(key)

    def _read(self, key: str) -> Reply | None:
        assert self._store is not None
        try:
            found = self._store.get(key, retry=True)
        except (OSError, sqlite3.Error) as error:
            raise JudgingError(f"{self._folder}: cannot read replies: {error}") from error
        except (
            zlib.error,
            ValueError,
            TypeError,
            RecursionError,
        ):  # a damaged row: asked again, and replaced
            return None
        return found if isinstance(found, dict) and self._fits(found) else None

    def _write(self, key: str, reply: Reply) -> None:
        assert self._store is not None
        try:
            self._store.set(key, reply, retry=True)
        except (OSError, sqlite3.Error) as error:
            self._lost = f"{self._folder}: cannot keep replies: {error}"
            raise JudgingError(self._lost) from error
