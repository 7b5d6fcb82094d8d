"""The reward function of verl 0.9.

    reward.custom_reward_function.path=pkg://scientific_math_critpt_env.training.verl
    reward.custom_reward_function.name=compute_score           # or acompute_score
    +reward.custom_reward_function.reward_kwargs.workers=2     # processes of each reward worker

`ground_truth` is the problem's row as JSON text (or a built-in id), as `verl_rows` writes it; the policy
never sees it. verl calls the synchronous function in threads, the asynchronous one on its event loop. A
failure of ours is raised, since verl has no word for "leave this one out": it ends the run rather than
teach a reward of 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scientific_math_critpt_env.grading.grader import GRADERS
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.training.scoring import ascore, score


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    *,
    grader: str = GRADERS[0],
    workers: int | None = None,
    **others: Any,
) -> dict[str, float | str]:
    """`score` (the reward, 0..1), and beside it what verl logs: `acc`, `partial`, `undecided`, `status`.

    `grader` and `workers` come from `reward_kwargs`. Raises `ProblemError`, `InfrastructureError`.
    """
    return _fields(score(_problem(ground_truth, extra_info), solution_str, grader=grader, workers=workers))


async def acompute_score(
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    *,
    grader: str = GRADERS[0],
    workers: int | None = None,
    **others: Any,
) -> dict[str, float | str]:
    """`compute_score` without a thread for each answer."""
    problem = _problem(ground_truth, extra_info)
    return _fields(await ascore(problem, solution_str, grader=grader, workers=workers))


def _problem(ground_truth: object, extra_info: Mapping[str, Any] | None) -> object:
    """The row: `ground_truth`, or `extra_info["problem"]` where a data set keeps something else there."""
    return (extra_info or {}).get("problem") or ground_truth


def _fields(verdict: Verdict) -> dict[str, float | str]:
    # The same fields for every answer: verl makes columns of them.
    return {
        "score": verdict.score,
        "acc": float(verdict.status == "correct"),
        "partial": verdict.partial,
        "undecided": float(verdict.status == "undecided"),
        "status": verdict.status,
    }
