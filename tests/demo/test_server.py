"""The endpoint as OpenAI's own client sees it, on a real port."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.demo.wire import FINGERPRINT, MODEL
from scientific_math_critpt_env.prompting.texts import one_turn
from tests.demo.cases import PROBLEMS

QUESTION: list[Any] = [{"role": "user", "content": one_turn(PROBLEMS[2])}]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running([ProblemScript(PROBLEMS)]) as base_url:
        yield base_url


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=url, api_key="any", max_retries=0) as made:
        yield made


def test_models_say_that_there_is_none(client: openai.OpenAI, url: str) -> None:
    (model,) = client.models.list().data
    assert model.id == MODEL
    assert "no model runs" in model.owned_by
    assert httpx.get(f"{url}/models").json()["scripted"] is True


def test_a_completion_names_the_script_whatever_was_asked_for(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="some-model", messages=QUESTION)
    assert (reply.model, reply.system_fingerprint) == (MODEL, FINGERPRINT)
    assert reply.usage is not None
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
    assert reply.usage.completion_tokens > 0


def test_n_and_seed(client: openai.OpenAI) -> None:
    replies = [client.chat.completions.create(model="m", messages=QUESTION, n=6, seed=0) for _ in range(2)]
    texts = [[choice.message.content for choice in reply.choices] for reply in replies]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 6
    assert [choice.index for choice in replies[0].choices] == list(range(6))


def test_a_stream_says_the_same(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="m", messages=QUESTION, n=2, seed=4)
    stream = client.chat.completions.create(
        model="m", messages=QUESTION, n=2, seed=4, stream=True, stream_options={"include_usage": True}
    )
    texts, ends, usage = ["", ""], ["", ""], None
    for chunk in stream:
        assert chunk.model == MODEL
        usage = chunk.usage or usage
        for choice in chunk.choices:
            texts[choice.index] += choice.delta.content or ""
            ends[choice.index] = choice.finish_reason or ends[choice.index]
    assert texts == [choice.message.content for choice in whole.choices]
    assert ends == [choice.finish_reason for choice in whole.choices]
    assert usage == whole.usage


def test_max_tokens_ends_a_reply(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="m", messages=QUESTION, max_completion_tokens=3)
    assert reply.choices[0].finish_reason == "length"
    assert len(reply.choices[0].message.content or "") == 12
    assert reply.usage is not None
    assert reply.usage.completion_tokens == 3


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", ""),
        (b"[]", "JSON object"),
        (b'{"messages": []}', "messages"),
        (b'{"messages": [1]}', "messages"),
        (b'{"messages": [{"role": "user", "content": "hello"}]}', "scripted"),
        (b'{"messages": [{"role": "user", "content": "p1"}], "n": 0}', "n must be at least 1"),
        (b'{"messages": [{"role": "user", "content": "p1"}], "n": 1000}', "n must be at most"),
        (b'{"messages": [{"role": "user", "content": "p1"}], "seed": "x"}', "seed must be an integer"),
    ],
)
def test_what_it_does_not_understand_it_refuses(url: str, body: bytes, said: str) -> None:
    reply = httpx.post(f"{url}/chat/completions", content=body)
    assert reply.status_code == 400
    assert said in reply.json()["error"]["message"]


def test_latency_delays_and_two_servers_stand_side_by_side(url: str) -> None:
    with running([ProblemScript(PROBLEMS)], latency=0.2) as slow:
        assert slow != url
        reply = httpx.post(f"{slow}/chat/completions", json={"messages": QUESTION})
        assert reply.elapsed.total_seconds() >= 0.2
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{slow}/models")
