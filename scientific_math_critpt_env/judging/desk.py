"""Where a jury's questions go out and its replies come in: one per process, in a thread of its own."""

from __future__ import annotations

import os
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scientific_math_critpt_env.judging.background import Background
from scientific_math_critpt_env.judging.endpoint import Endpoint, JudgeFailure, is_completion
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.reading import Reading, read_verdict
from scientific_math_critpt_env.judging.replies import Replies, Reply
from scientific_math_critpt_env.judging.requesting import reply_key, request
from scientific_math_critpt_env.judging.spending import Spending, tokens_of
from scientific_math_critpt_env.judging.votes import Question, Vote


class Desk:
    """The endpoints, the replies and the accounts of one jury."""

    def __init__(
        self,
        judges: Sequence[Judge],
        *,
        cache: Path | None,
        budget: float | None,
        max_calls: int | None,
        reading: Reading,
    ) -> None:
        self.spending = Spending({j.name: j for j in judges}, budget=budget, max_calls=max_calls)
        self.verdicts: dict[str, Counter[str]] = {judge.name: Counter() for judge in judges}
        self.failures: dict[str, str] = {}
        self._reading = reading
        self._replies = Replies(cache, is_completion)
        self._endpoints: dict[str, Endpoint] = {}
        self.background = Background("jury")
        # Also when a jury is dropped or the interpreter ends without a call of close.
        self.close = weakref.finalize(
            self, _close, os.getpid(), self.background, self._endpoints, self._replies
        )

    async def vote(self, judge: Judge, question: Question) -> Vote:
        """One judge's vote; to be awaited in the background's loop."""
        body = request(judge, question)

        async def ask() -> Reply:
            admission = self._replies.admitting(self.spending.reserved(judge, body))
            reply = await self._endpoint(judge).complete(body, admission)
            self.spending.book(judge, tokens_of(reply))
            return reply

        try:
            reply, known = await self._replies.get(reply_key(judge, body), ask)
        except JudgeFailure as failure:
            self.spending.accounts[judge.name].failed += 1
            self.verdicts[judge.name]["ERROR"] += 1
            self.failures[judge.name] = str(failure)
            return Vote(judge.name, "ERROR", "", str(failure), 0, 0, 0.0, False)
        self.spending.accounts[judge.name].known += known
        vote = _vote(judge, reply, known, self._reading)
        self.verdicts[judge.name][vote.verdict] += 1
        return vote

    def _endpoint(self, judge: Judge) -> Endpoint:
        if judge.name not in self._endpoints:
            self._endpoints[judge.name] = Endpoint(judge)
        return self._endpoints[judge.name]


def _vote(judge: Judge, reply: Reply, known: bool, reading: Reading) -> Vote:
    choice = reply["choices"][0]
    content = _writable(choice["message"].get("content") or "")
    truncated = choice.get("finish_reason") == "length"
    found = read_verdict(content, truncated=truncated, reading=reading)
    tokens = tokens_of(reply) or (0, 0)
    return Vote(judge.name, found.verdict, content, found.reason, *tokens, judge.cost(*tokens), cached=known)


def _writable(text: str) -> str:
    """The text with lone surrogates escaped, which JSON lets an endpoint send and no UTF-8 file takes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _close(pid: int, background: Background, endpoints: dict[str, Endpoint], replies: Replies) -> None:
    if pid != os.getpid():  # a forked copy: the thread and the connections are its parent's
        return

    async def close_all() -> None:
        for endpoint in endpoints.values():
            await endpoint.aclose()

    try:
        background.stop(close_all())
    finally:
        replies.close()
