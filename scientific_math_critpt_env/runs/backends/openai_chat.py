"""Samples from an endpoint with OpenAI's chat protocol, many at a time.

Covered: `POST {base_url}/chat/completions` without streaming, reasoning in the text or in its own field.
The key is read from the named variable, sent in a header, and taken out of anything that comes back.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any

import aiohttp

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends.endpoint import Answer, Refused, ask
from scientific_math_critpt_env.runs.backends.retrying import pause
from scientific_math_critpt_env.runs.backends.tasks import Failure, Outcome, Reply, Task
from scientific_math_critpt_env.runs.config import OpenAIConfig

IN_BODY = (
    *("temperature", "top_p", "top_k", "min_p", "stop"),
    *("presence_penalty", "frequency_penalty", "repetition_penalty"),
)
"""Decoding fields that go into the body under their own names; those beyond OpenAI's as vLLM names them."""


class OpenAIBackend:
    """Asks for one sample a request, `concurrency` requests at a time."""

    def __init__(
        self, config: OpenAIConfig, decode: Mapping[str, Any], *, base_url: str | None = None
    ) -> None:
        self._config = config
        self._decode = decode
        self._url = f"{(base_url or config.base_url).rstrip('/')}/chat/completions"
        self._key = _key(config.api_key_variable)
        self._session: aiohttp.ClientSession | None = None

    async def outcomes(self, tasks: Iterable[Task]) -> AsyncGenerator[Outcome, None]:
        """As `Backend.outcomes`. What is under way is cancelled when the caller stops."""
        waiting = iter(tasks)
        done: asyncio.Queue[Outcome | None] = asyncio.Queue()
        session = self._opened()

        async def work() -> None:
            for task in waiting:
                done.put_nowait((task, await self._sample(session, task)))

        async def work_together() -> None:
            try:
                await asyncio.gather(*workers)
            finally:
                done.put_nowait(None)

        workers = [asyncio.create_task(work()) for _ in range(self._config.concurrency)]
        together = asyncio.create_task(work_together())
        try:
            while (outcome := await done.get()) is not None:
                yield outcome
            await together
        finally:
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, together, return_exceptions=True)

    def hardware(self) -> dict[str, Any]:
        """Unknown: it is the endpoint's."""
        return {}

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._session = aiohttp.ClientSession(
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=self._config.timeout_seconds),
                connector=aiohttp.TCPConnector(limit=self._config.concurrency),
                trust_env=True,
            )
        return self._session

    def body(self, task: Task) -> dict[str, Any]:
        """The request, all of it."""
        return {
            "model": self._config.name,
            "messages": [dict(message) for message in task.messages],
            **{name: self._decode[name] for name in IN_BODY if name in self._decode},
            "seed": task.seed,
            self._config.max_tokens_field: self._decode["max_output_tokens"],
            **self._config.extra_body,
        }

    async def _sample(self, session: aiohttp.ClientSession, task: Task) -> Reply | Failure:
        body = self.body(task)
        for attempt in range(1, self._config.max_attempts + 1):
            try:
                answer = await ask(session, self._url, body, secret=self._key)
            except Refused as refused:
                seconds = pause(refused, attempt)
                if seconds is None or attempt == self._config.max_attempts:
                    return Failure(refused.kind, str(refused), refused.status, attempt)
                await asyncio.sleep(seconds)
            else:
                return _reply(answer, body, attempt)
        raise AssertionError("max_attempts is at least 1")


def _reply(answer: Answer, body: Mapping[str, Any], attempts: int) -> Reply:
    return Reply(
        text=answer.text,
        reasoning=answer.reasoning,
        finish_reason=answer.finish_reason,
        prompt_tokens=answer.prompt_tokens,
        output_tokens=answer.output_tokens,
        response_id=answer.response_id,
        request=body,
        attempts=attempts,
    )


def _key(variable: str | None) -> str:
    if variable is None:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise RunError(f"the environment variable {variable}, which api_key_variable names, is not set")
    if not (key.isascii() and key.isprintable()):
        raise RunError(f"the environment variable {variable} holds characters that no header can carry")
    return key
