"""Asks one OpenAI-compatible endpoint, again where that can help, and says in one sentence why it failed.

Tried again: no connection, no reply in time (once), 408, 409, 425, 429, 5xx, a body that is no chat
completion. Not tried again: every other status; the next try would say the same. Not covered: streaming.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from random import uniform
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from scientific_math_critpt_env.grading.verdict import presentable
from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.pacing import Pace

FIRST_PAUSE_SECONDS = 0.5
"""Pause before the second attempt; it doubles with every further one."""

LONGEST_PAUSE_SECONDS = 60.0
"""Longer is not waited between two attempts, whatever Retry-After says."""

PATIENCE_SECONDS = 600.0
"""Total of the pauses for "too many requests", which use up no attempt: the endpoint will answer in time."""

STALLS = 2
"""Attempts that may end in silence: one that waits its whole timeout is dear, and the third seldom helps."""

MAX_REPLY_BYTES = 8 << 20
"""A completion is kilobytes; what never ends must not fill the memory."""

TOLD_CHARACTERS = 200
"""Of an error's body."""

AGAIN = (408, 409, 425, 429)
"""Statuses below 500 that pass."""

FOR_GOOD = (401, 404)
"""Statuses that every further question would get as well. 403 is not one: some refuse a single text by it."""


class JudgeFailure(Exception):
    """A judge gave no answer; the message says why."""


class Endpoint:
    """One judge's endpoint; lives in one event loop."""

    def __init__(self, judge: Judge) -> None:
        """Raises `JudgingError` where the variable that should hold the key is empty."""
        self._judge = judge
        self._url = f"{judge.base_url.rstrip('/')}/chat/completions"
        self._key = _key(judge)
        self._proxy = _proxy(self._url)
        self._pace = Pace(judge.requests_per_minute)
        self._free = asyncio.Semaphore(judge.concurrency)
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=judge.concurrency),
            timeout=aiohttp.ClientTimeout(total=judge.timeout),
            headers={**headers, "Content-Type": "application/json"},
        )

    async def complete(
        self, body: Mapping[str, Any], admission: AbstractAsyncContextManager[None]
    ) -> dict[str, Any]:
        """The body of the reply, a chat completion with at least one choice. Raises `JudgeFailure`.

        `admission` is entered when its turn has come, and may refuse by raising.
        """
        data = json.dumps(body).encode()
        async with self._free:
            resting = self._pace.resting()
            if resting:
                raise JudgeFailure(f"not asked, after it failed too often: {resting}")
            try:
                async with admission:
                    reply = await self._attempts(data)
            except _Refused as refused:
                for_good = refused.status in FOR_GOOD or refused.no_money
                # A status that is the question's fault (too long, not allowed) says nothing of the next one.
                if refused.again or for_good:
                    self._pace.lost(str(refused), for_good=for_good)
                raise JudgeFailure(str(refused)) from None
            self._pace.answered()
            return reply

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def _attempts(self, data: bytes) -> dict[str, Any]:
        attempts, stalls, waited, busy = 0, 0, 0.0, 0
        while True:
            await self._pace.turn()
            try:
                return await self._once(data)
            except _Refused as refused:
                if refused.status == 429 and refused.again and waited < PATIENCE_SECONDS:
                    pause = refused.pause if refused.pause is not None else _pause(busy)
                    self._pace.pause(pause)
                    # A tenth of a second at least, so that "Retry-After: 0" comes to an end as well.
                    waited, busy = waited + max(pause, 0.1), busy + 1
                    continue
                attempts, stalls = attempts + 1, stalls + refused.stalled
                final = not refused.again or attempts > self._judge.retries or stalls >= STALLS
                if final or self._pace.resting():
                    raise refused.after(attempts) from None
                await asyncio.sleep(refused.pause if refused.pause is not None else _pause(attempts - 1))

    async def _once(self, data: bytes) -> dict[str, Any]:
        try:
            async with self._session.post(
                self._url, data=data, proxy=self._proxy, allow_redirects=False
            ) as response:
                content = bytearray()
                async for chunk in response.content.iter_any():
                    content += chunk
                    if len(content) > MAX_REPLY_BYTES:
                        raise _Refused(f"its reply is longer than {MAX_REPLY_BYTES} bytes")
                if response.status != 200:
                    raise self._refusal(response.status, response.headers, bytes(content))
        except TimeoutError:
            raise _Refused(f"no reply in {self._judge.timeout:g} s", again=True, stalled=True) from None
        except (aiohttp.ClientError, OSError) as error:
            reason = str(error) or type(error).__name__
            raise _Refused(f"no connection: {self._told(reason)}", again=True) from None
        return self._completion(bytes(content))

    def _refusal(self, status: int, headers: Mapping[str, str], content: bytes) -> _Refused:
        text = content.decode(errors="replace")
        code = ""
        try:
            error = json.loads(text)["error"]
            text, code = str(error["message"]), str(error.get("code"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # told as it came
            pass
        no_money = code == "insufficient_quota"
        return _Refused(
            f"status {status}: {self._told(text)}",
            status=status,
            again=(status >= 500 or status in AGAIN) and not no_money,
            pause=_retry_after(headers),
            no_money=no_money,
        )

    def _completion(self, content: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            reply = None
        if not is_completion(reply):
            told = "its reply is no chat completion"
            error = reply.get("error") if isinstance(reply, dict) else None
            if error:  # some servers say so in a reply with status 200
                told = (
                    f"{told}: {self._told(str(error.get('message') if isinstance(error, dict) else error))}"
                )
            raise _Refused(told, again=True)
        whole: dict[str, Any] = reply
        return whole

    def _told(self, text: str) -> str:
        """What an endpoint said, short, printable, and without the key it may have repeated."""
        if self._key:
            text = text.replace(self._key, "[key]")
        return presentable(" ".join(text.split()))[:TOLD_CHARACTERS]


def is_completion(reply: Any) -> bool:
    """Whether it is a chat completion with at least one choice, as everything here reads it."""
    try:
        return isinstance(reply["choices"][0]["message"].get("content"), str | None)
    except (KeyError, IndexError, TypeError, AttributeError):
        return False


class _Refused(Exception):
    def __init__(
        self,
        reason: str,
        *,
        status: int = 0,
        again: bool = False,
        stalled: bool = False,
        pause: float | None = None,
        no_money: bool = False,
    ) -> None:
        super().__init__(reason)
        self.status, self.again, self.stalled = status, again, stalled
        self.pause, self.no_money = pause, no_money

    def after(self, attempts: int) -> _Refused:
        """The same, told with the number of attempts."""
        if attempts > 1:
            self.args = (f"{self.args[0]} ({attempts} attempts)",)
        return self


def _key(judge: Judge) -> str:
    if not judge.key_variable:
        return ""
    key = os.environ.get(judge.key_variable, "").strip()  # a file read into it often ends with a line break
    if not key or not key.isprintable():
        raise JudgingError(f"judge {judge.name}: the environment variable {judge.key_variable} holds no key")
    return key


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for this address."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        seconds = float(headers["Retry-After"])
    except (KeyError, ValueError):  # absent, or a date: the pause that doubles serves as well
        return None
    return min(max(seconds, 0.0), LONGEST_PAUSE_SECONDS) if seconds == seconds else None


def _pause(before: int) -> float:
    """Doubling, and spread so that requests which failed together do not come back together."""
    return min(FIRST_PAUSE_SECONDS * 2.0 ** min(before, 16), LONGEST_PAUSE_SECONDS) * uniform(0.5, 1.0)
