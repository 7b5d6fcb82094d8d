"""The reward function of OpenRLHF 0.11: `--reward.remote_url PATH_OF_THIS_FILE`, `--data.label_key label`.

The path: python -c 'import scientific_math_critpt_env.training.openrlhf as m; print(m.__file__)'

OpenRLHF loads the file by its path and calls `reward_func(queries, prompts, labels)` in a thread, a query at
a time. A query is the prompt and the reply together, special tokens included; a label is the problem's row as
JSON text (or a built-in id), as `openrlhf_rows` writes it. What is raised here OpenRLHF logs, and it leaves
that sample without a reward. For the HTTP form see `openrlhf_server`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.training.scoring import ascore_batch, score_batch

PROMPT_TAIL = 200
"""Characters of a prompt's end that are looked for where it does not stand whole: OpenRLHF cuts long prompts
from the left, and decoding need not give back every space."""

_SPECIAL_TOKENS = re.compile(
    r"(?:\s*(?:<[|｜][^<>\s]{1,40}[|｜]>|</?(?:s|eos|pad|end_of_turn)>|\[PAD\]))+\s*\Z"
)
"""At the end of a reply, where they would hide the closing fence of a code block."""


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[object]) -> dict[str, Any]:
    """`rewards` and `scores` (0..1) and `extra_logs`, as float tensors with a number for each query.

    Raises `ProblemError` or `InfrastructureError` where a query could not be graded.
    """
    import torch  # OpenRLHF's own; the HTTP form does without

    fields = as_fields(_all_graded(score_batch(_rows(queries, prompts, labels))))
    extra_logs = {name: torch.tensor(values) for name, values in fields.pop("extra_logs").items()}
    return {name: torch.tensor(values) for name, values in fields.items()} | {"extra_logs": extra_logs}


async def verdicts(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[object], *, workers: int | None = None
) -> list[Verdict]:
    """What `reward_func` makes its numbers of."""
    return _all_graded(await ascore_batch(_rows(queries, prompts, labels), workers=workers))


def as_fields(found: Sequence[Verdict]) -> dict[str, Any]:
    """The reply to OpenRLHF, as lists with a number for each query."""
    rewards = [verdict.score for verdict in found]
    statuses = ("correct", "undecided", "no_answer", "timeout")
    logs = {status: [float(verdict.status == status) for verdict in found] for status in statuses}
    logs["partial"] = [verdict.partial for verdict in found]
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}


def reply_of(query: str, prompt: str) -> str:
    """The model's part of a query, without the special tokens that end it.

    The prompt must go: it holds a code template, which would count as the answer of a reply without code.
    """
    start = len(prompt) if query.startswith(prompt) else 0
    if not start and (tail := prompt.strip()[-PROMPT_TAIL:]):
        place = query.find(tail)
        start = place + len(tail) if place >= 0 else 0
    return _SPECIAL_TOKENS.sub("", query[start:])


def _rows(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[object]
) -> list[tuple[object, str]]:
    replies = [reply_of(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    return list(zip(labels, replies, strict=True))


def _all_graded(found: Sequence[Any]) -> list[Verdict]:
    """The verdicts; raises what stands in the place of one."""
    for result in found:
        if isinstance(result, Exception):
            raise result
        if result is None:
            raise ValueError("a label is null; --data.label_key must name the column with the problem's row")
    return list(found)
