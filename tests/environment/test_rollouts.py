"""Single rollouts through verifiers' own runner, in this process, against a real local server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.trace import Trace

from scientific_math_critpt_env.demo.programs import completion
from scientific_math_critpt_env.demo.replies import Reply
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.texts import first_turn, one_turn, second_turn, system_prompt
from tests.critpt_example import load_critpt_problem
from tests.environment.endpoints import Endpoint
from tests.environment.traces import read_traces

PROBLEM = Problem(
    id="area",
    topic="geometry",
    prompt="What is the area of a circle of radius $r$?",
    answer_fn="pi*r**2",
    symbols={"r": {"positive": True}},
)


def _code(expression: str) -> str:
    return (
        "```python\nimport sympy as sp\n\nr = sp.Symbol('r', positive=True)\n\n\n"
        f"def model_answer():\n    return {expression}\n```\n"
    )


RIGHT, WRONG = _code("sp.pi*r*r"), _code("2*sp.pi*r")


async def _rollout(
    endpoint: Endpoint, folder: Path, problem: Problem = PROBLEM, **settings: dict[str, Any]
) -> Trace:
    """One rollout of the problem; `settings` are the parts of an eval configuration."""
    rows = folder / "problems.jsonl"
    rows.write_text(problem.model_dump_json(exclude_defaults=True) + "\n")
    environment = {"taskset": {}, **settings.pop("env", {})}
    environment["taskset"] = {
        "id": "scientific-math-critpt",
        "problems": str(rows),
        **environment["taskset"],
    }
    async with endpoint.serving() as url:
        config = EvalConfig.model_validate(
            {
                "env": environment,
                "model": "some-model",
                "client": {"base_url": url, "api_key_var": "NO_KEY"},
                "push": False,
                "rich": None,
                "output_dir": folder,
                **settings,
            }
        )
        (episode,) = await run_eval(config)
    (trace,) = episode.traces
    return trace


def _said(endpoint: Endpoint, request: int) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in endpoint.requests[request]["messages"]]


async def test_one_turn(tmp_path: Path) -> None:
    endpoint = Endpoint(Reply(f"It is pi r^2.\n\n{RIGHT}"))
    trace = await _rollout(endpoint, tmp_path)
    assert _said(endpoint, 0) == [("system", system_prompt()), ("user", one_turn(PROBLEM))]
    assert (trace.ok, trace.reward, trace.task.key) == (True, 1.0, "area")
    assert set(trace.metrics) == {
        *("has_code", "code_ran", "partial_credit", "undecided", "truncated", "answer_seconds")
    }
    assert trace.info["verdict"]["status"] == "correct"
    assert trace.info["verdict"]["grader"] == "scientific-v1"


async def test_the_last_block_counts_in_one_turn(tmp_path: Path) -> None:
    trace = await _rollout(Endpoint(Reply(RIGHT + WRONG)), tmp_path)
    assert (trace.reward, trace.info["verdict"]["status"]) == (0.0, "incorrect")


TWO_TURN = {"taskset": {"protocol": "two_turn"}}


async def test_two_turns_keep_the_conversation(tmp_path: Path) -> None:
    first = Reply("Final Answer: pi r^2", reasoning="circles")
    endpoint = Endpoint(first, Reply(RIGHT))
    trace = await _rollout(endpoint, tmp_path, env=TWO_TURN)
    opening = [("system", system_prompt()), ("user", first_turn(PROBLEM))]
    assert _said(endpoint, 0) == opening
    assert _said(endpoint, 1) == [*opening, ("assistant", first.content), ("user", second_turn(PROBLEM))]
    assert trace.num_branches == 1
    assert (trace.num_turns, trace.reward) == (2, 1.0)


async def test_turn_two_alone_is_graded_and_its_first_block_counts(tmp_path: Path) -> None:
    ignored = await _rollout(Endpoint(Reply(RIGHT), Reply(WRONG)), tmp_path, env=TWO_TURN)
    assert ignored.info["verdict"]["status"] == "incorrect"
    first = await _rollout(Endpoint(Reply(WRONG), Reply(RIGHT + WRONG)), tmp_path, env=TWO_TURN)
    assert first.info["verdict"]["status"] == "correct"


async def test_a_rollout_that_ends_after_turn_one_has_no_answer(tmp_path: Path) -> None:
    trace = await _rollout(
        Endpoint(Reply(RIGHT), Reply(RIGHT)), tmp_path, env={**TWO_TURN, "agent": {"max_turns": 1}}
    )
    assert (trace.ok, trace.reward, trace.info["verdict"]["status"]) == (True, 0.0, "no_answer")
    assert trace.stop_condition == "max_turns"


async def test_reasoning_is_not_graded(tmp_path: Path) -> None:
    trace = await _rollout(Endpoint(Reply("I would rather not.", reasoning=RIGHT)), tmp_path)
    assert (trace.reward, trace.metrics["has_code"]) == (0.0, 0.0)


async def test_a_reply_cut_for_its_length_is_marked_and_graded(tmp_path: Path) -> None:
    trace = await _rollout(Endpoint(Reply(RIGHT, finish_reason="length")), tmp_path)
    assert (trace.reward, trace.metrics["truncated"]) == (1.0, 1.0)


async def test_failures_in_passing_are_tried_again_and_make_no_turns(tmp_path: Path) -> None:
    endpoint = Endpoint(Reply(RIGHT), failures=[503, 429])
    trace = await _rollout(endpoint, tmp_path)
    assert (trace.ok, trace.reward, trace.num_turns) == (True, 1.0, 1)
    assert [call.error is not None for call in trace.calls] == [True, True, False]


@pytest.mark.parametrize(("failures", "calls"), [([401], 1), ([503, 503], 2)])
async def test_failures_that_stay_are_errors_and_no_zeros(
    failures: list[int], calls: int, tmp_path: Path
) -> None:
    harness = {"id": "scientific-math-critpt", "max_retries": 1}
    endpoint = Endpoint(Reply(RIGHT), failures=failures)
    trace = await _rollout(endpoint, tmp_path, env={"agent": {"harness": harness}})
    assert not trace.ok
    assert trace.last_error is not None
    assert (trace.last_error.type, trace.last_error.status_code) == ("ProviderError", failures[-1])
    assert len(endpoint.requests) == calls
    assert not trace.rewards


async def test_sampling_settings_reach_the_endpoint(tmp_path: Path) -> None:
    endpoint = Endpoint(Reply(RIGHT), Reply(RIGHT))
    sampling = {"temperature": 0.25, "max_tokens": 4000, "seed": 7, "reasoning_effort": "low"}
    await _rollout(endpoint, tmp_path, env=TWO_TURN, sampling=sampling)
    for request in endpoint.requests:
        assert {name: request[name] for name in sampling} == sampling
        assert request["model"] == "some-model"


@pytest.mark.slow
async def test_limits_and_graders_are_settings(tmp_path: Path) -> None:
    settings = {"taskset": {"task": {"grader": "critpt-v1", "cpu_seconds": 0.3}}}
    loop = RIGHT.replace("return", "while 1:\n        pass\n    return")
    stopped = await _rollout(Endpoint(Reply(loop)), tmp_path, env=settings)
    assert stopped.info["verdict"]["status"] == "timeout"
    assert stopped.metrics["answer_seconds"] < 1.0
    original = await _rollout(Endpoint(Reply(RIGHT)), tmp_path, env=settings)
    assert original.info["verdict"]["grader"] == "critpt-v1"
    assert original.reward == 1.0


async def test_a_gold_that_does_not_evaluate_is_an_error_and_no_zero(tmp_path: Path) -> None:
    broken = PROBLEM.model_copy(update={"answer_fn": "Matrix([[1, 2], [3]])"})
    unchecked = {"taskset": {"check_golds": False}}
    trace = await _rollout(Endpoint(Reply(RIGHT)), tmp_path, broken, env=unchecked)
    assert not trace.ok
    assert trace.last_error is not None
    assert "answer_fn" in trace.last_error.message
    assert trace.rewards.get("correct") is None


async def test_a_gold_that_does_not_evaluate_stops_the_run_before_a_model_is_asked(tmp_path: Path) -> None:
    broken = PROBLEM.model_copy(update={"answer_fn": "Matrix([[1, 2], [3]])"})
    endpoint = Endpoint(Reply(RIGHT))
    with pytest.raises(SystemExit, match=r"problems\.jsonl:1.*answer_fn"):
        await _rollout(endpoint, tmp_path, broken)
    assert not endpoint.requests


async def test_the_critpt_example_in_two_turns(tmp_path: Path) -> None:
    problem, answer_code = load_critpt_problem()
    endpoint = Endpoint(Reply("Final Answer: as derived"), Reply(completion(answer_code + "\n")))
    trace = await _rollout(endpoint, tmp_path, problem, env=TWO_TURN)
    assert (problem.template or "") in _said(endpoint, 1)[-1][1]
    assert (problem.template or "?") not in _said(endpoint, 0)[-1][1]
    assert trace.info["verdict"]["status"] == "correct"


async def test_answers_that_no_file_can_hold_do_not_end_the_run(tmp_path: Path) -> None:
    trace = await _rollout(Endpoint(Reply(_code(r"'\ud800'"))), tmp_path)
    assert (trace.ok, trace.reward) == (True, 0.0)
    assert [written["id"] for written in _written(tmp_path)] == [trace.id]


def _written(folder: Path) -> list[dict[str, Any]]:
    (run,) = (file.parent for file in folder.glob("*/traces.jsonl"))
    return read_traces(run)
