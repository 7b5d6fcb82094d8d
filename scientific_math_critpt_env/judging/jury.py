"""A jury: asks its judges at the same time, reads their verdicts, counts the votes.

Works from any thread and event loop, and in a forked copy of the process. A judge that fails is an ERROR vote
with its reason; `JudgingError` and `BudgetError` are raised.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, Self

from scientific_math_critpt_env.judging.checks import refuse_defects, refuse_hopeless
from scientific_math_critpt_env.judging.desk import Desk
from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.reading import Reading
from scientific_math_critpt_env.judging.rules import decide
from scientific_math_critpt_env.judging.votes import Ballot, Decision, Question


class Jury:
    """Any number of judges and how their votes count; reusable until closed, an async context manager."""

    def __init__(
        self,
        judges: Sequence[Judge],
        *,
        rule: str = "majority",
        quorum: int | None = None,
        ties: Decision = "NO",
        cache: Path | None = None,
        exclude_author: bool = False,
        budget: float | None = None,
        max_calls: int | None = None,
        reading: Reading = "strict",
    ) -> None:
        """Nothing is asked or opened yet. Raises `JudgingError` where the jury cannot work.

        `quorum`: votes that must count, by default more than half of those asked; `ties`: what a majority
        rule says then; `cache`: folder of replies, never asked for again; `exclude_author`: a judge does not
        judge itself; `budget` (in the currency of the prices) and `max_calls`: of this jury's new questions.
        """
        self.judges = tuple(judges)
        self.rule, self.quorum, self.ties = rule, quorum, ties
        self.exclude_author = exclude_author
        refuse_defects(self.judges, rule=rule, quorum=quorum, ties=ties, budget=budget, max_calls=max_calls)
        self.cache = cache
        """May be set until the first question."""
        self.reading = reading
        self._limits: dict[str, Any] = {"budget": budget, "max_calls": max_calls}
        self._desk: Desk | None = None
        self._last: Desk | None = None
        self._pid = 0
        self._lock = Lock()

    def panel(self, author: str | None = None) -> tuple[Judge, ...]:
        """The judges that are asked about a text of `author` (a model's name)."""
        if not self.exclude_author or not author:
            return self.judges
        return tuple(judge for judge in self.judges if not judge.is_author(author))

    async def ask(self, question: Question, *, author: str | None = None, rule: str | None = None) -> Ballot:
        """Every judge's vote and the decision, by `rule` instead of the jury's own where given.

        Raises `BudgetError` where a question would pass the budget, after those under way were answered and
        kept; `JudgingError` where nothing can be asked (a key is missing, replies cannot be kept, the judges
        that are left without the author could never say YES).
        """
        rule = rule or self.rule
        panel = self.panel(author)
        try:
            refuse_hopeless(panel, rule=rule, quorum=self.quorum)
        except JudgingError as error:
            left_out = f", without the author {author}" if len(panel) < len(self.judges) else ""
            raise JudgingError(f"{error}{left_out}") from None
        desk = self._at_work()
        asked = [desk.vote(judge, question) for judge in panel]
        votes = await desk.background.run(_all(asked))
        decision = decide([vote.verdict for vote in votes], rule, quorum=self.quorum, ties=self.ties)
        return Ballot(tuple(votes), decision)

    def report(self) -> dict[str, Any]:
        """By judge: votes by verdict, calls, replies known, failures with the last reason, tokens, cost."""
        desk = self._desk or self._last or self._at_work()
        return {
            judge.name: {
                "model": judge.model,
                "votes": dict(desk.verdicts[judge.name]),
                **asdict(desk.spending.accounts[judge.name]),
                "last_failure": desk.failures.get(judge.name, ""),
            }
            for judge in self.judges
        }

    @property
    def cost(self) -> float:
        """What this jury's questions cost so far."""
        desk = self._desk or self._last
        return desk.spending.cost if desk is not None else 0.0

    @property
    def calls(self) -> int:
        """Questions that went out and were answered so far."""
        desk = self._desk or self._last
        return desk.spending.calls if desk is not None else 0

    async def aclose(self) -> None:
        """Close every connection and the store of replies; a second time does nothing.

        What it came to can still be read; another question would open it anew, with its whole budget.
        """
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """The same, blocking, where there is no event loop."""
        desk, self._desk = self._desk, None
        if desk is not None and self._pid == os.getpid():
            self._last = desk
            desk.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    def _at_work(self) -> Desk:
        # A forked copy has the memory of its parent's desk but neither its thread nor its connections. The
        # copy is kept, for tidying it up would reach into the parent (see background).
        with self._lock:
            if self._desk is not None and self._pid != os.getpid():
                _INHERITED.append(self._desk)
                self._desk = None
            if self._desk is None:
                self._desk = Desk(self.judges, cache=self.cache, reading=self.reading, **self._limits)
                self._pid = os.getpid()
            return self._desk


_INHERITED: list[Desk] = []


async def _all(asked: Sequence[Any]) -> list[Any]:
    """All results; the first failure is raised when every question under way has been answered."""
    results = await asyncio.gather(*asked, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results
