"""The same samples from many machines: one backend in each of several Ray actors.

Each actor makes its backend from the configuration, and reads its key from the environment of its own node,
so that no key travels. A sample depends on its task alone, so who makes it changes nothing. Actors that die
are started again by Ray, and what they were asked is asked again.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncGenerator, Iterable
from itertools import islice
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends import make_backend
from scientific_math_critpt_env.runs.backends.tasks import Failure, Outcome, Task
from scientific_math_critpt_env.runs.config import RunConfig

RESTARTS = 3
"""Times Ray starts an actor again, and asks it a call again: a lost node costs one, a bug all of them."""

CPUS = 1.0
"""Of each actor: a client of an endpoint needs less, a vLLM process waits for its GPU."""


class RayBackend:
    """Spreads tasks over `actors` actors. Raises RunError where Ray is not installed or cannot be reached."""

    def __init__(
        self,
        config: RunConfig,
        *,
        base_url: str | None = None,
        address: str | None = None,
        actors: int = 2,
        gpus: float = 0.0,
    ) -> None:
        if importlib.util.find_spec("ray") is None:
            raise RunError(
                "engine ray: the package is not installed; pip install 'scientific-math-critpt[ray]'"
            )
        self._calls, self._tasks_per_call = _shape(config, actors)
        shared = config if config.model.backend == "vllm" else _shared(config, self._calls)
        self._begun = _connected(address)
        self._actors = _started(shared, base_url, actors, gpus, self._calls)

    async def outcomes(self, tasks: Iterable[Task]) -> AsyncGenerator[Outcome, None]:
        """As `Backend.outcomes`. Raises RunError where an actor cannot make its backend."""
        waiting = iter(tasks)
        begun: dict[asyncio.Future[list[Outcome]], tuple[Any, list[Task]]] = {}

        def begin(actor: Any) -> None:
            batch = list(islice(waiting, self._tasks_per_call))
            if batch:
                begun[asyncio.wrap_future(actor.outcomes.remote(batch).future())] = (actor, batch)

        for _ in range(self._calls):
            for actor in self._actors:
                begin(actor)
        while begun:
            done, _ = await asyncio.wait(begun, return_when=asyncio.FIRST_COMPLETED)
            for call in done:
                actor, batch = begun.pop(call)
                begin(actor)
                for outcome in _settled(call, batch):
                    yield outcome

    def hardware(self) -> dict[str, Any]:
        """What the actors run on, each kind once. Raises RunError where an actor cannot make its backend."""
        import ray
        from ray.exceptions import RayError

        try:
            found = ray.get([actor.hardware.remote() for actor in self._actors])
        except RayError as error:
            raise RunError(f"engine ray: an actor cannot make its backend: {_last_line(error)}") from error
        kinds = [kind for place, kind in enumerate(found) if kind and kind not in found[:place]]
        return {"actors": kinds} if kinds else {}

    async def aclose(self) -> None:
        """End the actors, and Ray with them where it was begun here."""
        import ray

        for actor in self._actors:
            ray.kill(actor)
        if self._begun:
            ray.shutdown()
        self._actors, self._begun = [], False


class Maker:
    """In an actor: makes samples with a backend of its own."""

    def __init__(self, config: RunConfig, base_url: str | None) -> None:
        self._backend = make_backend(config, base_url=base_url)

    async def outcomes(self, tasks: list[Task]) -> list[Outcome]:
        """All outcomes of a batch."""
        return [outcome async for outcome in self._backend.outcomes(tasks)]

    async def hardware(self) -> dict[str, Any]:
        """What this actor runs on."""
        return self._backend.hardware()


def _shape(config: RunConfig, actors: int) -> tuple[int, int]:
    """(calls at a time of each actor, tasks of a call)."""
    if config.model.backend == "vllm":
        return 1, config.model.batch_size
    return -(-config.model.concurrency // actors), 1


def _shared(config: RunConfig, calls: int) -> RunConfig:
    """The configuration of one actor, whose share of the concurrency is `calls`."""
    model = config.model.model_copy(update={"concurrency": calls})
    return config.model_copy(update={"model": model})


def _connected(address: str | None) -> bool:
    """Reach Ray; whether this process did so only now."""
    import ray

    if ray.is_initialized():
        return False
    try:
        ray.init(address=address, log_to_driver=False, include_dashboard=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise RunError(f"engine ray: no Ray at {address or 'this machine'}: {error}") from error
    return True


def _started(config: RunConfig, base_url: str | None, actors: int, gpus: float, calls: int) -> list[Any]:
    import ray

    remote = ray.remote(Maker).options(
        num_cpus=CPUS,
        num_gpus=gpus,
        max_concurrency=calls + 1,
        max_restarts=RESTARTS,
        max_task_retries=RESTARTS,
    )
    return [remote.remote(config, base_url) for _ in range(actors)]


def _settled(call: asyncio.Future[list[Outcome]], batch: list[Task]) -> list[Outcome]:
    """The outcomes of a call; failures where its actor is lost for good."""
    from ray.exceptions import ActorDiedError, RayActorError, RayError, RayTaskError

    try:
        return call.result()
    except RayTaskError as error:
        cause = error.cause if isinstance(error.cause, RunError) else error
        raise RunError(f"engine ray: {cause}") from error
    except ActorDiedError as error:
        if "RunError" in str(error):
            raise RunError(f"engine ray: an actor cannot make its backend: {_last_line(error)}") from error
        return [(task, Failure("engine", _last_line(error))) for task in batch]
    except (RayActorError, RayError) as error:
        return [(task, Failure("engine", _last_line(error))) for task in batch]


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:500] if lines else type(error).__name__
