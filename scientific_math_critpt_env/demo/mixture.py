"""Which scripted answer a call gets, so that the mean reward of any run is known before it starts.

Whether a problem is solved depends on the problem alone: three of every five, by its place in the file.
Only the *manner* varies from call to call (which right form, which kind of failure), with `seed` where the
request has one and otherwise by counting the calls for that problem. So the mean is the same whatever runs at
the same time, is retried, or is resumed after a crash; the counts of the single kinds of failure are exact
only in a run that nothing interrupts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from scientific_math_critpt_env.problems.schema import Problem

Failure = Literal["wrong", "wrong_type", "no_code", "raises", "endless_loop", "truncated"]
Kind = Literal["right"] | Failure

FAILURES: tuple[Failure, ...] = ("wrong", "wrong_type", "no_code", "raises", "endless_loop", "truncated")

_SOLVED = (True, True, False, True, False)
"""By place in the problem file, again and again: 3 of 5, so that the mean of `-n 5` is 0.6."""

_STEP = 3
"""Where the next unsolved problem starts in FAILURES: two with three rollouts each show every kind."""


class Mixture:
    """The script for one list of problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._offsets: dict[str, int | None] = {}
        self._calls: Counter[str] = Counter()
        unsolved = 0
        for place, problem in enumerate(problems):
            if _SOLVED[place % len(_SOLVED)]:
                self._offsets[problem.id] = None
            else:
                self._offsets[problem.id] = _STEP * unsolved
                unsolved += 1

    def kind(self, problem_id: str, variant: int) -> Kind:
        """What the call numbered `variant` (0, 1, ...) for this problem is answered with."""
        offset = self._offsets[problem_id]
        return "right" if offset is None else FAILURES[(offset + variant) % len(FAILURES)]

    def next_variant(self, problem_id: str) -> int:
        """The number of this call for the problem."""
        self._calls[problem_id] += 1
        return self._calls[problem_id] - 1

    def expected_score(self, problem_id: str) -> float:
        """The reward of every rollout of this problem: 1 or 0."""
        return 1.0 if self._offsets[problem_id] is None else 0.0

    def expected_mean(self, problem_ids: Iterable[str]) -> float:
        """The mean reward of a run over these problems, the same number of rollouts each."""
        scores = [self.expected_score(problem_id) for problem_id in problem_ids]
        return sum(scores) / len(scores) if scores else 0.0
