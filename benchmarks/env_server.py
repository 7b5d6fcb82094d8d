"""Rollouts through an environment server, as prime-rl runs them: per second, and CPU of each.

    .venv/bin/python benchmarks/env_server.py                                  # verifiers' own pool
    .venv/bin/python benchmarks/env_server.py --kill graders --defective 8     # graders are killed on the way
    .venv/bin/python benchmarks/env_server.py --server ours --kill workers     # and whole workers

The server is started as prime-rl's `env-server` starts it (`serve_env` with a static pool, in a process of
its own), or as `python -m scientific_math_critpt.serving`. Rollouts come in over ZMQ by verifiers'
`EnvClient`; the model is the scripted endpoint, a process of its own, so every reward is known. With
--defective N, N rollouts have a gold that does not evaluate and N a problem that the endpoint refuses. CPU is
that of the server's processes, the grader's included, from the first request to the last reply; starting them
is not in it. Exits with 1 where a reward is not the expected one, or a rollout that must fail has a reward.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.configs.client import EvalClientConfig
from verifiers.v1.configs.serve import ServeConfig, StaticPoolConfig, pool_serve_kwargs
from verifiers.v1.serve import EnvClient, env_config_data, serve_env

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem

ROLLOUTS = 512

PROBLEMS = 50

KILLS = {"nothing": 0, "graders": 6, "workers": 2}
"""Times that something is killed in a run, spread evenly over it. A worker takes seconds to come back, and a
rollout that was under way at three deaths is given up."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Result:
    """What came back."""

    rewards: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, list[str]] = field(default_factory=dict)
    """Errors by problem: rollouts that prime-rl drops."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    killed: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description="rollouts through an environment server")
    parser.add_argument("--server", choices=("verifiers", "ours"), default="verifiers")
    parser.add_argument("--kill", choices=sorted(KILLS), default="nothing")
    parser.add_argument("--rollouts", type=int, default=ROLLOUTS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--defective", type=int, default=0)
    parser.add_argument("--tools", action="store_true", help="the model calls its python tool twice first")
    given = parser.parse_args()
    result, expected = run(**vars(given))
    graded = sum(map(len, result.rewards.values()))
    failed = sum(map(len, result.failed.values()))
    print(f"{given.server}: {graded} rewards and {failed} errors of {given.rollouts} rollouts,", end=" ")
    print(f"{given.workers} workers, {result.killed} {given.kill} killed")
    print(f"{given.rollouts / result.seconds:.1f} rollouts/s ({result.seconds:.1f} s)")
    if not result.killed:  # what a killed process used is not counted any more
        print(f"{1000 * result.cpu_seconds / given.rollouts:.1f} ms CPU a rollout, grading included")
    wrong = [name for name, rewards in result.rewards.items() if set(rewards) != {expected.get(name)}]
    wrong += [name for name in result.failed if name in expected]
    for name in wrong:
        said = result.failed.get(name) or result.rewards[name]
        print(f"{name}: {said[0]}, expected {expected.get(name, 'an error')}", file=sys.stderr)
    return 1 if wrong or graded + failed != given.rollouts else 0


def run(
    *,
    server: str,
    kill: str,
    rollouts: int,
    workers: int,
    concurrency: int,
    defective: int,
    tools: bool = False,
) -> tuple[Result, dict[str, float]]:
    """Do it; also the reward that each problem must have, those that must fail not among them."""
    problems = load_problems("builtin")[:PROBLEMS]
    mixture = ProblemScript(problems).mixture
    expected = {problem.id: mixture.expected_mean([problem.id]) for problem in problems}
    solved = [problem for problem in problems if expected[problem.id] == 1.0]
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        known = _written(problems, folder / "known.jsonl")
        rows = _written([*problems, *_defective(solved, defective)], folder / "rows.jsonl")
        url = stack.enter_context(_endpoint(known, tools))
        taskset = {"id": "scientific-math-critpt", "problems": str(rows), "check_golds": False}
        taskset |= {"tools": "python", "tool": {"workers": 1}} if tools else {}
        env = vf.resolve_env_config({"taskset": {**taskset, "task": {"workers": 1}}})
        serving = _ours if server == "ours" else _verifiers
        pid, address = stack.enter_context(serving(env, workers, folder))
        return asyncio.run(_roll(address, url, env, pid, kill, rollouts, concurrency)), expected


def _written(problems: list[Problem], path: Path) -> Path:
    path.write_text("".join(p.model_dump_json(exclude_defaults=True) + "\n" for p in problems))
    return path


def _defective(problems: list[Problem], count: int) -> Iterator[Problem]:
    """`count` rows that the endpoint solves and whose gold does not evaluate, and as many that it refuses."""
    for place, problem in enumerate(problems[:count]):
        gold = {"id": f"defective-gold.{place}", "answer_fn": "Matrix([[1, 2], [3]])"}
        yield problem.model_copy(update=gold)
        yield problem.model_copy(update={"id": f"defective-prompt.{place}", "prompt": f"No. {place}?"})


async def _roll(
    address: str, url: str, env: Any, server: int, kill: str, rollouts: int, concurrency: int
) -> Result:
    client = EnvClient(address)
    result = Result()
    try:
        await client.wait_for_server_startup(timeout=300)
        tasks = list(vf.load_taskset(env.taskset))
        model = EvalClientConfig(base_url=url, api_key_var="NO_KEY")
        gate, done = asyncio.Semaphore(concurrency), 0

        async def one(task: vf.Task) -> None:
            nonlocal done
            async with gate:
                data = task.data.model_dump(mode="json")
                try:
                    episode = await client.run(model, "scripted-demo", vf.SamplingConfig(), data)
                except RuntimeError as error:  # the server's answer to a run that it gave up
                    result.failed.setdefault(task.key, []).append(str(error))
                    return
                finally:
                    done += 1
            (trace,) = episode.traces
            if trace.ok:
                result.rewards.setdefault(task.key, []).append(trace.reward)
            else:
                assert all(reward is None for reward in trace.rewards.values()), trace.rewards
                result.failed.setdefault(task.key, []).append(f"{trace.last_error}")

        async def kill_now_and_then() -> None:
            for share in range(1, KILLS[kill] + 1):
                while done < rollouts * share / (KILLS[kill] + 2):  # noqa: ASYNC110 - a poll is as good here
                    await asyncio.sleep(0.02)
                result.killed += _kill(server, kill)

        await asyncio.gather(*(one(task) for task in tasks[-2:]))  # both workers have graded before the clock
        done = 0
        result.rewards.clear()
        result.failed.clear()
        before, start = _cpu(server), time.monotonic()
        killing = asyncio.ensure_future(kill_now_and_then())
        await asyncio.gather(*(one(task) for task in _chosen(tasks, rollouts)))
        result.seconds, result.cpu_seconds = time.monotonic() - start, _cpu(server) - before
        await killing
    finally:
        await client.close()
    return result


def _chosen(tasks: list[vf.Task], rollouts: int) -> list[vf.Task]:
    """Every task in turn, defective ones once, in an order of chance that is always the same."""
    once = [task for task in tasks if task.key.startswith("defective")]
    sound = [task for task in tasks if not task.key.startswith("defective")]
    chosen = once + [sound[place % len(sound)] for place in range(rollouts - len(once))]
    random.Random(0).shuffle(chosen)
    return chosen


def _kill(server: int, what: str) -> int:
    """Kill one of the server's workers, or all of the grader's processes of one; how many."""
    workers = [pid for pid in _children(server) if b"spawn_main" in _command(pid)]
    worker = random.choice(workers)
    victims = [worker] if what == "workers" else _descendants(worker)
    for victim in victims:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    return len(victims)


def _descendants(pid: int) -> list[int]:
    found = _children(pid)
    return found + [grandchild for child in found for grandchild in _descendants(child)]


def _children(pid: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:  # gone meanwhile
        return []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # gone meanwhile
        return b""


def _cpu(pid: int) -> float:
    """CPU seconds of a process and all that it has started, the dead that were waited for included."""
    total = 0.0
    for process in (pid, *_descendants(pid)):
        with suppress(OSError):  # gone meanwhile
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
            total += sum(map(int, fields[11:15])) / TICKS
    return total


@contextmanager
def _endpoint(problems: Path, tools: bool) -> Iterator[str]:
    command = [*(sys.executable, "-m", "scientific_math_critpt_env.cli", "serve-demo"), "--port", "0"]
    command += ["--problems", str(problems), *(("--call-tool", "python") if tools else ())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the demo endpoint did not start"
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def _verifiers(env: Any, workers: int, folder: Path) -> Iterator[tuple[int, str]]:
    """(process, address) of a server as prime-rl's `env-server` runs it."""
    spawning = multiprocessing.get_context("spawn")
    addresses = spawning.Queue()
    serve = ServeConfig(pool=StaticPoolConfig(num_workers=workers))
    arguments = {
        **pool_serve_kwargs(serve.pool),
        "address": "tcp://127.0.0.1:0",
        "address_queue": addresses,
        "config_data": env_config_data(env),
        "max_concurrent": serve.max_concurrent,
    }
    process = spawning.Process(target=serve_env, kwargs=arguments)
    process.start()
    try:
        assert process.pid is not None
        yield process.pid, addresses.get(timeout=300)
    finally:
        process.terminate()
        process.join(30)


@contextmanager
def _ours(env: Any, workers: int, folder: Path) -> Iterator[tuple[int, str]]:
    """(process, address) of our own server, which replaces workers that die."""
    serve = {"address": "tcp://127.0.0.1:0", "pool": {"type": "static", "num_workers": workers}}
    settings = folder / "env.json"
    settings.write_text(json.dumps({"env": env_config_data(env), "serve": serve, "log_level": "WARNING"}))
    command = [sys.executable, "-m", "scientific_math_critpt.serving", "@", str(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
