"""Counts calls, tokens and cost, and stops before the budget is passed.

Before a question goes out its price is set aside at the most it can be expected to cost; where that does not
fit because of questions under way, it waits for them; where it does not fit at all, the budget is used up.
Exact if the sampling sets `max_tokens`; otherwise a reply longer than `ASSUMED_TOKENS` can pass the budget by
its own excess.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeGuard

from scientific_math_critpt_env.judging.errors import BudgetError
from scientific_math_critpt_env.judging.judge import Judge

ASSUMED_TOKENS = 4096
"""Tokens of a reply without a limit of its own."""

CHARACTERS_PER_TOKEN = 2.0
"""Fewer than any text of mathematics has, so that a prompt's price is not set too low."""

POLL_SECONDS = 0.02
"""How often a question that does not fit looks whether those under way came cheaper than set aside."""


MOST_TOKENS = 10**9
"""Of a prompt or a reply, by far; a larger count is no count."""


@dataclass(slots=True)
class Account:
    """What one judge's replies came to; cached ones cost nothing and are only counted."""

    asked: int = 0
    known: int = 0
    """Votes whose reply was there already."""
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unmetered: int = 0
    """Replies without a count of tokens: their cost is not known and counts as 0."""


class Spending:
    """The accounts of a jury; one event loop."""

    def __init__(self, judges: Mapping[str, Judge], *, budget: float | None, max_calls: int | None) -> None:
        self.accounts = {name: Account() for name in judges}
        self._budget = float("inf") if budget is None else budget
        self._max_calls = float("inf") if max_calls is None else max_calls
        self._set_aside = 0.0
        self._under_way = 0
        self._used_up = ""

    @asynccontextmanager
    async def reserved(self, judge: Judge, body: Mapping[str, Any]) -> AsyncIterator[None]:
        """Within it one question is asked. Raises `BudgetError` where the budget has no room for it."""
        price = _most(judge, body)
        while not self._fits(price):
            if self._used_up or not self._under_way:
                self._used_up = self._used_up or self._told()
                raise BudgetError(self._used_up)
            await asyncio.sleep(POLL_SECONDS)
        self._set_aside += price
        self._under_way += 1
        try:
            yield
        finally:
            self._set_aside -= price
            self._under_way -= 1

    def book(self, judge: Judge, tokens: tuple[int, int] | None) -> None:
        """A reply came; `tokens` of prompt and completion, None where the endpoint did not say."""
        account = self.accounts[judge.name]
        account.asked += 1
        if tokens is None:
            account.unmetered += 1
            return
        account.prompt_tokens += tokens[0]
        account.completion_tokens += tokens[1]
        account.cost += judge.cost(*tokens)

    @property
    def cost(self) -> float:
        """Spent so far."""
        return sum(account.cost for account in self.accounts.values())

    @property
    def calls(self) -> int:
        """Replies paid for so far."""
        return sum(account.asked for account in self.accounts.values())

    def _fits(self, price: float) -> bool:
        if self._used_up:
            return False
        within = self.cost + self._set_aside + price <= self._budget
        return within and self.calls + self._under_way + 1 <= self._max_calls

    def _told(self) -> str:
        left = f"{self.cost:.4f} spent in {self.calls} calls"
        limits = [f"budget {self._budget:g}"] if self._budget != float("inf") else []
        limits += [f"limit of {self._max_calls} calls"] if self._max_calls != float("inf") else []
        return f"{' and '.join(limits)} used up: {left}; every reply is kept, a later run goes on from here"


def tokens_of(reply: Mapping[str, Any]) -> tuple[int, int] | None:
    """Prompt and completion tokens of a chat completion; None where it does not say."""
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (count if _is_count(count) else None for count in counts)
    return None if prompt is None or completion is None else (prompt, completion)


def _is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS


def _most(judge: Judge, body: Mapping[str, Any]) -> float:
    characters = sum(len(str(message.get("content", ""))) for message in body["messages"])
    limits = [body.get(name) for name in ("max_completion_tokens", "max_tokens")]
    completion = next((limit for limit in limits if _is_count(limit)), ASSUMED_TOKENS)
    return judge.cost(int(characters / CHARACTERS_PER_TOKEN) + 1, completion)
