"""The backend for endpoints: what is sent, what is retried and for how long, and what is kept of failures."""

from __future__ import annotations

import asyncio
import json
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends import make_backend, retrying
from scientific_math_critpt_env.runs.backends.endpoint import Refused
from scientific_math_critpt_env.runs.backends.redaction import without
from scientific_math_critpt_env.runs.backends.retrying import pause, retry_after
from scientific_math_critpt_env.runs.backends.tasks import Failure, Outcome, Reply
from scientific_math_critpt_env.runs.backends.thinking import separated
from scientific_math_critpt_env.runs.planning import make_plan
from tests.runs.endpoint import Endpoint, Trouble, reply_to, serving
from tests.runs.making import configuration


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, a hundred times shorter."""
    for kind, seconds in retrying.FIRST_SECONDS.items():
        monkeypatch.setitem(retrying.FIRST_SECONDS, kind, seconds / 100)


def _asked(
    folder: Path, trouble: Trouble, **changes: Any
) -> tuple[dict[tuple[str, int], Reply | Failure], Endpoint]:
    """The outcome of each task, and the endpoint."""
    with serving(trouble) as endpoint:
        plan = make_plan(configuration(folder, endpoint.url, **changes), "r")

        async def collect() -> list[Outcome]:
            backend = make_backend(plan.config)
            outcomes = [outcome async for outcome in backend.outcomes(plan.tasks())]
            await backend.aclose()
            return outcomes

        found = asyncio.run(collect())
    assert len(found) == plan.expected
    return {(task.problem_id, task.sample_idx): outcome for task, outcome in found}, endpoint


def _is(body: dict[str, Any], problem: str, seed: int) -> bool:
    return f"What is {problem}+" in body["messages"][-1]["content"] and body["seed"] == seed


def test_what_is_sent(tmp_path: Path) -> None:
    outcomes, endpoint = _asked(
        tmp_path,
        lambda body, times: None,
        decode__top_k=20,
        decode__min_p=0.05,
        decode__stop=["END"],
        decode__presence_penalty=0.5,
        decode__frequency_penalty=0.25,
        decode__repetition_penalty=1.1,
        model__extra_body={"chat_template_kwargs": {"enable_thinking": False}},
        model__max_tokens_field="max_completion_tokens",
    )
    body = next(body for body in endpoint.bodies if _is(body, "3", 6))
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Solve it.\nWhat is 3+3?"}],
        "temperature": 0.7,
        "top_p": 0.9,
        "top_k": 20,
        "min_p": 0.05,
        "stop": ["END"],
        "presence_penalty": 0.5,
        "frequency_penalty": 0.25,
        "repetition_penalty": 1.1,
        "seed": 6,
        "max_completion_tokens": 64,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    reply = outcomes["p3", 1]
    assert isinstance(reply, Reply)
    assert reply.request == body
    assert (reply.prompt_tokens, reply.output_tokens, reply.finish_reason) == (7, 11, "stop")
    assert all("Authorization" not in headers for headers in endpoint.headers)


def test_no_more_requests_at_a_time_than_configured(tmp_path: Path) -> None:
    with serving(latency=0.02) as endpoint:
        plan = make_plan(configuration(tmp_path, endpoint.url, model__concurrency=5), "r")

        async def collect() -> None:
            backend = make_backend(plan.config)
            async for _ in backend.outcomes(plan.tasks()):
                pass
            await backend.aclose()

        asyncio.run(collect())
        assert endpoint.most_at_once == 5


def _status(status: int, **headers: str) -> web.Response:
    return web.json_response({"error": {"message": f"told {status}"}}, status=status, headers=headers)


@pytest.mark.parametrize(
    ("response", "kind", "attempts"),
    [
        (lambda: _status(400), "request", 1),
        (lambda: _status(422), "request", 1),
        (lambda: _status(301), "request", 1),
        (lambda: _status(401), "auth", 1),
        (lambda: _status(403), "auth", 1),
        (lambda: _status(404), "not_found", 1),
        (lambda: web.json_response({"error": {"code": "insufficient_quota"}}, status=429), "auth", 1),
        (lambda: _status(429), "rate_limit", 3),
        (lambda: _status(408), "server", 3),
        (lambda: _status(500), "server", 3),
        (lambda: _status(529), "server", 3),
        (lambda: web.Response(text="<html>down</html>"), "reply", 3),
        (lambda: web.json_response({"choices": []}), "reply", 3),
        (lambda: web.json_response({"choices": [{"message": {"content": [1]}}]}), "reply", 3),
        (lambda: web.json_response([1]), "reply", 3),
        (lambda: web.Response(text="[" * 200_000), "reply", 3),
        (lambda: web.Response(text="[" * 200_000, status=500), "server", 3),
        (lambda: web.Response(text='{"error":' * 100_000, status=400), "request", 1),
        (lambda: _status(429, **{"Retry-After": "7200"}), "rate_limit", 1),
    ],
)
def test_a_failure_is_retried_by_its_kind_and_spoils_no_other_sample(
    response: Any, kind: str, attempts: int, tmp_path: Path
) -> None:
    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        return response() if _is(body, "2", 5) else None

    outcomes, _ = _asked(tmp_path, trouble, model__max_attempts=3)
    failure = outcomes.pop(("p2", 0))
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.attempts) == (kind, attempts)
    assert failure.message
    assert all(isinstance(outcome, Reply) for outcome in outcomes.values())


def test_what_passes_is_retried_until_it_has(tmp_path: Path) -> None:
    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        if times > 3:
            return None
        return [_status(503), _status(429, **{"Retry-After": "0.05"}), web.Response(text="{")][times - 1]

    outcomes, _ = _asked(tmp_path, trouble, decode__samples_per_problem=1)
    replies = [outcome for outcome in outcomes.values() if isinstance(outcome, Reply)]
    assert [reply.attempts for reply in replies] == [4] * 7


def test_broken_connections_and_slow_replies(tmp_path: Path) -> None:
    with serving() as endpoint:
        plan = make_plan(
            configuration(
                tmp_path,
                endpoint.url,
                decode__samples_per_problem=1,
                model__timeout_seconds=0.4,
                model__concurrency=1,
            ),
            "r",
        )
        endpoint.closing = True

        async def collect() -> list[Outcome]:
            backend = make_backend(plan.config)
            found = []
            async for outcome in backend.outcomes(plan.tasks()):
                found.append(outcome)
                endpoint.latency = 5.0 if len(found) == 6 else 0.0
                if len(found) == 6:
                    asyncio.get_running_loop().call_later(0.6, setattr, endpoint, "latency", 0.0)
            await backend.aclose()
            return found

        found = asyncio.run(collect())
    attempts = [outcome.attempts for _, outcome in found]
    assert all(isinstance(outcome, Reply) for _, outcome in found)
    assert attempts[0] == 2
    assert attempts[6] >= 2


def test_nobody_there(tmp_path: Path) -> None:
    with serving() as endpoint:
        url = endpoint.url
    plan = make_plan(configuration(tmp_path, url, model__max_attempts=2, decode__samples_per_problem=1), "r")

    async def collect() -> list[Outcome]:
        backend = make_backend(plan.config)
        found = [outcome async for outcome in backend.outcomes(plan.tasks())]
        await backend.aclose()
        return found

    kinds = {outcome.kind for _, outcome in asyncio.run(collect()) if isinstance(outcome, Failure)}
    assert kinds == {"connection"}


def test_how_long_is_waited() -> None:
    waits = [pause(Refused("server", ""), attempt) for attempt in range(1, 20)]
    first = retrying.FIRST_SECONDS["server"]
    for place, wait in enumerate(waits):
        assert wait is not None
        whole = min(retrying.MAX_SECONDS, first * 2**place)
        assert whole / 2 <= wait <= whole
    assert pause(Refused("auth", ""), 1) is None
    asked = pause(Refused("rate_limit", "", 429, "7"), 1)
    assert asked is not None
    assert 7 <= asked <= 8
    assert pause(Refused("rate_limit", "", 429, "1e9"), 1) is None


def test_retry_after_is_a_number_or_a_date() -> None:
    assert retry_after("2.5") == 2.5
    assert retry_after("-3") == 0.0
    in_a_minute = retry_after(formatdate(time.time() + 60, usegmt=True))
    assert in_a_minute is not None
    assert 50 < in_a_minute <= 60
    assert retry_after("soon") is None
    assert retry_after("nan") is None
    assert retry_after(None) is None


def test_a_key_that_is_not_set_or_no_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(configuration(tmp_path, "http://h/v1", model__api_key_variable="MADE_UP_KEY"), "r")
    monkeypatch.delenv("MADE_UP_KEY", raising=False)
    with pytest.raises(RunError, match="MADE_UP_KEY, which api_key_variable names, is not set"):
        make_backend(plan.config)
    monkeypatch.setenv("MADE_UP_KEY", "sk-\u00e9")
    with pytest.raises(RunError, match="no header can carry") as raised:
        make_backend(plan.config)
    assert "sk-" not in str(raised.value)


def test_replies_without_content(tmp_path: Path) -> None:
    """Reasoning that took all the tokens, a refusal, no usage: replies all the same."""

    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        reply = reply_to(body)
        message = reply["choices"][0]["message"]
        message["content"] = None
        if _is(body, "1", 5):
            message["reasoning_content"] = "so long"
            reply["choices"][0]["finish_reason"] = "length"
        else:
            message["refusal"] = "I must not."
            del reply["usage"]
        return web.json_response(reply)

    outcomes, _ = _asked(tmp_path, trouble, decode__samples_per_problem=1)
    thought, refused = outcomes["p1", 0], outcomes["p2", 0]
    assert isinstance(thought, Reply)
    assert isinstance(refused, Reply)
    assert (thought.text, thought.reasoning, thought.finish_reason) == ("", "so long", "length")
    assert (refused.text, refused.prompt_tokens, refused.output_tokens) == ("I must not.", None, None)


def test_what_is_no_count_or_no_word_is_left_out(tmp_path: Path) -> None:
    counts = ["9" * 4000, "-1", "1.5", "true", str(10**9), '"7"', "NaN"]

    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        number = int(body["messages"][-1]["content"].split("+")[-1][:-1])
        choice = '{"message": {"content": "a"}, "finish_reason": [[1]]}'
        usage = f'{{"prompt_tokens": {counts[number]}, "completion_tokens": 1}}'
        return web.Response(text=f'{{"id": {{}}, "choices": [{choice}], "usage": {usage}}}')

    outcomes, _ = _asked(tmp_path, trouble, decode__samples_per_problem=1)
    replies = [outcomes[f"p{number}", 0] for number in range(7)]
    assert [reply.prompt_tokens for reply in replies if isinstance(reply, Reply)] == [
        *[None] * 4,
        10**9,
        None,
        None,
    ]
    assert {
        (reply.output_tokens, reply.finish_reason, reply.response_id)
        for reply in replies
        if isinstance(reply, Reply)
    } == {(1, "unknown", "")}


@pytest.mark.parametrize("key", ["sk-Sesame/open+42==", "a\\b/c'd\"e", "\\\\slashes", "short"])
def test_a_key_is_taken_out_however_it_is_escaped(key: str) -> None:
    codes = "".join(f"\\u{ord(letter):04X}" for letter in key)
    spelt = [
        key,
        key.replace("/", "\\/"),
        json.dumps(key)[1:-1],
        codes,
        codes.lower(),
        json.dumps(codes)[1:-1],
    ]
    spelt += [json.dumps(json.dumps(key))[3:-3], repr([key.replace("/", "\\/")])[2:-2]]
    for text in spelt:
        cleaned = without(f"<{text}> twice <{text}>", key)
        assert cleaned == (f"<{text}> twice <{text}>" if key == "short" else "<[key]> twice <[key]>")
    assert without("\\" * 100_000 + "sk-Sesame", key).endswith("\\sk-Sesame")


@pytest.mark.parametrize(
    ("text", "reasoning", "expected"),
    [
        ("It is 4.", "", ("", "It is 4.", "none")),
        ("It is 4.", "two and two", ("two and two", "It is 4.", "separate")),
        ("<think>\nhm\n</think>\n\nIt is 4.", "", ("<think>\nhm\n</think>\n\n", "It is 4.", "closed")),
        ("hm\n</think>It is 4.", "", ("hm\n</think>", "It is 4.", "closed")),
        ("<think>\nhm", "", ("<think>\nhm", "", "unclosed")),
    ],
)
def test_reasoning_stands_apart(text: str, reasoning: str, expected: tuple[str, str, str]) -> None:
    assert separated(text, reasoning) == expected
