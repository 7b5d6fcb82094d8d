"""One agent, one record, one trace; everything runs on this machine."""

from __future__ import annotations

import verifiers.v1 as vf
from pydantic import model_validator
from verifiers.v1.envs.single_agent import SingleAgentEnv, SingleAgentEnvConfig

from scientific_math_boxed.judging import shared_contract


class BoxedEnvConfig(SingleAgentEnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model. Its runtime is local: the harness runs nothing, answers are read in workers of our own."""

    @model_validator(mode="after")
    def _check(self) -> BoxedEnvConfig:
        if self.agent.timeout.scoring is not None:
            raise ValueError(
                "agent.timeout.scoring would turn a slow verdict into a reward of 0; the contract has its own"
            )
        return self


class BoxedEnv(SingleAgentEnv, vf.Env[BoxedEnvConfig]):
    """A subclass of the plain single-agent environment, so that vf-replay takes its runs."""

    async def start(self) -> None:
        """Test the contract before the first model call is paid for; raises `InfrastructureError`."""
        await shared_contract(self.taskset.config.task).self_test()
