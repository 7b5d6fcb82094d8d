"""n attempts at each problem, judged one by one and then measured beside each other."""

from __future__ import annotations

import verifiers.v1 as vf
from scientific_math_attempts.env import AttemptsEnv, AttemptsEnvConfig


class CreativeEnvConfig(AttemptsEnvConfig):
    """As of `scientific-math-attempts`; its own type, so that it is found by the taskset's id."""


class CreativeEnv(AttemptsEnv, vf.Env[CreativeEnvConfig]):
    """The environment of the taskset: `vf-eval scientific-math-creative`."""
