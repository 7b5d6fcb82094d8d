"""Grading for a trainer: this process's grader, and a batch in which a row may fail without the others.

One grader for each contract and process, made at its first use. After a fork the child's grader starts
processes of its own; a spawned process makes its own. Work from any thread, with or without an event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache

from scientific_math_critpt_env.errors import ConfinementError, InfrastructureError, ProblemError
from scientific_math_critpt_env.grading.driving import run_to_end
from scientific_math_critpt_env.grading.grader import GRADERS, Grader
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.training.rows import problem_of

Failure = InfrastructureError | ProblemError
"""Why a row has no verdict; nothing of it is the model's doing."""


def score(given: object, completion: str, *, grader: str = GRADERS[0], workers: int | None = None) -> Verdict:
    """Grade one completion, blocking. `given` is as for `problem_of`; `workers` as for `Grader`.

    Raises `ProblemError`, `InfrastructureError`: a failure of ours is never a score.
    """
    return shared_grader(grader, workers).grade(problem=problem_of(given), completion=completion)


async def ascore(
    given: object, completion: str, *, grader: str = GRADERS[0], workers: int | None = None
) -> Verdict:
    """`score` without blocking the event loop."""
    return await shared_grader(grader, workers).agrade(problem=problem_of(given), completion=completion)


def score_batch(
    rows: Iterable[tuple[object, str]], *, grader: str = GRADERS[0], workers: int | None = None
) -> list[Verdict | Failure | None]:
    """As `ascore_batch`, blocking."""
    return run_to_end(ascore_batch(rows, grader=grader, workers=workers))


async def ascore_batch(
    rows: Iterable[tuple[object, str]], *, grader: str = GRADERS[0], workers: int | None = None
) -> list[Verdict | Failure | None]:
    """Verdicts of (problem, completion) pairs in order; None where the problem is None (another task's row),
    and the error where a row could not be graded.

    Raises the first of these errors where not one row could be graded, and `ConfinementError` always: a
    trainer must not go on with a grader that cannot work.
    """

    async def one(given: object, completion: str) -> Verdict | Failure | None:
        if given is None:
            return None
        try:
            return await ascore(given, completion, grader=grader, workers=workers)
        except ConfinementError:
            raise
        except (InfrastructureError, ProblemError) as error:
            return error

    found = await asyncio.gather(*(one(given, completion) for given, completion in rows))
    failures = [result for result in found if isinstance(result, InfrastructureError | ProblemError)]
    if failures and not any(isinstance(result, Verdict) for result in found):
        raise failures[0]
    return list(found)


@cache
def shared_grader(grader: str = GRADERS[0], workers: int | None = None) -> Grader:
    """This process's grader; `workers` runs and comparisons at a time, by default one per core.

    Where a trainer has several reward processes on a machine, give each its share of the cores.
    """
    # Never closed: the zygote sees the end of file when this process ends, and goes.
    return Grader(grader=grader, workers=workers)
