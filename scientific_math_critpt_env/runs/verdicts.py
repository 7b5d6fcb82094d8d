"""Verdict rows of samples, judged several at a time and given out in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from scientific_math_critpt_env.runs.contracts.contract import Contract, Judged
from scientific_math_critpt_env.runs.samples import Sample

AHEAD = 2
"""Samples begun beyond those being judged, so that no worker waits for us to read the next one."""

Write = Callable[[dict[str, Any]], None]


async def judge_in_order(contract: Contract, samples: Iterable[Sample], write: Write) -> None:
    """Hand a verdict row for each sample to `write`, in the order of the samples.

    A sample that takes long holds back the writing of the rows behind it, not their judging. Raises what
    `contract.judge` raises, after cancelling the rest.
    """
    numbered = enumerate(samples)
    finished: dict[int, dict[str, Any]] = {}
    written = 0

    async def judge_one_after_another() -> None:
        nonlocal written
        for number, sample in numbered:
            finished[number] = verdict_row(sample, await contract.judge(sample))
            while written in finished:
                write(finished.pop(written))
                written += 1

    hands = [asyncio.create_task(judge_one_after_another()) for _ in range(contract.workers + AHEAD)]
    try:
        await asyncio.gather(*hands)
    finally:
        for hand in hands:
            hand.cancel()
        await asyncio.gather(*hands, return_exceptions=True)


def verdict_row(sample: Sample, judged: Judged) -> dict[str, Any]:
    """A row of `rows.jsonl`; nothing in it depends on when or where it was made."""
    soft = judged["soft"]
    return {
        "dataset": sample.dataset,
        "problem_id": sample.problem_id,
        "problem_uid": sample.problem_uid,
        "sample_idx": sample.sample_idx,
        **{name: value for name, value in judged.items() if name != "soft"},
        "truncated": sample.truncated,
        "finish_reason": sample.finish_reason,
        "prompt_tokens": sample.prompt_tokens,
        "output_tokens": sample.output_tokens,
        "topic": sample.metadata.get("topic"),
        "difficulty": sample.metadata.get("difficulty"),
        "soft": soft and {name: value for name, value in soft.items() if name != "soft"},
    }
