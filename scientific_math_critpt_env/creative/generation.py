"""Asks a model for the samples of a data set, many at a time; the results are in the order of the places.

As in `evaluation`, what was answered is kept in a store and never asked again. A sample that could not be had
is "failed" and left out of the generation file; the same command asks for it again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from scientific_math_critpt_env.creative.dataset import CreativeProblem, Dataset
from scientific_math_critpt_env.creative.export import as_array
from scientific_math_critpt_env.creative.prompting import generation_messages
from scientific_math_critpt_env.creative.samples import SamplePlace, places
from scientific_math_critpt_env.creative.transitions import Cleaned, without_transitions
from scientific_math_critpt_env.judging import Judge, Question
from scientific_math_critpt_env.judging.endpoint import Endpoint, JudgeFailure, is_completion
from scientific_math_critpt_env.judging.replies import Replies, Reply
from scientific_math_critpt_env.judging.requesting import reply_key, request
from scientific_math_critpt_env.judging.spending import Spending, tokens_of
from scientific_math_critpt_env.prompting.reasoning import without_reasoning

State = Literal["written", "truncated", "empty", "failed"]


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote at a place."""

    place: SamplePlace
    state: State
    response: str
    """As exported: without reasoning and transitions."""
    raw: str
    """As it came."""
    removed: tuple[str, ...] = ()
    finish_reason: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    error: str = ""
    """Why it failed."""

    def row(self) -> dict[str, Any]:
        """As written to the record."""
        fields = asdict(self)
        return {**fields.pop("place"), **fields, "removed": list(self.removed)}


async def generate(
    dataset: Dataset,
    model: Judge,
    *,
    replies: Path,
    remove_transitions: bool = True,
    max_calls: int | None = None,
    each: Callable[[Written], None] = lambda written: None,
) -> list[Written]:
    """Every sample; `each` is called as they come, in any order.

    `model` is how it is asked, prices apart; `replies` the folder of the store. Raises `BudgetError` once
    `max_calls` new samples were had, after those under way were answered and kept.
    """
    store = Replies(replies, is_completion)
    try:
        endpoint = Endpoint(model)
        try:
            solver = _Solver(dataset, model, store, endpoint, max_calls)
            results = await asyncio.gather(
                *(solver.written(place, remove_transitions, each) for place in places(dataset.problems)),
                return_exceptions=True,
            )
        finally:
            await endpoint.aclose()
    finally:
        store.close()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if isinstance(result, Written)]


def exported(samples: list[Written]) -> str:
    """The text of CreativeMath's generation file: the samples that could be had."""
    return as_array(
        [
            {**asdict(sample.place), "response": sample.response}
            for sample in samples
            if sample.state != "failed"
        ]
    )


class _Solver:
    def __init__(
        self, dataset: Dataset, model: Judge, store: Replies, endpoint: Endpoint, max_calls: int | None
    ) -> None:
        self._problems, self._model, self._store, self._endpoint = dataset.problems, model, store, endpoint
        self._spending = Spending({model.name: model}, budget=None, max_calls=max_calls)

    async def written(
        self, place: SamplePlace, remove_transitions: bool, each: Callable[[Written], None]
    ) -> Written:
        """The sample at a place."""
        body = request(self._model, _question(self._problems[place.problem_id], place))

        async def ask() -> Reply:
            admission = self._store.admitting(self._spending.reserved(self._model, body))
            reply = await self._endpoint.complete(body, admission)
            self._spending.book(self._model, tokens_of(reply))
            return reply

        try:
            reply, _ = await self._store.get(_key(self._model, body, place), ask)
        except JudgeFailure as failure:
            sample = Written(place, "failed", "", "", error=str(failure))
        else:
            sample = _sample(place, reply, remove_transitions)
        each(sample)
        return sample


def _question(problem: CreativeProblem, place: SamplePlace) -> Question:
    return Question("generation", generation_messages(problem.problem, problem.solutions[: place.k]))


def _key(model: Judge, body: dict[str, Any], place: SamplePlace) -> str:
    """Of the request and its place: a problem that stands twice in the data is asked twice."""
    return hashlib.sha256(f"{reply_key(model, body)} {place.problem_id} {place.k}".encode()).hexdigest()


def _sample(place: SamplePlace, reply: Reply, remove_transitions: bool) -> Written:
    choice = reply["choices"][0]
    raw = choice["message"].get("content") or ""
    text = without_reasoning(raw)[0].strip()
    cleaned = without_transitions(text) if remove_transitions else Cleaned(text, ())
    finish_reason = str(choice.get("finish_reason") or "")
    state: State = "written" if cleaned.text else "empty"
    if finish_reason == "length":
        state = "truncated"
    tokens = tokens_of(reply) or (0, 0)
    return Written(place, state, cleaned.text, raw, cleaned.removed, finish_reason, *tokens)
