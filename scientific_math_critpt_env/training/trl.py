"""The reward function of TRL 1.16's trainers (GRPO, RLOO and what derives from them).

    data = Dataset.from_list(trl_rows(problems))
    trainer = GRPOTrainer(model=..., reward_funcs=trl_reward, train_dataset=data)

TRL hands over one list for each column of the data set; ours reads `problem` (the row as JSON text, as a
mapping, or a built-in id), or `problem_id` where there is no such column. Completions are texts or
conversations; of a conversation the last message of the assistant is graded.

None is TRL's word for "not mine to score". A row without a problem gets it (a mixture of tasks), and so does
a row that could not be graded: where every reward function says None, TRL 1.16 leaves the completion out of
its group's mean and gives it an advantage of 0. Older releases summed it up as a reward of 0.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from scientific_math_critpt_env.grading.grader import GRADERS
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.training.scoring import Failure, ascore_batch, score_batch

logger = logging.getLogger(__name__)

Message = dict[str, Any]
Completion = str | Sequence[Message]
Rewards = list[float | None]


def trl_reward(prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any) -> Rewards:
    """Rewards in 0..1, one for each completion, by scientific-v1; see the module for None.

    Logs the mean of each verdict as `verdict/STATUS` and a column `verdict` where TRL offers it. Raises
    `InfrastructureError` or `ProblemError` where not one completion of the batch could be graded, and
    `ConfinementError` where this machine cannot confine code.
    """
    return _told(score_batch(_rows(completions, columns)), columns)


async def trl_reward_async(
    prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
) -> Rewards:
    """`trl_reward` for TRL's event loop, where it runs beside other asynchronous reward functions."""
    return _told(await ascore_batch(_rows(completions, columns)), columns)


def make_trl_reward(
    *, grader: str = GRADERS[0], workers: int | None = None, asynchronous: bool = False
) -> Callable[..., Any]:
    """A reward function for another contract, or with its number of processes bounded.

    With several training processes on a machine give each its share of the cores as `workers`.
    """

    async def scientific_math_async(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> Rewards:
        found = await ascore_batch(_rows(completions, columns), grader=grader, workers=workers)
        return _told(found, columns)

    def scientific_math(prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any) -> Rewards:
        return _told(score_batch(_rows(completions, columns), grader=grader, workers=workers), columns)

    return scientific_math_async if asynchronous else scientific_math


def _rows(completions: Sequence[Completion], columns: dict[str, Any]) -> list[tuple[object, str]]:
    given = columns.get("problem", columns.get("problem_id"))
    if given is None:
        raise ValueError(
            "the data set needs a column `problem` (the row, best as JSON text) or `problem_id` (a built-in "
            f"id); it has {', '.join(sorted(columns)) or 'no further column'}"
        )
    return list(zip(given, map(_text, completions), strict=True))


def _text(completion: Completion) -> str:
    """The completion's text; of a conversation, what the assistant said last."""
    if isinstance(completion, str):
        return completion
    said = [message.get("content") for message in completion if message.get("role") == "assistant"]
    content = said[-1] if said else ""
    if isinstance(content, list):  # content in parts, as processors of vision models want it
        return "".join(str(part.get("text") or "") for part in content)
    return content or ""


def _told(found: list[Verdict | Failure | None], columns: dict[str, Any]) -> Rewards:
    """The rewards; failures are logged, statuses go to the trainer's own log."""
    for failure in {str(result) for result in found if isinstance(result, Exception)}:
        logger.warning("a completion was not graded and gets no reward: %s", failure)
    statuses = [_status(result) for result in found]
    if log_extra := columns.get("log_extra"):
        log_extra("verdict", statuses)
    if log_metric := columns.get("log_metric"):
        for status, count in Counter(statuses).items():
            log_metric(f"verdict/{status}", count / len(statuses))
    return [result.score if isinstance(result, Verdict) else None for result in found]


def _status(result: Verdict | Failure | None) -> str:
    if result is None:
        return "not_ours"
    return result.status if isinstance(result, Verdict) else "failed"
