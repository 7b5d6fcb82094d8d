"""What a rollout costs beyond its grading: CPU milliseconds of the process that runs the environment.

    .venv/bin/python benchmarks/environment.py [--rollouts 200]

Runs verifiers' own eval runner in this process against the scripted endpoint, which is a process of its own,
and takes this process's CPU time (all threads; the sandbox's processes are not in it). From that goes what
this process spends on grading, measured by grading the same replies again. Exits with 1 above the bound.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from scientific_math_critpt.grading import CritptTaskConfig, shared_grader
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.trace import Trace

BOUND_MILLISECONDS = 30.0

PROBLEMS = 50

WARM_UP = 10
"""Rollouts before the clock starts: imports and the grader's processes are no rollout's cost."""


def main() -> int:
    parser = argparse.ArgumentParser(description="CPU a rollout costs beyond its grading")
    parser.add_argument("--rollouts", type=int, default=200)
    rollouts = parser.parse_args().rollouts
    each = max(1, rollouts // PROBLEMS)
    with _endpoint() as url, tempfile.TemporaryDirectory() as folder:
        asyncio.run(_run(url, folder, WARM_UP, 1))
        start, began = time.process_time(), time.monotonic()
        traces = asyncio.run(_run(url, folder, PROBLEMS, each))
        spent, lasted = time.process_time() - start, time.monotonic() - began
        start = time.process_time()
        asyncio.run(_grade(traces))
        grading = time.process_time() - start
    count = len(traces)
    beyond = 1000 * (spent - grading) / count
    answers = sum(trace.info["verdict"]["cpu_seconds"] for trace in traces)
    print(f"{count} rollouts of {len({t.task.key for t in traces})} problems in {lasted:.1f} s")
    print(f"this process, all in all:       {1000 * spent / count:7.1f} ms CPU a rollout")
    print(f"  of which grading, in it:      {1000 * grading / count:7.1f} ms")
    print(f"  beyond grading:               {beyond:7.1f} ms (bound {BOUND_MILLISECONDS:.0f})")
    print(f"the grader's other processes:   {1000 * answers / count:7.1f} ms")
    return 0 if beyond <= BOUND_MILLISECONDS else 1


@contextmanager
def _endpoint() -> Iterator[str]:
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "serve-demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the demo endpoint did not start"
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)


async def _run(url: str, folder: str, problems: int, rollouts: int) -> list[Trace]:
    config = EvalConfig.model_validate(
        {
            "env": {"taskset": {"id": "scientific-math-critpt"}},
            "model": "scripted-demo",
            "client": {"base_url": url, "api_key_var": "NO_KEY"},
            "select": {"limit": problems},
            "num_rollouts": rollouts,
            "push": False,
            "rich": None,
            "output_dir": folder,
        }
    )
    return [trace for episode in await run_eval(config) for trace in episode.traces]


async def _grade(traces: list[Trace]) -> None:
    grader = shared_grader(CritptTaskConfig())
    work = [grader.agrade(problem=t.task.data.problem, completion=t.last_reply) for t in traces]
    await asyncio.gather(*work)


if __name__ == "__main__":
    sys.exit(main())
