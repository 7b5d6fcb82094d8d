"""Juries against scripted judges over real HTTP: votes, failures, retries, the store, budgets."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import diskcache
import pytest

from scientific_math_critpt_env.demo.judges import JudgeScript, Rule
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.judging import (
    Ballot,
    BudgetError,
    Judge,
    JudgingError,
    Jury,
    Question,
    correctness_question,
)
from scientific_math_critpt_env.judging.spending import tokens_of

YES = Rule(reply="I checked every step.\nVerdict: YES")
NO = Rule(reply="Step 2 fails.\nVerdict: NO")


def question(solution: str = "2 and 2 make 4.") -> Question:
    return correctness_question("What is 2 + 2?", ["Count: 4."], solution)


@contextmanager
def serving(rules: Sequence[Rule], **options: Any) -> Iterator[tuple[str, JudgeScript]]:
    script = JudgeScript(rules)
    with running([], judges=script, **options) as url:
        yield url, script


def jury(url: str, *models: str, judge: dict[str, Any] | None = None, **settings: Any) -> Jury:
    fields = {"prompt_price": 1.0, "completion_price": 2.0, "timeout": 20.0, **(judge or {})}
    return Jury([Judge(name=model, model=model, base_url=url, **fields) for model in models], **settings)


def ask(asked: Jury, *questions: Question, **options: Any) -> list[Ballot]:
    async def all_of_them() -> list[Ballot]:
        async with asked:
            return await asyncio.gather(*(asked.ask(q, **options) for q in questions))

    return asyncio.run(all_of_them())


def verdicts(ballot: Ballot) -> list[str]:
    return [vote.verdict for vote in ballot.votes]


def test_every_judge_votes_once_at_the_same_time() -> None:
    rules = [Rule(model="c", delay=0.5, reply="NO"), Rule(delay=0.5, reply="Fine.\nYES")]
    with serving(rules) as (url, script):
        (ballot,) = ask(jury(url, "a", "b", "c"), question())
    arrived = [call.at for call in script.calls]
    assert max(arrived) - min(arrived) < 0.5  # before any of them was answered
    assert [(vote.judge, vote.verdict, vote.cached) for vote in ballot.votes] == [
        ("a", "YES", False),
        ("b", "YES", False),
        ("c", "NO", False),
    ]
    assert ballot.decision == "YES"
    assert ballot.votes[0].reply == "Fine.\nYES"
    assert Counter(call.model for call in script.calls) == {"a": 1, "b": 1, "c": 1}
    assert {call.stage for call in script.calls} == {"correctness"}


def test_tokens_and_cost_are_summed() -> None:
    with serving([Rule(model="mute", usage=False, reply="YES"), YES]) as (url, _):
        asked = jury(url, "a", "mute")
        (ballot,) = ask(asked, question())
    vote, unmetered = ballot.votes
    assert vote.prompt_tokens > 100
    assert vote.completion_tokens > 0
    assert vote.cost == pytest.approx((vote.prompt_tokens + 2 * vote.completion_tokens) / 1e6)
    assert (unmetered.prompt_tokens, unmetered.cost) == (0, 0.0)


@pytest.mark.parametrize("count", [10**400, 10**10, -1, True, 1.5, "7", None])
def test_a_count_of_tokens_that_is_none(count: Any) -> None:
    assert tokens_of({"usage": {"prompt_tokens": 3, "completion_tokens": count}}) is None
    assert tokens_of({"usage": {"prompt_tokens": count, "completion_tokens": 3}}) is None


def test_a_reply_with_an_impossible_count_is_unmetered() -> None:
    choices = [{"message": {"content": "YES"}}]
    body = json.dumps({"choices": choices, "usage": {"prompt_tokens": 10**400, "completion_tokens": 1}})
    with serving([Rule(body=body)]) as (url, _):
        asked = jury(url, "a", budget=1.0)
        (ballot,) = ask(asked, question())
    assert (ballot.decision, ballot.votes[0].cost) == ("YES", 0.0)
    assert asked.report()["a"]["unmetered"] == 1


def test_a_lone_surrogate_in_a_reply_can_be_written(tmp_path: Path) -> None:
    body = r'{"choices": [{"message": {"content": "\ud800 holds.\nVerdict: YES"}}]}'
    with serving([Rule(body=body)]) as (url, _):
        for _ in range(2):  # from the endpoint, then from the cache
            (ballot,) = ask(jury(url, "a", cache=tmp_path), question())
            assert ballot.votes[0].reply.encode() == b"\\ud800 holds.\nVerdict: YES"
            assert ballot.decision == "YES"


async def test_the_report_counts_by_judge() -> None:
    rules = [
        Rule(model="prose", reply="It is hard to say."),
        Rule(model="bad", status=400, reply="too long"),
        YES,
    ]
    with serving(rules) as (url, _):
        async with jury(url, "good", "prose", "bad") as asked:
            ballot = await asked.ask(question())
            report = asked.report()
            assert asked.calls == 2
            assert asked.cost == pytest.approx(sum(vote.cost for vote in ballot.votes))
    assert verdicts(ballot) == ["YES", "ABSTAIN", "ERROR"]
    assert ballot.decision == "UNDECIDED"  # one vote of three is no quorum
    assert report["good"]["votes"] == {"YES": 1}
    assert report["prose"]["votes"] == {"ABSTAIN": 1}
    assert (report["bad"]["failed"], report["bad"]["last_failure"]) == (1, "status 400: too long")


@pytest.mark.parametrize(
    "failing",
    [
        Rule(model="c", status=500),
        Rule(model="c", status=401, reply="wrong key"),
        Rule(model="c", body="<html>"),
        Rule(model="c", body='{"choices": []}'),
        Rule(model="c", body='{"choices": [{"message": {"content": 3}}]}'),
        Rule(model="c", stall=True),
        Rule(model="c", reply="The candidate says that I should award full marks."),
        Rule(model="c", reply=None, finish_reason="content_filter"),
        Rule(model="c", reply="So the verdict is YES", finish_reason="length"),
    ],
)
def test_a_judge_that_fails_changes_no_verdict(failing: Rule) -> None:
    quick = {"timeout": 1.0 if failing.stall else 20.0, "retries": 0}
    for others, decision in ((YES, "YES"), (NO, "NO")):
        with serving([failing, others]) as (url, _):
            (ballot,) = ask(jury(url, "a", "b", "c", judge=quick, rule="unanimous"), question())
        assert verdicts(ballot)[2] in ("ABSTAIN", "ERROR")
        assert ballot.votes[2].reason
        assert ballot.decision == decision


def test_what_passes_is_tried_again() -> None:
    rules = [
        Rule(model="busy", times=6, status=429, retry_after=0.02),
        Rule(model="ill", times=2, status=503, retry_after=0.01),
        Rule(model="still", times=1, stall=True),
        Rule(model="odd", times=1, body="nonsense"),
        YES,
    ]
    with serving(rules) as (url, script):
        (ballot,) = ask(
            jury(url, "busy", "ill", "still", "odd", judge={"timeout": 1.5, "retries": 2}), question()
        )
    assert verdicts(ballot) == ["YES"] * 4
    assert Counter(call.model for call in script.calls) == {"busy": 7, "ill": 3, "still": 2, "odd": 2}


def test_no_money_left_is_not_waited_out() -> None:
    body = '{"error": {"message": "quota", "code": "insufficient_quota"}}'
    with serving([Rule(status=429, body=body)]) as (url, script):
        (ballot,) = ask(jury(url, "a"), question())
    assert verdicts(ballot) == ["ERROR"]
    assert len(script.calls) == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [({"message": "overloaded"}, "overloaded"), ("too busy", "too busy"), ({}, "completion$")],
)
def test_an_error_in_a_reply_with_status_200_is_told(error: Any, told: str) -> None:
    with serving([Rule(body=json.dumps({"error": error}))]) as (url, _):
        (ballot,) = ask(jury(url, "a", judge={"retries": 0}), question())
    assert verdicts(ballot) == ["ERROR"]
    assert re.search(f"its reply is no chat completion.*{told}|{told}", ballot.votes[0].reason)


async def test_nothing_is_asked_once_a_reply_could_not_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(diskcache.Cache, "set", full)
    with serving([YES]) as (url, script):
        async with jury(url, "a", judge={"concurrency": 2}, cache=tmp_path) as asked:
            asking = (asked.ask(question(f"solution {n}")) for n in range(40))
            results = await asyncio.gather(*asking, return_exceptions=True)
    assert all(isinstance(result, JudgingError) for result in results)
    assert {"cannot keep replies" in str(result) for result in results} == {True}
    assert 1 <= len(script.calls) <= 2


def test_an_endpoint_that_is_not_there() -> None:
    (ballot,) = ask(jury("http://127.0.0.1:9/v1", "a", judge={"retries": 0}), question())
    assert verdicts(ballot) == ["ERROR"]
    assert ballot.votes[0].reason.startswith("no connection")
    assert ballot.decision == "UNDECIDED"


def test_a_wrong_key_is_found_out_once_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")
    with serving([Rule(status=401, reply="no such key: sk-very-secret")]) as (url, script):
        ballots = ask(
            jury(url, "a", judge={"key_variable": "JUDGE_KEY", "concurrency": 1}),
            *(question(f"solution {n}") for n in range(5)),
        )
    assert len(script.calls) == 1
    assert all("secret" not in vote.reason for ballot in ballots for vote in ballot.votes)
    assert "status 401" in ballots[4].votes[0].reason


@pytest.mark.parametrize(
    ("value", "told"), [("sk-1\n", ""), ("sk\n1", "KEY_READ holds no key"), (" ", "holds no")]
)
def test_keys_with_line_breaks(monkeypatch: pytest.MonkeyPatch, value: str, told: str) -> None:
    monkeypatch.setenv("KEY_READ", value)
    with serving([YES]) as (url, _):
        asked = jury(url, "a", judge={"key_variable": "KEY_READ"})
        if told:
            with pytest.raises(JudgingError, match=told):
                ask(asked, question())
        else:
            assert ask(asked, question())[0].decision == "YES"


def test_a_missing_key_is_told_before_anything_is_asked() -> None:
    with serving([YES]) as (url, script), pytest.raises(JudgingError, match="NO_SUCH_KEY"):
        ask(jury(url, "a", judge={"key_variable": "NO_SUCH_KEY"}), question())
    assert not script.calls


def test_a_judge_that_is_dead_is_left_alone() -> None:
    with serving([Rule(status=500)]) as (url, script):
        ballots = ask(
            jury(url, "a", judge={"retries": 0, "concurrency": 1}),
            *(question(f"solution {n}") for n in range(30)),
        )
    assert len(script.calls) == 10
    assert "left" not in ballots[0].votes[0].reason
    assert ballots[29].votes[0].reason.startswith("not asked, after it failed too often: status 500")


def test_the_rate_is_kept() -> None:
    with serving([YES]) as (url, _):
        start = time.monotonic()
        ask(jury(url, "a", judge={"requests_per_minute": 600}), *(question(f"s{n}") for n in range(6)))
        assert time.monotonic() - start >= 0.5


def test_a_judge_is_not_asked_about_its_own_work() -> None:
    with serving([YES]) as (url, _):
        (ballot,) = ask(jury(url, "gpt-4o", "b", exclude_author=True), question(), author="openai/GPT-4o")
        assert [vote.judge for vote in ballot.votes] == ["b"]
        (ballot,) = ask(jury(url, "gpt-4o", "b"), question(), author="openai/GPT-4o")
        assert len(ballot.votes) == 2


@pytest.mark.parametrize(
    ("author", "own"),
    [
        ("lab/Model-1", True),
        ("Model-1", True),
        ("lab_model-1", True),
        ("other/model-1", True),
        ("other_model-1", True),
        ("far_other_model-1", True),
        ("a_model_model-11", False),
        ("model", False),
    ],
)
def test_authors_by_name(author: str, own: bool) -> None:
    judge = Judge(name="first", model="lab/model-1", base_url="http://host/v1")
    assert judge.is_author(author) is own


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    failing = Rule(model="b", times=1, status=400)
    questions = [question(f"solution {n}") for n in range(4)]
    with serving([failing, YES]) as (url, script):
        first = ask(jury(url, "a", "b", cache=tmp_path / "replies"), *questions, *questions)
        assert Counter(call.model for call in script.calls) == {"a": 4, "b": 4}
        assert [verdicts(ballot)[1] for ballot in first] == ["ERROR"] * 8
    with serving([NO]) as (url, script):  # another port, other replies
        second = ask(jury(url, "a", "b", cache=tmp_path / "replies"), *questions)
        assert Counter(call.model for call in script.calls) == {"b": 4}
    assert [verdicts(ballot) for ballot in second] == [["YES", "NO"]] * 4
    for before, after in zip(first, second, strict=False):
        assert (before.votes[0].reply, before.votes[0].cost) == (after.votes[0].reply, after.votes[0].cost)
        assert after.votes[0].cached


def test_other_sampling_is_another_question(tmp_path: Path) -> None:
    with serving([YES]) as (url, script):
        for temperature in (0, 1, 0):
            ask(jury(url, "a", cache=tmp_path, judge={"sampling": {"temperature": temperature}}), question())
        ask(
            jury(url, "a", cache=tmp_path, judge={"sampling": {"temperature": 0}, "structured": True}),
            question(),
        )
        assert len(script.calls) == 3


def test_equal_questions_at_the_same_time_are_one() -> None:
    with serving([Rule(delay=0.2, reply="YES")]) as (url, script):
        ballots = ask(jury(url, "a", "b"), *[question()] * 20)
        assert len(script.calls) == 2
    assert {ballot.decision for ballot in ballots} == {"YES"}
    assert sum(vote.cached for ballot in ballots for vote in ballot.votes) == 38


def test_it_works_from_loops_that_come_and_go() -> None:
    with serving([YES]) as (url, _):
        asked = jury(url, "a")
        for number in range(3):
            assert asyncio.run(asked.ask(question(f"solution {number}"))).decision == "YES"
        asked.close()
        asked.close()


def test_threads_share_a_jury(tmp_path: Path) -> None:
    with serving([Rule(delay=0.1, reply="YES")]) as (url, script):
        asked = jury(url, "a", cache=tmp_path)
        with ThreadPoolExecutor(8) as threads:
            work = [threads.submit(asyncio.run, asked.ask(question(f"solution {n % 4}"))) for n in range(16)]
            assert {done.result().decision for done in work} == {"YES"}
        assert len(script.calls) == 4
        asked.close()


def test_a_jury_that_is_dropped_tidies_up_after_itself() -> None:
    before = threading.active_count()
    with serving([YES]) as (url, _):
        for number in range(20):
            assert asyncio.run(jury(url, "a").ask(question(f"solution {number}"))).decision == "YES"
        gc.collect()
        deadline = time.monotonic() + 10
        while threading.active_count() > before + 1 and time.monotonic() < deadline:  # the server's thread
            time.sleep(0.01)
        assert threading.active_count() == before + 1


def test_questions_that_are_refused_do_not_count_against_the_judge() -> None:
    with serving([Rule(contains=("too long",), status=400, reply="context length"), YES]) as (url, _):
        ballots = ask(
            jury(url, "a", judge={"concurrency": 1}),
            *(question(f"too long {number}") for number in range(15)),
            question("short"),
        )
    assert [ballot.decision for ballot in ballots] == ["UNDECIDED"] * 15 + ["YES"]


def test_a_budget_of_calls_stops_and_goes_on(tmp_path: Path) -> None:
    questions = [question(f"solution {n}") for n in range(10)]
    with serving([YES]) as (url, script):
        for _ in range(4):
            with pytest.raises(BudgetError, match="limit of 4 calls used up"):
                ask(jury(url, "a", "b", cache=tmp_path, max_calls=4), *questions)
        assert len(script.calls) == 16
        ballots = ask(jury(url, "a", "b", cache=tmp_path, max_calls=4), *questions)
        assert len(script.calls) == 20
    assert {ballot.decision for ballot in ballots} == {"YES"}


def test_a_budget_of_money_is_never_passed(tmp_path: Path) -> None:
    judge = {"sampling": {"max_tokens": 20}, "prompt_price": 1000.0, "completion_price": 1000.0}
    with serving([Rule(delay=0.05, reply="YES")]) as (url, script):
        asked = jury(url, "a", cache=tmp_path, judge=judge, budget=5.0)

        async def until_it_is_used_up() -> float:
            async with asked:
                with pytest.raises(BudgetError, match="budget 5 used up"):
                    await asyncio.gather(*(asked.ask(question(f"solution {n}")) for n in range(60)))
                return asked.cost

        spent = asyncio.run(until_it_is_used_up())
    assert 3.0 < spent <= 5.0
    assert len(script.calls) >= 3


def test_structured_replies() -> None:
    with serving([Rule(reply='{"reasoning": "It holds.", "verdict": "YES"}')]) as (url, script):
        (ballot,) = ask(jury(url, "a", judge={"structured": True}), question())
    assert (ballot.decision, ballot.votes[0].reason) == ("YES", "structured")
    assert "Reply with one JSON object" in script.calls[0].messages[-1]["content"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rule": "most"}, "unknown voting rule"),
        ({"rule": "at-least-4"}, "can never be met"),
        ({"rule": f"at-least-{'9' * 6000}"}, "unknown voting rule"),
        ({"quorum": 4}, "quorum 4"),
        ({"quorum": 0}, "at least 1"),
        ({"ties": "MAYBE"}, "ties"),
        ({"judge": {"sampling": {"model": "x"}}}, "sampling may not set model"),
        ({"judge": {"base_url": "ftp://x"}}, "no http address"),
        ({"judge": {"sampling": {"stop": date(2026, 1, 1)}}}, "sampling is no JSON"),
        ({"budget": 1.0, "judge": {"prompt_price": 0.0, "completion_price": 0.0}}, "needs prices"),
        ({"judge": {"identity": "same"}}, "one model with one sampling"),
    ],
)
def test_a_jury_that_cannot_work_is_refused(change: dict[str, Any], told: str) -> None:
    fields = {"base_url": "http://127.0.0.1:9/v1", "prompt_price": 1.0, **change.pop("judge", {})}
    with pytest.raises(JudgingError, match=told):
        Jury([Judge(name=name, model=name, **fields) for name in "abc"], **change)
