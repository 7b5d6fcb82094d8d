"""The environment of SkyRL (skyrl-gym 0.4): `register()` first, then `env_class: scientific-math-critpt`.

Rows as `skyrl_rows` writes them: `reward_spec.ground_truth` is the problem's row as JSON text (or a built-in
id). One turn by default; with `extra_info.protocol` "two_turn" the environment asks for the code in a second
turn, which alone is graded, as CritPt does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import register as register_environment
from skyrl_gym.envs.registration import registry

from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.prompting.texts import second_turn
from scientific_math_critpt_env.training.rows import problem_of
from scientific_math_critpt_env.training.scoring import shared_grader

ENVIRONMENT = "scientific-math-critpt"


class ScientificMathEnv(BaseTextEnv):
    """One problem; the reward is the grader's. A failure of the grader is raised and never a reward of 0."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        """`extras` holds the row's further columns. Raises `ProblemError`, KeyError without `reward_spec`."""
        super().__init__()
        extras = extras or {}
        self.problem = problem_of(extras["reward_spec"]["ground_truth"])
        self.two_turn = (extras.get("extra_info") or {}).get("protocol") == "two_turn"
        self.max_turns = 2 if self.two_turn else 1
        self.verdict: Verdict | None = None
        """The verdict, once there is one."""

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Grade the reply; after turn 1 of two, ask for the code instead."""
        self.turns += 1
        if self.two_turn and self.turns == 1:
            asked = [{"role": "user", "content": second_turn(self.problem)}]
            return BaseTextEnvStepOutput(observations=asked, reward=0.0, done=False, metadata={})
        self.verdict = shared_grader().grade(
            problem=self.problem, completion=action, block="first" if self.two_turn else "last"
        )
        return BaseTextEnvStepOutput(
            observations=[],
            reward=self.verdict.score,
            done=True,
            metadata={"status": self.verdict.status, "reason": self.verdict.reason},
        )

    def get_metrics(self) -> dict[str, float]:
        """What SkyRL averages over its episodes; empty before the verdict."""
        if self.verdict is None:
            return {}
        return {
            "correct": float(self.verdict.status == "correct"),
            "undecided": float(self.verdict.status == "undecided"),
            "no_answer": float(self.verdict.status == "no_answer"),
            "partial": self.verdict.partial,
        }


def register() -> None:
    """Make the environment known to skyrl-gym under its id; once is enough, and more does no harm."""
    if ENVIRONMENT not in registry:
        register_environment(id=ENVIRONMENT, entry_point=f"{__name__}:{ScientificMathEnv.__name__}")
