"""Grading without a `Grader` at hand: each process has one for each contract."""

from __future__ import annotations

from functools import cache

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.problems.schema import Problem


def grade(*, problem: Problem, completion: str, grader: str = "scientific-v1") -> Verdict:
    """Grade one completion with this process's shared grader; works from any thread."""
    return _shared(grader).grade(problem=problem, completion=completion)


async def agrade(*, problem: Problem, completion: str, grader: str = "scientific-v1") -> Verdict:
    """Grade one completion with this process's shared grader, without blocking the event loop."""
    return await _shared(grader).agrade(problem=problem, completion=completion)


@cache
def _shared(grader: str) -> Grader:
    # Never closed: the zygote sees the end of file when this process ends, and goes.
    return Grader(grader=grader)
