"""n attempts per task: novelty of the group and best of n, over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from pydantic import ValidationError
from scientific_math_attempts.env import AttemptsEnv, AttemptsEnvConfig
from verifiers.v1.episode import Episode

from scientific_math_critpt_env.demo.judges import Rule
from tests.environment.episodes import run_episodes, serving, solver
from tests.environment.test_extras import ROW
from tests.novelty.programs import TABLE

ID = "scientific-math-attempts"
WAYS = TABLE[3]["approaches"]
GROUP = [*WAYS["inclusion"], WAYS["library"][0], WAYS["recurrence"][0].replace("d[10]", "d[9]")]
"""Two of one approach, one of another, and a wrong one of a third."""


def _replies(codes: list[str]) -> list[str]:
    return [f"```python\n{code}```\n" for code in codes]


async def _episode(url: str, folder: Path, **settings: Any) -> Episode:
    rows = folder / "problems.jsonl"
    rows.write_text(json.dumps(ROW) + "\n")
    taskset = {"id": "scientific-math-critpt", "problems": str(rows)}
    (episode,) = await run_episodes(url, folder, {"id": ID, "taskset": taskset, **settings})
    return episode


def _by_code(episode: Episode, codes: list[str]) -> list[vf.Trace]:
    found = {trace.last_reply: trace for trace in episode.traces}
    return [found[reply.strip()] for reply in _replies(codes)]


def test_the_id_pairs_with_our_tasksets() -> None:
    config = vf.resolve_env_config({"id": ID, "taskset": {"id": "scientific-math-critpt"}})
    assert type(config) is AttemptsEnvConfig
    assert vf.environment_class("scientific-math-critpt", ID) is AttemptsEnv
    assert not issubclass(AttemptsEnv, vf.SingleAgentEnv)
    assert (config.attempts, config.max_concurrent_agents, config.novelty_weight) == (4, None, 0.0)
    assert isinstance(config.agent.runtime, vf.SubprocessConfig)
    with pytest.raises(ValidationError, match="slow grade into a reward of 0"):
        vf.resolve_env_config({"id": ID, "agent": {"timeout": {"scoring": 5}}})


async def test_measured_but_worth_nothing_by_default(tmp_path: Path) -> None:
    with serving(*solver(*_replies(GROUP))) as (url, _):
        episode = await _episode(url, tmp_path)
    assert episode.ok
    traces = _by_code(episode, GROUP)
    assert [trace.reward for trace in traces] == [1.0, 1.0, 1.0, 0.0]
    assert [trace.rewards["group_novelty"].score for trace in traces] == [0.5, 0.5, 1.0, 0.0]
    assert [trace.metrics["rarity"] for trace in traces] == [0.5, 0.5, 1.0, 0.0]
    assert {trace.metrics["approaches"] for trace in traces} == {2.0}
    assert {trace.metrics["pass_at_n"] for trace in traces} == {1.0}
    assert traces[3].info["group_novelty"]["reason"] == "it is not correct"
    assert [trace.info["verdict"]["status"] for trace in traces] == ["correct"] * 3 + ["incorrect"]


async def test_weighted_and_capped(tmp_path: Path) -> None:
    with serving(*solver(*_replies(GROUP))) as (url, _):
        weighted = await _episode(url, tmp_path, novelty_weight=0.2)
    assert [trace.reward for trace in _by_code(weighted, GROUP)] == [1.1, 1.1, 1.2, 0.0]
    with serving(*solver(*_replies(GROUP))) as (url, _):
        capped = await _episode(url, tmp_path / "..", novelty_weight=9.0, cap=0.3)
    assert [trace.reward for trace in _by_code(capped, GROUP)] == [1.3, 1.3, 1.3, 0.0]


async def test_best_of_n_is_the_same_for_all(tmp_path: Path) -> None:
    with serving(*solver(*_replies([GROUP[3], GROUP[0]]))) as (url, _):
        episode = await _episode(url, tmp_path, attempts=2, best_of_n_weight=0.25)
    assert sorted(trace.reward for trace in episode.traces) == [0.25, 1.25]
    assert sorted(trace.metrics["best"] for trace in episode.traces) == [0.0, 1.0]


async def test_attempts_are_made_at_the_same_time(tmp_path: Path) -> None:
    with serving(*solver(*_replies(GROUP), delay=0.6)) as (url, _):
        episode = await _episode(url, tmp_path)
    spans = [call.time for trace in episode.traces for call in trace.calls]
    assert max(span.start for span in spans) < min(span.end for span in spans)


async def test_an_attempt_that_failed_has_no_part_in_it(tmp_path: Path) -> None:
    rules = [*solver(*_replies(GROUP[1:3])), Rule(model="solver", status=401)]
    with serving(*rules) as (url, _):
        episode = await _episode(url, tmp_path, attempts=3, novelty_weight=0.2)
    assert not episode.ok
    sound = [trace for trace in episode.traces if trace.ok]
    assert [trace.reward for trace in sound] == [1.2, 1.2]
    (failed,) = (trace for trace in episode.traces if not trace.ok)
    assert "group_novelty" not in failed.rewards


async def test_the_code_that_is_graded_is_the_code_that_is_measured(tmp_path: Path) -> None:
    known, other = WAYS["inclusion"][1], WAYS["library"][1]
    replies = [f"```python\n{known}```\n", f"```python\n{known}```\n```python\n{other}```\n"]
    rules = [
        *solver("Final Answer: 1334961", "Final Answer: 1,334,961", lacks=("Final Answer: 1",)),
        Rule(model="solver", contains=("Final Answer: 1334961",), reply=replies[0]),
        Rule(model="solver", contains=("Final Answer: 1,334,961",), reply=replies[1]),
    ]
    rows = tmp_path / "problems.jsonl"
    rows.write_text(json.dumps(ROW) + "\n")
    taskset = {"id": "scientific-math-critpt", "problems": str(rows), "protocol": "two_turn"}
    settings = {"id": ID, "taskset": taskset, "attempts": 2, "max_concurrent_agents": 1}
    with serving(*rules) as (url, _):
        (episode,) = await run_episodes(url, tmp_path, settings)
    # In turn 2 the first block counts; both attempts give it, whatever stands in a second one.
    assert [trace.reward for trace in episode.traces] == [1.0, 1.0]
    assert [trace.metrics["approaches"] for trace in episode.traces] == [1.0, 1.0]


async def test_derivations_are_compared_where_the_code_states_a_value(tmp_path: Path) -> None:
    stated = "```python\ndef model_answer():\n    return 1334961\n```\n"
    said = ["By induction on the number of things.", "By inclusion-exclusion over the fixed ones."]
    for derivations, expected in ((False, [0.0, 0.0]), (True, [1.0, 1.0])):
        with serving(*solver(*(f"{text}\n\n{stated}" for text in said))) as (url, _):
            episode = await _episode(url, tmp_path, attempts=2, derivations=derivations)
        assert [trace.rewards["group_novelty"].score for trace in episode.traces] == expected
