"""Serve scripted replies to our problems over the OpenAI chat protocol, for smoke tests. No model runs.

Three of every five problems are solved and the others fail, each time in another way; so the mean reward of a
run is known, and printed at the start. --judges adds scripted judges: rules in a JSON file (docs/judging.md).
"""

from __future__ import annotations

import argparse
import asyncio
import signal
from pathlib import Path

from scientific_math_critpt_env.commands.numbers import seconds
from scientific_math_critpt_env.demo.calling import CallingScript
from scientific_math_critpt_env.demo.judges import load_judges
from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import serve
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.problems.loading import load_problems

HELP = "serve scripted replies over the OpenAI chat protocol (no model)"
EXAMPLES = """\
  scientific-math serve-demo --port 8000
  scientific-math serve-demo --port 0 --problems my.jsonl --latency 0.5
  scientific-math serve-demo --judges script.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: %(default)s)")
    parser.add_argument(
        "--problems", default="builtin", help="a JSONL file or folder, builtin, or hf:DATASET"
    )
    parser.add_argument("--latency", type=seconds, default=0.0, help="seconds before each reply")
    parser.add_argument("--call-tool", metavar="NAME", help="call this tool twice before each answer")
    parser.add_argument("--judges", type=Path, help="rules of scripted judges and solvers (JSON)")


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; 0, or raises where the problems or the port cannot be had."""
    problems = load_problems(arguments.problems)
    script = ProblemScript(problems)
    judges = load_judges(arguments.judges) if arguments.judges else None
    mean = script.mixture.expected_mean(problem.id for problem in problems)

    def announce(url: str) -> None:
        print(f"scripted demo endpoint (no model runs): {url}", flush=True)
        if judges is not None:
            print(f"{len(judges)} rules of {arguments.judges}; beside them:", flush=True)
        print(f"{len(problems)} problems, expected mean reward over all of them {mean:.4f}", flush=True)

    async def serve_until_told() -> None:
        until = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, until.set)
        await serve(
            [CallingScript(script, arguments.call_tool) if arguments.call_tool else script],
            until=until,
            announce=announce,
            host=arguments.host,
            port=arguments.port,
            latency=arguments.latency,
            judges=judges,
        )

    try:
        asyncio.run(serve_until_told())
    except OSError as error:
        place = f"{arguments.host}:{arguments.port}"
        raise ScientificMathError(f"cannot serve on {place}: {error.strerror}") from error
    return 0
