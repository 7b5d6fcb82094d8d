"""The process's graders: one for each configuration, shared by all tasks, closed when the process ends."""

from __future__ import annotations

import atexit
from functools import cache

import verifiers.v1 as vf
from pydantic import Field, field_validator

from scientific_math_critpt.extras import ExtrasConfig
from scientific_math_critpt_env.grading.grader import GRADERS, Grader
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.sandbox.limits import Limits


class CritptTaskConfig(vf.TaskConfig):
    """How answers are graded: `--env.taskset.task.*`; `--taskset.task.*` for vf-replay and vf-validate."""

    grader: str = GRADERS[0]
    """Id of the grading contract."""
    workers: int | None = Field(None, ge=1)
    """Answers run and compared at a time; None is one per core. Each environment process has its own."""
    cpu_seconds: float = Field(Limits().cpu_seconds, gt=0)
    """CPU time an answer's code may use."""
    wall_seconds: float = Field(Limits().wall_seconds, gt=0)
    """Wall time an answer's code may use, from its start."""
    memory_bytes: int = Field(Limits().memory_bytes, gt=0)
    """Address space an answer's code may take, beyond the interpreter's own."""
    undecided_score: float = Field(Policy().undecided_score, ge=0, le=1)
    """Reward of an answer that could neither be shown right nor wrong."""
    extras: ExtrasConfig = ExtrasConfig()
    """Rewards beside correctness, by a jury and by novelty; all off."""

    @field_validator("grader")
    @classmethod
    def _known(cls, grader: str) -> str:
        if grader not in GRADERS:
            raise ValueError(f"unknown grader {grader!r}; there are {', '.join(GRADERS)}")
        return grader


def shared_grader(config: CritptTaskConfig) -> Grader:
    """This process's grader for the configuration; nothing is started until it grades."""
    limits = Limits(
        cpu_seconds=config.cpu_seconds, wall_seconds=config.wall_seconds, memory_bytes=config.memory_bytes
    )
    return _grader(config.grader, config.workers, limits, Policy(undecided_score=config.undecided_score))


@cache
def _grader(grader: str, workers: int | None, limits: Limits, policy: Policy) -> Grader:
    made = Grader(grader=grader, workers=workers, limits=limits, policy=policy)
    atexit.register(made.close)
    return made
