"""n attempts at each problem, judged one by one and then measured beside each other."""

from __future__ import annotations

import verifiers.v1 as vf
from pydantic import model_validator
from scientific_math_attempts.env import AttemptsEnv, AttemptsEnvConfig

from scientific_math_creative.taskset import CreativeTaskConfig


class CreativeEnvConfig(AttemptsEnvConfig):
    """As of `scientific-math-attempts`; its own type, so that it is found by the taskset's id."""

    @model_validator(mode="after")
    def _novelty_needs_a_derivation(self) -> CreativeEnvConfig:
        task = self.taskset.task
        if isinstance(task, CreativeTaskConfig) and task.graded == "answer" and self.novelty_weight:
            raise ValueError("novelty_weight needs judged derivations: use graded answer_and_jury, or off")
        return self


class CreativeEnv(AttemptsEnv, vf.Env[CreativeEnvConfig]):
    """The environment of the taskset: `vf-eval scientific-math-creative`."""
