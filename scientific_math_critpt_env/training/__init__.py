"""Rewards for trainers: TRL, verl, OpenRLHF and SkyRL. Thin: from what a trainer hands over to the grader.

    from scientific_math_critpt_env.training import trl_reward
    GRPOTrainer(..., reward_funcs=trl_reward, train_dataset=Dataset.from_list(trl_rows(problems)))

| trainer  | what it loads                                                             |
|----------|---------------------------------------------------------------------------|
| TRL      | `trl_reward`, `trl_reward_async`, or one made by `make_trl_reward`         |
| verl     | `pkg://scientific_math_critpt_env.training.verl`, name `compute_score`     |
| OpenRLHF | the file of `training.openrlhf`, or the server `training.openrlhf_server`  |
| SkyRL    | `training.skyrl`: `register()`, then `env_class: scientific-math-critpt`   |

prime-rl needs nothing of this: it runs the verifiers environment itself. No trainer is imported here.
Not covered: rewards of judges or of novelty; a group reward is an environment's (`docs/integrations.md`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_critpt_env.training.datasets import (
        openrlhf_rows,
        skyrl_rows,
        trl_rows,
        verl_rows,
    )
    from scientific_math_critpt_env.training.trl import make_trl_reward, trl_reward, trl_reward_async

_HOMES = {
    "trl_reward": "trl",
    "trl_reward_async": "trl",
    "make_trl_reward": "trl",
    "trl_rows": "datasets",
    "verl_rows": "datasets",
    "openrlhf_rows": "datasets",
    "skyrl_rows": "datasets",
}

__all__ = [
    "make_trl_reward",
    "openrlhf_rows",
    "skyrl_rows",
    "trl_reward",
    "trl_reward_async",
    "trl_rows",
    "verl_rows",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
