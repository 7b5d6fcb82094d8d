"""Verdict rows of samples, judged several at a time and given out in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import chain, groupby
from typing import Any

from scientific_math_critpt_env.runs.contracts.contract import Contract, Judged
from scientific_math_critpt_env.runs.samples import Sample

Write = Callable[[dict[str, Any]], None]


async def judge_in_order(contract: Contract, samples: Iterable[Sample], write: Write) -> None:
    """Hand a verdict row for each sample to `write`, in the order of the samples.

    The samples of a problem that follow on each other are judged one after another, by the same worker most
    of the time, which has read the gold then. One that takes long holds back those, and the writing of the
    rows behind it, not the judging of other problems. Raises what `contract.judge` raises, after cancelling
    the rest.
    """
    problems = (list(group) for _, group in groupby(enumerate(samples), key=lambda pair: pair[1].problem_uid))
    finished: dict[int, dict[str, Any]] = {}
    written = 0

    async def judge_one_after_another() -> None:
        nonlocal written
        for number, sample in chain.from_iterable(problems):
            finished[number] = verdict_row(sample, await contract.judge(sample))
            while written in finished:
                write(finished.pop(written))
                written += 1

    hands = [asyncio.create_task(judge_one_after_another()) for _ in range(contract.workers)]
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
