"""n attempts at each task at the same time; then their novelty beside each other, and the best of them.

Each attempt is scored by its own task first. What is added takes all attempts together, so vf-replay refuses
such runs rather than drop it: an episode is the unit that is scored, retried and resumed.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

import verifiers.v1 as vf
from pydantic import Field, model_validator
from scientific_math_critpt.bonus import CAP, limit_bonus
from scientific_math_critpt.env import check_agent
from scientific_math_critpt.grading import CritptTaskConfig, shared_grader
from scientific_math_critpt.taskset import CritptTask

from scientific_math_critpt_env.novelty import (
    THRESHOLD,
    Embedder,
    Novelty,
    Solution,
    measure_group,
    named_embedder,
)

MOST_ATTEMPTS = 64
"""The distances of all pairs are measured: about 2,000 pairs, a quarter of a second, for this many."""

SOLVED = 1.0
"""Score of `correct` from which an attempt is right; a partly right one is not compared for novelty."""


class AttemptsEnvConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model. Its runtime is local: the harnesses of our tasksets run nothing."""
    attempts: int = Field(4, ge=1, le=MOST_ATTEMPTS)
    """Independent attempts at each task."""
    max_concurrent_agents: int | None = Field(None, ge=1)
    """Attempts at one task under way at a time; None is all of them. `-c` counts tasks, not attempts."""
    novelty_weight: float = Field(0.0, ge=0)
    """Weight of the reward `group_novelty`: how rare an attempt's approach is among the right ones."""
    best_of_n_weight: float = Field(0.0, ge=0)
    """Weight of the reward `best_of_n`, the same for all attempts: whether one of them is right. See
    docs/group_rewards.md before using it."""
    cap: float = Field(CAP, ge=0, le=1)
    """Most that the bonuses of one attempt add to its reward, together."""
    derivations: bool = False
    """Compare attempts whose code only states a value (a closed form) by their prose, which can say
    anything where nobody judges it."""
    embed: str | None = None
    """Function that embeds prose, `package.module:function`; None compares words alone. One that needs no
    network: scientific_math_critpt_env.novelty.minilm:embed."""
    threshold: float = Field(THRESHOLD, ge=0, le=1)
    """Average distance up to which attempts are one approach."""

    @model_validator(mode="after")
    def _check(self) -> AttemptsEnvConfig:
        check_agent(self)
        return self


ConfigT = TypeVar("ConfigT", bound=AttemptsEnvConfig)


class AttemptsEnv(vf.Env[AttemptsEnvConfig]):
    """Not a `SingleAgentEnv`, which vf-replay would score again one trace at a time."""

    _embed: Embedder | None = None

    async def start(self) -> None:
        """Test the grader and load the embedder before the first model call is paid for.

        Raises `InfrastructureError`, and `ScientificMathError` where there is no such embedder.
        """
        if self.config.embed is not None:
            self._embed = named_embedder(self.config.embed)
            await asyncio.to_thread(self._embed, ["one text"])
        if isinstance(self.taskset.config.task, CritptTaskConfig):
            await shared_grader(self.taskset.config.task).self_test()

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """All attempts; one that raises (a failed call does not) stops the others."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self.config.attempts):
                group.create_task(agents.agent.run(task))

    async def finalize(self, task: vf.Task, episode: vf.Episode) -> None:
        """Record what takes all attempts: those that ended in an error have no part in it."""
        traces = [trace for trace in episode.traces if trace.ok]
        correct = [_correct(trace) for trace in traces]
        # In a thread, so that reading odd code for a moment stalls no other rollout.
        found = await asyncio.to_thread(self._measured, task, traces, correct)
        solved = float(any(correct))
        best = max((trace.reward for trace in traces), default=0.0)
        for trace, novelty, right in zip(traces, found, correct, strict=True):
            trace.info["group_novelty"] = _told(novelty)
            trace.record_metric("best", float(trace.reward == best))
            trace.record_metric("pass_at_n", solved)
            trace.record_metric("approaches", float(len({n.approach for n in found} - {None})))
            trace.record_metric("rarity", novelty.rarity)
            if novelty.nearest is not None:
                trace.record_metric("reference_distance", novelty.nearest)
            trace.record_reward("group_novelty", right * novelty.score, weight=self.config.novelty_weight)
            trace.record_reward("best_of_n", solved, weight=self.config.best_of_n_weight)
            limit_bonus(trace, self.config.cap)

    def _measured(self, task: vf.Task, traces: list[vf.Trace], correct: list[bool]) -> list[Novelty]:
        return measure_group(
            [_solution(task, trace) for trace in traces],
            getattr(task, "references", ()),
            correct=correct,
            entry_point=getattr(task, "entry_point", "model_answer"),
            threshold=self.config.threshold,
            derivations=self.config.derivations,
            embed=self._embed,
        )


def _solution(task: vf.Task, trace: vf.Trace) -> Solution:
    """The derivation and the code that was graded, where the task tells them apart."""
    if isinstance(task, CritptTask):
        return task.derivation(trace), task.answer(trace)
    return trace.last_reply


def _correct(trace: vf.Trace) -> bool:
    """By the reward `correct`, or all of the reward where the task has none of that name."""
    reward = trace.rewards.get("correct")
    return (trace.reward if reward is None else reward.score) >= SOLVED


def _told(novelty: Novelty) -> dict[str, object]:
    return {
        "score": novelty.score,
        "approach": novelty.approach,
        "rarity": novelty.rarity,
        "nearest": novelty.nearest,
        "reason": novelty.reason,
    }
