"""An environment server for prime-rl whose workers may die: `python -m scientific_math_critpt.serving`.

It speaks the protocol of verifiers' own pool, with verifiers' own workers, and takes the file that prime-rl
writes for `env-server`: `[env]` says what runs, `[serve]` how many workers and where. The difference is what
happens when a worker is killed (out of memory, mostly): verifiers 0.4.0 never answers what that worker had
under way, so the trainer waits for ever; here a new worker takes its place and runs it again. A run that was
under way at three such deaths may be what kills them, and is answered with an error.

prime-rl connects to it where `serve.address` is set in its source (see docs/integrations.md).
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import Any

import verifiers.v1 as vf
import zmq
from pydantic import Field, SerializeAsAny, model_validator
from pydantic_config import BaseConfig, cli  # type: ignore[import-untyped]
from verifiers.v1.configs.serve import StaticPoolConfig
from verifiers.v1.serve import env_config_data
from verifiers.v1.utils.logging import setup_logging

from scientific_math_critpt.serving_workers import Fleet, WorkersDie

logger = logging.getLogger("verifiers.v1.scientific_math_critpt")

DEFAULT_ADDRESS = "tcp://127.0.0.1:5000"


class ServerConfig(BaseConfig):
    """`[env]` and `[serve]`, as prime-rl's own environment server has them."""

    env: SerializeAsAny[vf.EnvConfig] = Field(default_factory=vf.SingleAgentEnvConfig)
    """What runs: `env.taskset.id = "scientific-math-critpt"` and its settings."""
    serve: vf.ServeConfig = vf.ServeConfig(pool=StaticPoolConfig(num_workers=2))
    """`pool.num_workers` processes, all started at once; an elastic pool starts its `max_workers`."""
    log_level: str = "INFO"

    @model_validator(mode="before")
    @classmethod
    def _narrowed(cls, data: Any) -> Any:
        return vf.resolve_env_field(data, vf.narrowed_env_annotation(cls))

    @property
    def workers(self) -> int:
        pool = self.serve.pool
        if isinstance(pool, StaticPoolConfig):
            return pool.num_workers
        return pool.max_workers or os.cpu_count() or 1


async def serve(config: ServerConfig) -> None:
    """Serve until cancelled. Raises `WorkersDie` where no worker can be kept alive, zmq.ZMQError where the
    address is taken."""
    fleet = Fleet(
        config.serve.address or DEFAULT_ADDRESS,
        workers=config.workers,
        server={"config_data": env_config_data(config.env), "max_concurrent": config.serve.max_concurrent},
        log_setup=partial(setup_logging, config.log_level),
    )
    print(fleet.address, flush=True)
    await fleet.run()


def main() -> int:
    """Serve what the command line says, until SIGINT or SIGTERM; 1 where it cannot."""
    config = cli(ServerConfig)
    if not config.env.env_id:
        print('no environment; set env.taskset.id = "scientific-math-critpt"', file=sys.stderr)
        return 2
    setup_logging(config.log_level)
    # Runs of several environment servers are told apart by it, as under prime-rl's launcher.
    os.environ.setdefault("VF_RUN_ID", os.environ.get("PRL_RUN_ID") or f"env-server-{os.getpid()}")

    async def until_told() -> None:
        serving = asyncio.ensure_future(serve(config))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
        with suppress(asyncio.CancelledError):
            await serving

    try:
        asyncio.run(until_told())
    except (WorkersDie, zmq.ZMQError) as error:
        print(f"environment server: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
