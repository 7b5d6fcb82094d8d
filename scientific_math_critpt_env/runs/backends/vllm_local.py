"""Samples from a model that vLLM runs in this process; `vllm` is imported when the first is asked for.

Each sample has a seed of its own, so that it does not hang on which others share its batch. That is as far as
vLLM goes: sums on the device can still differ with the batch's shape unless its batch-invariant mode is on.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import threading
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends.tasks import Failure, Outcome, Reply, Task
from scientific_math_critpt_env.runs.config import VllmConfig
from scientific_math_critpt_env.runs.machine import local_hardware

SETTINGS = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_LOGGING_STREAM": "ext://sys.stderr"}
"""Environment of the engine where it is not set: in this process, so that it ends with it and a scheduler
sees one process with all the memory; and without a word on stdout, which is the report's."""

MAX_MESSAGE = 500
"""Characters of an engine's error that are kept."""

SAMPLING = (
    *("temperature", "top_p", "top_k", "min_p", "stop"),
    *("presence_penalty", "frequency_penalty", "repetition_penalty"),
)


class VllmBackend:
    """Hands batches to `LLM.chat` or `LLM.generate`."""

    def __init__(self, config: VllmConfig, decode: Mapping[str, Any]) -> None:
        if importlib.util.find_spec("vllm") is None:
            raise RunError(
                "backend vllm: the package is not installed; pip install 'scientific-math-critpt[vllm]'"
            )
        self._config = config
        self._decode = decode
        self._engine: Any = None

    async def outcomes(self, tasks: Iterable[Task]) -> AsyncGenerator[Outcome, None]:
        """As `Backend.outcomes`, a batch at a time. Raises RunError where the model cannot be loaded."""
        waiting = iter(tasks)
        while batch := list(islice(waiting, self._config.batch_size)):
            for outcome in await _in_thread(lambda batch=batch: self._batch(batch)):  # type: ignore[misc]
                yield outcome

    def hardware(self) -> dict[str, Any]:
        """Of this machine."""
        return local_hardware()

    async def aclose(self) -> None:
        """Drop the engine, and with it the model's memory."""
        self._engine = None

    def request(self, task: Task) -> dict[str, Any]:
        """What is asked of the engine for one sample."""
        sampling = {name: self._decode[name] for name in SAMPLING if name in self._decode}
        sampling |= {"seed": task.seed, "max_tokens": self._decode["max_output_tokens"]}
        request: dict[str, Any] = {"model": self._config.name, "sampling": sampling}
        if self._config.mode == "completion":
            return {**request, "prompt": "".join(message["content"] for message in task.messages)}
        request["messages"] = [dict(message) for message in task.messages]
        if self._config.chat_template_kwargs:
            request["chat_template_kwargs"] = self._config.chat_template_kwargs
        return request

    def _batch(self, batch: Sequence[Task]) -> list[Outcome]:
        self._load()
        try:
            return list(zip(batch, self._replies(batch), strict=True))
        except Exception as error:  # noqa: BLE001 - vLLM's own and torch's; one sample must not end the run
            if len(batch) == 1:
                message = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE]
                return [(batch[0], Failure("request" if _refused(error) else "engine", message))]
        # One prompt that is too long refuses the whole batch: find it.
        return [outcome for task in batch for outcome in self._batch([task])]

    def _replies(self, batch: Sequence[Task]) -> list[Reply]:
        from vllm import SamplingParams

        requests = [self.request(task) for task in batch]
        sampling = [SamplingParams(**request["sampling"]) for request in requests]
        if self._config.mode == "completion":
            prompts = [request["prompt"] for request in requests]
            outputs = self._engine.generate(prompts, sampling, use_tqdm=False)
        else:
            outputs = self._engine.chat(
                [request["messages"] for request in requests],
                sampling,
                use_tqdm=False,
                **_template(self._config),
            )
        return [_reply(output, request) for output, request in zip(outputs, requests, strict=True)]

    def _load(self) -> None:
        if self._engine is not None:
            return
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        import vllm

        try:
            self._engine = vllm.LLM(model=self._config.path, **self._config.engine)
        except Exception as error:
            # As many kinds as there are reasons: no such model, no memory, an unknown engine argument.
            message = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE]
            raise RunError(f"vLLM cannot load {self._config.path}: {message}") from error


def _refused(error: Exception) -> bool:
    """Whether the request is at fault; vLLM's own classes for that have moved between versions."""
    return isinstance(error, ValueError) or any(
        kind.__name__ in ("VLLMClientError", "VLLMValidationError") for kind in type(error).__mro__
    )


def _template(config: VllmConfig) -> dict[str, Any]:
    return {"chat_template_kwargs": config.chat_template_kwargs} if config.chat_template_kwargs else {}


def _reply(output: Any, request: Mapping[str, Any]) -> Reply:
    (completion,) = output.outputs
    return Reply(
        text=completion.text,
        reasoning="",
        finish_reason=str(completion.finish_reason or "unknown"),
        prompt_tokens=len(output.prompt_token_ids) if output.prompt_token_ids is not None else None,
        output_tokens=len(completion.token_ids),
        response_id=str(output.request_id),
        request=request,
    )


async def _in_thread(work: Callable[[], list[Outcome]]) -> list[Outcome]:
    """Like `asyncio.to_thread`, but a process told to stop does not wait for the batch under way."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[list[Outcome]] = loop.create_future()

    def settle(result: list[Outcome] | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result or [])

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - handed over to the waiting side, which raises it
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, name="vllm batch", daemon=True).start()
    return await done
