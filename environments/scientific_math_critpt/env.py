"""One agent, one problem, one trace; everything runs on this machine."""

from __future__ import annotations

import verifiers.v1 as vf
from pydantic import model_validator
from verifiers.v1.envs.single_agent import SingleAgentEnv, SingleAgentEnvConfig

from scientific_math_critpt.grading import shared_grader
from scientific_math_critpt.harness import CritptHarnessConfig
from scientific_math_critpt.taskset import CritptTasksetConfig


class CritptEnvConfig(SingleAgentEnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model. Its runtime is local: the harness runs nothing; answers run in the grader's own sandbox."""

    @model_validator(mode="after")
    def _check(self) -> CritptEnvConfig:
        check_agent(self)
        return self


def check_agent(config: vf.EnvConfig) -> None:
    """Refuse settings of the seat `agent` that would spoil rewards: raises ValueError."""
    agent: vf.AgentConfig = config.agent
    if agent.timeout.scoring is not None:
        raise ValueError(
            "agent.timeout.scoring would turn a slow grade into a reward of 0; "
            "the grader has limits of its own: taskset.task.cpu_seconds and wall_seconds"
        )
    if isinstance(config.taskset, CritptTasksetConfig) and config.taskset.protocol == "two_turn":
        harness = config.agent_harnesses()["agent"]
        if not isinstance(harness, CritptHarnessConfig):
            raise ValueError(f"protocol two_turn needs this environment's own harness, not {harness.id!r}")


class CritptEnv(SingleAgentEnv, vf.Env[CritptEnvConfig]):
    """A subclass of the plain single-agent environment, so that vf-replay takes its runs."""

    async def start(self) -> None:
        """Test the grader before the first model call is paid for; raises `InfrastructureError`."""
        await shared_grader(self.taskset.config.task).self_test()
