"""Generate the samples of a run: ask a model each problem, and keep what it says, so that it can be replayed.

The run's folder is ROOT/RUN_ID, with ROOT from the configuration. A run that was stopped, killed or that has
failed samples goes on with --resume; `samples_per_problem` may grow between. The configuration is described
in docs/runs.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.runs.backends import Backend, make_backend
from scientific_math_critpt_env.runs.config_values import address
from scientific_math_critpt_env.runs.generation import generate
from scientific_math_critpt_env.runs.manifest import Totals
from scientific_math_critpt_env.runs.planning import Partition, Plan, make_plan, parse_partition
from scientific_math_critpt_env.runs.session import Ending, Progress

HELP = "ask a model all problems and keep its samples as a run"
EXAMPLES = """\
  scientific-math generate --config examples/run.yaml --run-id demo
  scientific-math generate --config run.yaml --run-id big --partition 0/8 --resume
  scientific-math generate --config run.yaml --run-id big --engine ray --ray-address auto --ray-actors 16"""

STOPPED = 130
"""The exit code of a run that a signal stopped: sealed, and to be resumed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--config", required=True, type=Path, help="the configuration (YAML)")
    parser.add_argument("--run-id", required=True, help="the run's name, and its folder's under the root")
    parser.add_argument("--resume", action="store_true", help="go on with the run if it is there")
    parser.add_argument(
        "--partition", type=_partition, metavar="I/N", help="only part I of N (from 0); see `merge`"
    )
    parser.add_argument(
        "--accept-missing",
        action="store_true",
        help="complete the run without samples that still fail (a prompt that is too long); it names them",
    )
    parser.add_argument("--base-url", help="the endpoint, instead of the configuration's")
    parser.add_argument("--engine", choices=("local", "ray"), default="local", help="default: %(default)s")
    ray = parser.add_argument_group("with --engine ray")
    ray.add_argument("--ray-address", help='"auto" or an address (default: a Ray of this machine\'s own)')
    ray.add_argument("--ray-actors", type=at_least_one, default=2, help="backends (default: %(default)s)")
    ray.add_argument("--ray-gpus", type=float, default=0.0, help="GPUs of each (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Generate what is missing; 0, 1 where samples are still missing, or 130 where a signal stopped it."""
    plan = make_plan(arguments.config, arguments.run_id, partition=arguments.partition)
    _refuse_bad_url(arguments, plan)
    # Ray and vLLM print what they think is of interest; stdout is the report's.
    with _Bar(plan) as bar, redirect_stdout(sys.stderr):
        ending = generate(
            plan,
            lambda: _backend(arguments, plan),
            resume=arguments.resume,
            accept_missing=arguments.accept_missing,
            engine=arguments.engine,
            progress=bar,
        )
    _report(arguments, plan, ending)
    if ending.status != "stopped":
        return 0 if ending.status == "completed" else 1
    if plan.config.model.backend == "vllm":
        # A batch may be under way in native code, which the interpreter's own end would wait for or break.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(STOPPED)
    return STOPPED


def _backend(arguments: argparse.Namespace, plan: Plan) -> Backend:
    if arguments.engine == "local":
        return make_backend(plan.config, base_url=arguments.base_url)
    from scientific_math_critpt_env.runs.backends.ray_actors import RayBackend

    return RayBackend(
        plan.config,
        base_url=arguments.base_url,
        address=arguments.ray_address,
        actors=arguments.ray_actors,
        gpus=arguments.ray_gpus,
    )


def _refuse_bad_url(arguments: argparse.Namespace, plan: Plan) -> None:
    url = arguments.base_url
    if url is None:
        return
    if plan.config.model.backend != "openai":
        raise ScientificMathError("--base-url is for the backend openai")
    try:
        address(url)
    except ValueError as error:
        raise ScientificMathError(f"--base-url: {error}") from None


class _Bar(Progress):
    """The progress bar: samples, time left, tokens, cost and failures."""

    def __init__(self, plan: Plan) -> None:
        self._settings = plan.config.model.model_dump(mode="json")
        self._bar: Any = None

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def begin(self, totals: Totals, expected: int) -> None:
        """Draw the bar, with what earlier sessions made already behind."""
        self._bar = tqdm(total=expected, initial=totals.samples, unit="sample", disable=None)

    def sample(self, totals: Totals) -> None:
        """Advance; a failed sample shows in the figures alone."""
        self._bar.set_postfix_str(_figures(totals, totals.cost(self._settings)), refresh=False)
        self._bar.update(totals.samples - self._bar.n)

    def finalizing(self) -> None:
        """Say why it takes a while yet."""
        if self._bar is not None:
            self._bar.set_description_str("taking hashes")


def _figures(totals: Totals, cost: float | None) -> str:
    figures = [f"{totals.prompt_tokens:,} tokens in, {totals.output_tokens:,} out"]
    if cost is not None:
        figures.append(f"cost {cost:.2f}")
    if totals.failed:
        figures.append(f"{totals.failed} failed")
    return ", ".join(figures)


def _report(arguments: argparse.Namespace, plan: Plan, ending: Ending) -> None:
    totals = ending.totals
    cost = totals.cost(plan.config.model.model_dump(mode="json"))
    if arguments.json:
        summary = {
            "status": ending.status,
            "run": str(plan.folder),
            "expected": ending.expected,
            "samples": totals.samples,
            "made_now": ending.made,
            "failed": totals.failed,
            "truncated": totals.truncated,
            "prompt_tokens": totals.prompt_tokens,
            "output_tokens": totals.output_tokens,
            "cost": cost,
            "reason": ending.reason,
        }
        print(json.dumps(summary))
    else:
        print(f"{totals.samples} of {ending.expected} samples, {ending.made} of them now: {ending.status}")
        print(f"{_figures(totals, cost)}, {totals.truncated} truncated")
        print(f"run: {plan.folder}")
    if ending.status != "completed":
        told = f"{plan.folder}: {ending.reason}; go on with --resume"
        if ending.status == "failed" and not ending.reason.startswith("gave up"):
            told += ", or complete it without them with --resume --accept-missing"
        print(told, file=sys.stderr)


def _partition(text: str) -> Partition:
    try:
        return parse_partition(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
