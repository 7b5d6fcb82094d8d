"""The python tool in real rollouts: verifiers' own server and state, our harness, a scripted endpoint."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from scientific_math_critpt.harness import CritptHarness, CritptHarnessConfig
from scientific_math_critpt.tool_calls import ToolFailed, Tools

from scientific_math_critpt_env.demo.calling import CELLS, RESULT, CallingScript
from scientific_math_critpt_env.demo.replies import Reply, ToolCall
from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.problems.loading import load_problems
from tests.environment.endpoints import Endpoint
from tests.environment.test_rollouts import RIGHT, TWO_TURN, WRONG, _rollout, _written

LONG = pytest.mark.skipif(os.environ.get("INTEGRATIONS") != "1", reason="`make integrations-pool` runs this")
"""Each run with a tool starts a server, which costs CPU seconds."""

TOOLS: dict[str, Any] = {"taskset": {"tools": "python", "tool": {"cpu_seconds": 1.0, "calls": 4}}}


def _call(code: str, **changed: str) -> Reply:
    call = {"name": "python", "arguments": json.dumps({"code": code}), **changed}
    return Reply("", finish_reason="tool_calls", tool_calls=(ToolCall(**call),))


def _results(endpoint: Endpoint) -> list[str]:
    return [m["content"] for m in endpoint.requests[-1]["messages"] if m["role"] == "tool"]


@pytest.mark.slow
async def test_a_model_that_calls_its_tool(tmp_path: Path) -> None:
    both = Reply(
        "", "tool_calls", tool_calls=(*_call("b = a + 1").tool_calls, *_call("print(b)\na").tool_calls)
    )
    endpoint = Endpoint(
        _call("a = 20"),
        both,
        _call("while True:\n    pass"),
        _call("a", name="bash"),
        _call("a", arguments='{"code": 7}'),
        _call("a", arguments='{"code": '),
        _call("the fifth"),
        Reply(RIGHT),
    )
    trace = await _rollout(endpoint, tmp_path, env=TOOLS)
    assert (trace.ok, trace.reward, trace.num_turns) == (True, 1.0, 8), trace.errors
    assert trace.num_branches == 1
    (schema,) = endpoint.requests[0]["tools"]
    assert schema["function"]["name"] == "python"
    assert "as in a notebook" in schema["function"]["description"]
    assert list(schema["function"]["parameters"]["properties"]) == ["code"]
    first, second, printed, endless, unknown, unfit, cut, fifth = _results(endpoint)
    assert (first, second, printed) == ("(no output)", "(no output)", "21\n20")
    assert endless.startswith("Error: the cell used more than 1 s")
    assert unknown == "Error: there is no tool 'bash'; there is python."
    assert unfit.startswith("Error: the arguments do not fit")
    assert cut.startswith("Error: the arguments are no JSON")
    assert fifth == "All 4 calls of this tool are used up. Give your answer now."


@LONG
async def test_both_turns_have_the_tool_and_what_is_said_last_counts(tmp_path: Path) -> None:
    settings = {"taskset": {**TWO_TURN["taskset"], **TOOLS["taskset"]}}
    endpoint = Endpoint(_call("a = 1"), Reply(f"Final Answer: pi r^2\n{WRONG}"), _call("a"), Reply(RIGHT))
    trace = await _rollout(endpoint, tmp_path, env=settings)
    assert (trace.ok, trace.reward) == (True, 1.0)
    assert _results(endpoint) == ["(no output)", "1"]


async def test_a_model_that_never_stops_calling_is_left_at_that() -> None:
    harness = CritptHarness(CritptHarnessConfig(id="scientific-math-critpt", max_tool_rounds=2))
    schema = {"function": {"name": "python", "parameters": {"type": "object"}}}
    endpoint = Endpoint(_call("1"), _call("2"), _call("3"))
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "?"}]}
    async with endpoint.serving() as url, aiohttp.ClientSession() as session:
        await harness._answer(session, f"{url}/chat/completions", body, Tools([schema], {}, {}))
    assert [message["role"] for message in body["messages"]] == ["user", *("assistant", "tool") * 2]


@pytest.mark.parametrize("fails", ["raises", "says so"])
async def test_a_tool_server_that_fails_is_an_error_and_no_text_for_the_model(fails: str) -> None:
    class Server:
        async def run(self, operation: Any) -> Any:
            if fails == "raises":
                raise ConnectionResetError("gone")
            return SimpleNamespace(is_error=True, content=[SimpleNamespace(type="text", text="no fork")])

    schema = {"function": {"name": "python", "parameters": {"type": "object"}}}
    tools = Tools([schema], {"python": ("", "python")}, {"": Server()})  # type: ignore[dict-item]
    with pytest.raises(ToolFailed, match="gone" if fails == "raises" else "no fork"):
        await tools.answer({"id": "1", "function": {"name": "python", "arguments": "{}"}})


async def test_without_tools_none_are_offered(tmp_path: Path) -> None:
    endpoint = Endpoint(_call("1"), Reply(RIGHT))
    trace = await _rollout(endpoint, tmp_path)
    assert (trace.reward, len(endpoint.requests)) == (0.0, 1)
    assert "tools" not in endpoint.requests[0]


def test_the_scripted_caller() -> None:
    problem = load_problems("builtin")[0]
    script = CallingScript(ProblemScript([problem]))
    messages: list[dict[str, Any]] = [{"role": "user", "content": problem.prompt}]
    for place, result in enumerate(("defined x", RESULT)):
        (reply,) = script.replies(messages, n=1, seed=0) or []
        (call,) = reply.tool_calls
        assert json.loads(call.arguments) == {"code": CELLS[place]}
        messages += [
            {"role": "assistant", "content": "", "tool_calls": [{}]},
            {"role": "tool", "content": result},
        ]
    assert script.replies(messages, n=1, seed=0) == ProblemScript([problem]).replies(
        messages[:1], n=1, seed=0
    )
    messages[-1]["content"] = "NameError"
    (reply,) = script.replies(messages, n=1, seed=0) or []
    assert "the script stops here" in reply.content


@LONG
async def test_evaluating_with_the_tool(tmp_path: Path) -> None:
    from verifiers.v1.cli.eval.runner import run_eval
    from verifiers.v1.configs.cli.eval import EvalConfig

    script = ProblemScript(load_problems("builtin"))
    with running([CallingScript(script)]) as url:
        config = EvalConfig.model_validate(
            {
                "env": {"taskset": {"id": "scientific-math-critpt", "tools": "python"}},
                "model": "m",
                "client": {"base_url": url, "api_key_var": "NO_KEY"},
                "select": {"limit": 4},
                "num_rollouts": 2,
                "push": False,
                "rich": None,
                "output_dir": tmp_path,
            }
        )
        episodes = await run_eval(config)
    traces = [trace for episode in episodes for trace in episode.traces]
    assert all(trace.ok for trace in traces)
    assert len(traces) == 8
    mean = sum(trace.reward for trace in traces) / len(traces)
    assert mean == pytest.approx(script.mixture.expected_mean([t.task.key for t in traces]))
    for trace in _written(tmp_path):
        roles = [node["message"]["role"] for node in trace["nodes"]]
        assert roles == ["system", "user", "assistant", "tool", "assistant", "tool", "assistant"]
