"""The signatures of verl and OpenRLHF, and OpenRLHF's protocol over HTTP. Their loaders: test_trainers.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from scientific_math_critpt_env.errors import InfrastructureError, ProblemError
from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.prompting.texts import one_turn
from scientific_math_critpt_env.training import openrlhf, verl
from scientific_math_critpt_env.training.datasets import row_text
from scientific_math_critpt_env.training.openrlhf_server import application
from tests.training.answers import BROKEN, NO_CODE, PROBLEM, RIGHT, WRONG

ROW = row_text(PROBLEM)
PROMPT = f"<|im_start|>user\n{one_turn(PROBLEM)}<|im_end|>\n<|im_start|>assistant\n"


def test_verl_scores() -> None:
    assert verl.compute_score("scientific-math-critpt", RIGHT, ROW, {"index": 0}) == {
        "score": 1.0,
        "acc": 1.0,
        "partial": 1.0,
        "undecided": 0.0,
        "status": "correct",
    }
    wrong = verl.compute_score(data_source="s", solution_str=WRONG, ground_truth=ROW, extra_info=None)
    assert (wrong["score"], wrong["status"]) == (0.0, "incorrect")
    elsewhere = verl.compute_score("s", RIGHT, "pi r^2", {"problem": ROW}, reward_router_address="x")
    assert elsewhere["score"] == 1.0


def test_verl_calls_from_many_threads() -> None:
    answers = [RIGHT, WRONG, NO_CODE] * 4
    with ThreadPoolExecutor(max_workers=6) as threads:
        scores = list(threads.map(lambda answer: verl.compute_score("s", answer, ROW)["score"], answers))
    assert scores == [1.0, 0.0, 0.0] * 4


async def test_verl_asynchronous() -> None:
    both = [verl.acompute_score("s", answer, ROW) for answer in (RIGHT, NO_CODE)]
    assert [found["status"] for found in await asyncio.gather(*both)] == ["correct", "no_answer"]


def test_verl_gets_no_score_for_a_defective_gold() -> None:
    with pytest.raises(ProblemError, match="broken"):
        verl.compute_score("s", RIGHT, row_text(BROKEN))


@pytest.mark.parametrize(
    "end", ["", "<|im_end|>", "</s>", "<eos><pad><pad>", "\n<|eot_id|>\n", "<｜end▁of▁sentence｜>"]
)
def test_openrlhf_queries_lose_their_prompt_and_special_tokens(end: str) -> None:
    assert openrlhf.reply_of(PROMPT + RIGHT + end, PROMPT) == RIGHT
    assert openrlhf.reply_of(PROMPT[500:] + RIGHT + end, PROMPT).strip() == RIGHT  # cut from the left
    assert openrlhf.reply_of(f"  {PROMPT}{RIGHT}{end}", PROMPT).strip() == RIGHT


def test_the_template_in_an_openrlhf_prompt_is_no_answer() -> None:
    filled = PROMPT.replace("Your answer", RIGHT)
    assert asyncio.run(openrlhf.verdicts([filled + NO_CODE], [filled], [ROW]))[0].status == "no_answer"


@asynccontextmanager
async def _serving() -> AsyncIterator[str]:
    runner = web.AppRunner(application())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/get_reward"
    finally:
        await runner.cleanup()


async def _post(url: str, body: Any) -> tuple[int, dict[str, Any]]:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status, await response.json()


async def test_openrlhf_over_http() -> None:
    queries = [PROMPT + RIGHT + "<|im_end|>", PROMPT + WRONG, PROMPT + NO_CODE]
    body = {"query": queries, "prompts": [PROMPT] * 3, "labels": [ROW] * 3}
    async with _serving() as url:
        status, reply = await _post(url, body)
        assert (status, reply["rewards"], reply["scores"]) == (200, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
        assert reply["extra_logs"]["no_answer"] == [0.0, 0.0, 1.0]
        status, reply = await _post(url, {"query": queries, "prompts": [PROMPT] * 3})
        assert (status, "labels" in reply["error"]) == (400, True)
        status, reply = await _post(url, {**body, "labels": [row_text(BROKEN)] * 3})
        assert (status, "broken" in reply["error"]) == (400, True)


async def test_openrlhf_over_http_where_the_grader_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise InfrastructureError("no fork to be had")

    monkeypatch.setattr(Grader, "agrade", fails)
    async with _serving() as url:
        status, reply = await _post(url, {"query": [RIGHT], "prompts": [""], "labels": [ROW]})
    assert (status, reply) == (503, {"error": "no fork to be had"})
