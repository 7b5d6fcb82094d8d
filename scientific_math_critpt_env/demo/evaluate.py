"""Run the environment with vf-eval and print each problem's verdicts and the mean reward.

Without --base-url the model is the scripted demo endpoint, started for the run and stopped after it; the mean
is then known before, printed beside the one measured, and a difference is a failure. Nothing is uploaded.
Arguments after -- go to vf-eval as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one, seconds
from scientific_math_critpt_env.demo.calling import CallingScript
from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.demo.table import as_json, formatted, overall_mean, read_rows
from scientific_math_critpt_env.demo.vf_eval import run_vf_eval
from scientific_math_critpt_env.demo.wire import MODEL
from scientific_math_critpt_env.problems.loading import load_problems

HELP = "run vf-eval and print a table of verdicts"
EXAMPLES = """\
  scientific-math evaluate
  scientific-math evaluate --model M --base-url https://host/v1 --api-key-var MY_KEY -n 50 -r 4
  scientific-math evaluate --protocol two_turn -- --sampling.temperature 0.6 --max-concurrent 32"""

ENVIRONMENT = "scientific-math-critpt"

NO_KEY = "SCIENTIFIC_MATH_DEMO_KEY"
"""Names no variable: the demo endpoint wants no key, and verifiers' default would read prime's settings."""

SAME = 1e-9
"""Means closer than this are one mean, summed in another order."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--model", help="model to ask; needs --base-url")
    parser.add_argument("--base-url", help="OpenAI-compatible endpoint (default: a scripted one)")
    parser.add_argument("--api-key-var", help="environment variable with its key (default: OPENAI_API_KEY)")
    parser.add_argument(
        "-n", "--problems-per-run", type=at_least_one, default=5, help="problems (default: 5)"
    )
    parser.add_argument(
        "-r", "--rollouts", type=at_least_one, default=3, help="rollouts of each (default: 3)"
    )
    parser.add_argument(
        "--problems", default="builtin", help="a JSONL file or folder, builtin, or hf:DATASET"
    )
    parser.add_argument("--protocol", choices=("one_turn", "two_turn"), default="one_turn")
    parser.add_argument(
        "--tools", choices=("python",), help="give the model a tool (the script calls it too)"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("outputs"), help="folder of runs (default: %(default)s)"
    )
    parser.add_argument("--latency", type=seconds, default=0.0, help="seconds a scripted reply takes")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    parser.add_argument("passed", nargs="*", metavar="-- ARGUMENT", help="further arguments of vf-eval")


def run(arguments: argparse.Namespace) -> int:
    """Evaluate; 0, or 1 where rollouts failed or the scripted mean is missed, or 2 for wrong usage."""
    wrong = _misused(arguments)
    if wrong:
        print(wrong, file=sys.stderr)
        return 2
    problems = load_problems(arguments.problems)
    script = None if arguments.base_url else ProblemScript(problems)
    with _endpoint(arguments, script) as base_url:
        name = f"{ENVIRONMENT}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        run_dir = arguments.output / name
        total = min(arguments.problems_per_run, len(problems)) * arguments.rollouts
        with tqdm(total=total, unit="rollout", disable=None) as bar:
            run_vf_eval(
                _vf_eval_arguments(arguments, base_url, name),
                run_dir,
                watch=lambda done: _advance(bar, done),
            )
    return _report(arguments, run_dir, script)


def _advance(bar: tqdm[NoReturn], done: int) -> None:
    bar.update(done - bar.n)


def _misused(arguments: argparse.Namespace) -> str:
    if bool(arguments.model) != bool(arguments.base_url):
        return "--model and --base-url belong together; without both, the scripted demo endpoint is asked"
    if arguments.base_url and not arguments.base_url.startswith(("http://", "https://")):
        return f"--base-url: {arguments.base_url!r} must start with http:// or https://"
    if arguments.api_key_var and not arguments.base_url:
        return "--api-key-var needs --base-url; the scripted demo endpoint wants no key"
    if arguments.api_key_var and not os.environ.get(arguments.api_key_var):
        return f"--api-key-var: the environment variable {arguments.api_key_var} is not set"
    return ""


@contextmanager
def _endpoint(arguments: argparse.Namespace, script: ProblemScript | None) -> Iterator[str]:
    if script is None:
        yield arguments.base_url
        return
    asked = CallingScript(script, arguments.tools) if arguments.tools else script
    with running([asked], latency=arguments.latency) as base_url:
        print(f"asking the scripted demo endpoint at {base_url}; no model runs", file=sys.stderr)
        yield base_url


def _vf_eval_arguments(arguments: argparse.Namespace, base_url: str, name: str) -> Sequence[str]:
    key_var = arguments.api_key_var or ("OPENAI_API_KEY" if arguments.base_url else NO_KEY)
    return [
        *(ENVIRONMENT, "--model", arguments.model or MODEL),
        *("-n", str(arguments.problems_per_run), "-r", str(arguments.rollouts)),
        *("--client.base-url", base_url, "--client.api-key-var", key_var),
        *("--env.taskset.problems", arguments.problems, "--env.taskset.protocol", arguments.protocol),
        *(("--env.taskset.tools", arguments.tools) if arguments.tools else ()),
        *("--output-dir", str(arguments.output), "--run.name", name),
        *("--no-push", "--no-rich"),
        *arguments.passed,
    ]


def _report(arguments: argparse.Namespace, run_dir: Path, script: ProblemScript | None) -> int:
    rows = read_rows(run_dir / "traces.jsonl")
    mean = overall_mean(rows)
    expected = script.mixture.expected_mean(row.problem for row in rows) if script else None
    errors = [f"{row.problem}: {' '.join(error.split())}" for row in rows for error in row.errors]
    missed = expected is not None and (mean is None or abs(mean - expected) > SAME)
    if arguments.json:
        summary = {
            "mean": mean,
            "expected_mean": expected,
            "rollouts": sum(len(row.scores) for row in rows),
            "failed": len(errors),
            "problems": as_json(rows),
            "run": str(run_dir),
        }
        print(json.dumps(summary))
    else:
        print(formatted(rows))
        print(f"\nmean reward {'-' if mean is None else f'{mean:.4f}'}", end="")
        print(f", expected {expected:.4f} (scripted, no model)" if expected is not None else "")
        print(f"run: {run_dir}")
    for error in errors:
        print(error, file=sys.stderr)
    if missed:
        print(f"the mean reward is not the scripted {expected:.4f}: something is broken", file=sys.stderr)
    return 1 if errors or missed or not rows else 0
