"""Rewards beside correctness: what they are called, and how much they may come to.

They are multiplied by correctness where they are made and capped here, so that no wrong answer, however new
or well liked, is worth more than a right one.
"""

from __future__ import annotations

import verifiers.v1 as vf

BONUSES = (
    *("judge", "judge_novelty", "novelty"),  # one rollout of a CritPt problem
    *("coarse_novelty", "fine_novelty"),  # one rollout of a CreativeMath problem
    *("group_novelty", "best_of_n"),  # the attempts of an episode
)
"""Names of all rewards that count as bonus."""

CAP = 0.5
"""By default half of what a right answer earns: enough to order right answers, not to replace one."""


def limit_bonus(trace: vf.Trace, cap: float) -> None:
    """Scale the weights of the trace's bonuses down, all alike, so that together they earn at most `cap`.

    Their scores stay as they are. To be called after each of them is recorded; twice is as good as once.
    """
    rewards = [trace.rewards[name] for name in BONUSES if trace.rewards.get(name) is not None]
    total = sum(reward.value for reward in rewards)
    if total > cap:
        for reward in rewards:
            reward.weight *= cap / total
