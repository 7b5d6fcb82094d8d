from __future__ import annotations

from typing import Any

import pytest

from scientific_math_critpt_env.demo.replies import Reply
from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.texts import first_turn, one_turn, second_turn, system_prompt
from tests.demo.cases import PROBLEMS

SOLVED, UNSOLVED = PROBLEMS[0], PROBLEMS[2]


def _ask(script: ProblemScript, *texts: str, n: int = 1, seed: int | None = None) -> list[Reply] | None:
    roles = ["user", "assistant"] * len(texts)
    messages: list[dict[str, Any]] = [{"role": "system", "content": system_prompt()}]
    messages += [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]
    return script.replies(messages, n=n, seed=seed)


def _one(script: ProblemScript, *texts: str, seed: int | None = None) -> Reply:
    replies = _ask(script, *texts, seed=seed)
    assert replies is not None
    return replies[0]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
def test_every_problem_is_recognised(problem: Problem) -> None:
    script = ProblemScript(PROBLEMS)
    for text in (one_turn(problem), first_turn(problem), f"Answer in English.\n\n{one_turn(problem)}"):
        assert f"to problem {problem.id}: no model ran" in _one(script, text).content


def test_what_is_not_ours_is_not_answered() -> None:
    script = ProblemScript(PROBLEMS[10:])
    assert _ask(script, "How are you?") is None
    assert script.replies([{"role": "system", "content": "p26"}], n=1, seed=None) is None
    assert script.replies([{"role": "user", "content": None}], n=1, seed=None) is None


def test_content_may_come_in_parts() -> None:
    parts = [{"type": "text", "text": one_turn(SOLVED)}]
    replies = ProblemScript(PROBLEMS).replies([{"role": "user", "content": parts}], n=1, seed=None)
    assert replies is not None


def test_turn_one_has_no_code_and_turn_two_nothing_else() -> None:
    script = ProblemScript(PROBLEMS)
    first = _one(script, first_turn(SOLVED))
    assert "```" not in first.content
    assert "Final Answer:" in first.content
    second = _one(script, first_turn(SOLVED), first.content, second_turn(SOLVED))
    assert second.content.startswith("```python\n")
    assert second.content.count("```") == 2


def test_turn_two_keeps_the_choice_of_turn_one() -> None:
    script = ProblemScript(PROBLEMS)
    firsts = [_one(script, first_turn(UNSOLVED)).content for _ in range(3)]
    seconds = [_one(script, first_turn(UNSOLVED), said, second_turn(UNSOLVED)).content for said in firsts]
    again = [
        _one(ProblemScript(PROBLEMS), first_turn(UNSOLVED), said, second_turn(UNSOLVED)).content
        for said in firsts
    ]
    assert len(set(seconds)) == 3
    assert seconds == again


def test_calls_without_a_seed_differ_and_calls_with_one_do_not() -> None:
    script = ProblemScript(PROBLEMS)
    counted = [_one(script, one_turn(UNSOLVED)).content for _ in range(3)]
    assert len(set(counted)) == 3
    seeded = _ask(script, one_turn(UNSOLVED), n=3, seed=0)
    assert seeded == _ask(ProblemScript(PROBLEMS), one_turn(UNSOLVED), n=3, seed=0)
    assert seeded is not None
    assert [reply.content for reply in seeded] == counted


def test_only_the_truncated_reply_ends_for_its_length() -> None:
    replies = _ask(ProblemScript(PROBLEMS), one_turn(UNSOLVED), n=6, seed=0)
    assert replies is not None
    assert [reply.finish_reason for reply in replies].count("length") == 1
    cut = next(reply for reply in replies if reply.finish_reason == "length")
    assert cut.content.endswith("):\n    ")
