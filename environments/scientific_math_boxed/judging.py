"""The contract of this process, shared by all tasks, and what of it can be configured."""

from __future__ import annotations

import atexit
from functools import cache

import verifiers.v1 as vf
from pydantic import Field

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual


class BoxedTaskConfig(vf.TaskConfig):
    workers: int | None = Field(None, ge=1)
    """Answers judged at a time in this process (default: one per core); their limits are the contract's."""


def shared_contract(config: BoxedTaskConfig) -> MathV52Dual:
    """This process's contract for the configuration; nothing is started until it judges."""
    return _contract(config.workers)


@cache
def _contract(workers: int | None) -> MathV52Dual:
    made = MathV52Dual(workers=workers)
    atexit.register(made.close)
    return made
