"""Replay across machines with Ray: the same rows, in the same order, as on this machine alone.

Connects to a cluster, or else starts Ray on this machine. Each actor takes one CPU and
judges chunks of samples under a contract of its own; this package must be installed on every node, in the
same version. A chunk whose node is lost is judged again elsewhere. Only `on_ray`'s engine imports Ray.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scientific_math_critpt_env.errors import InfrastructureError, RunError
from scientific_math_critpt_env.grading.driving import run_to_end
from scientific_math_critpt_env.runs.contracts import Contract, open_contract
from scientific_math_critpt_env.runs.replay import Engine
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.runs.verdicts import Write, judge_in_order

CHUNK = 32
"""Samples sent at a time: a second's work, beside which the sending is nothing."""

MOST_LOSSES = 3
"""How often a chunk may lose its node before that is raised: it might be what ends them."""

Rows = list[dict[str, Any]]


def on_ray(workers: int | None = None, address: str | None = None) -> Engine:
    """An engine of `workers` actors (default: one per CPU of the cluster).

    `address`: "auto" or the cluster's; by default that of `RAY_ADDRESS`, else a Ray of this machine's own.
    The engine raises RunError where Ray is not installed or not reached, InfrastructureError where it fails.
    """

    def engine(contract: Contract, samples: Iterator[Sample], write: Write) -> None:
        with _connected(workers, address) as ray:
            _Spread(ray, contract.id, workers or int(ray.cluster_resources().get("CPU", 1))).run(
                samples, write
            )

    return engine


class Judge:
    """What an actor is."""

    def __init__(self, contract_id: str) -> None:
        self._contract = open_contract(contract_id, workers=1)

    def judge(self, rows: Rows) -> Rows:
        """The verdict rows of rows of samples."""
        judged: Rows = []
        samples = (Sample.from_row(row, "a sample sent by Ray") for row in rows)
        run_to_end(judge_in_order(self._contract, samples, judged.append))
        return judged


@dataclass(slots=True)
class _Chunk:
    number: int
    rows: Rows
    losses: int = 0


class _Spread:
    """Chunks under way, at most one to an actor; results are written in order."""

    def __init__(self, ray: Any, contract_id: str, actors: int) -> None:
        self._ray = ray
        self._kind = ray.remote(num_cpus=1)(Judge)
        self._contract_id = contract_id
        self._idle = [self._kind.remote(contract_id) for _ in range(actors)]
        self._under_way: dict[Any, tuple[Any, _Chunk]] = {}
        self._judged: dict[int, Rows] = {}
        self._written = 0

    def run(self, samples: Iterator[Sample], write: Write) -> None:
        chunks = _chunked(samples)
        while True:
            for actor, chunk in zip(list(self._idle), chunks, strict=False):
                self._submit(actor, chunk)
            if not self._under_way:
                return
            self._collect()
            while self._written in self._judged:
                for row in self._judged.pop(self._written):
                    write(row)
                self._written += 1

    def _submit(self, actor: Any, chunk: _Chunk) -> None:
        self._idle.remove(actor)
        self._under_way[actor.judge.remote(chunk.rows)] = actor, chunk

    def _collect(self) -> None:
        (done, *_), _ = self._ray.wait(list(self._under_way), num_returns=1)
        actor, chunk = self._under_way.pop(done)
        try:
            self._judged[chunk.number] = self._ray.get(done)
        except self._ray.exceptions.RayActorError as error:
            chunk.losses += 1
            if chunk.losses > MOST_LOSSES:
                raise InfrastructureError(
                    f"Ray lost {chunk.losses} actors under one chunk: {error}"
                ) from error
            self._idle.append(replacement := self._kind.remote(self._contract_id))
            self._submit(replacement, chunk)
        except self._ray.exceptions.RayTaskError as error:
            raise InfrastructureError(f"judging on Ray failed: {error.cause}") from error
        else:
            self._idle.append(actor)


def _chunked(samples: Iterator[Sample]) -> Iterator[_Chunk]:
    number = 0
    while rows := [sample.row() for sample in islice(samples, CHUNK)]:
        yield _Chunk(number, rows)
        number += 1


@contextmanager
def _connected(workers: int | None, address: str | None) -> Iterator[Any]:
    """The module, connected; what was started here is stopped again."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would tell its makers, over the network
    try:
        import ray
    except ImportError:
        raise RunError("--engine ray needs Ray: pip install 'scientific-math-critpt[ray]'") from None
    if ray.is_initialized():
        yield ray
        return
    address = address or os.environ.get("RAY_ADDRESS")
    where = {"address": address} if address else {"num_cpus": workers or len(os.sched_getaffinity(0))}
    try:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR", **where)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise RunError(f"engine ray: no Ray at {address or 'this machine'}: {error}") from error
    try:
        yield ray
    finally:
        ray.shutdown()
