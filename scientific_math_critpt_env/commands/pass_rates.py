"""Write how often each problem was solved into the problem rows, as measured by runs.

A RUN is a folder of vf-eval (with traces.jsonl), a folder of such, or a verdict file of `grade`.
The rates go to the field `pass_rate`; problems without enough rollouts keep what they have.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.pass_rates import Measured, measure

HELP = "write measured pass rates into problem rows"
EXAMPLES = """\
  scientific-math pass-rates outputs/run-1 outputs/run-2 --problems builtin --output rated.jsonl
  scientific-math pass-rates verdicts.jsonl --problems my.jsonl --output rated.jsonl --min-rollouts 4
  vf-eval scientific-math-critpt --env.taskset.problems rated.jsonl --env.taskset.pass_rate 0.1:0.9"""

BINS = 10
"""Bars of the histogram: a tenth each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders and verdict files")
    parser.add_argument("--problems", required=True, help='a JSONL file, a folder of them, or "builtin"')
    parser.add_argument("--output", required=True, type=Path, help="where the rated rows go (JSONL)")
    parser.add_argument("--overwrite", action="store_true", help="replace OUTPUT")
    parser.add_argument("--min-rollouts", type=at_least_one, default=1, help="fewer are no rate (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Rate everything; 0, or raises with one line for what is wrong."""
    if arguments.output.exists() and not arguments.overwrite:
        raise ScientificMathError(f"{arguments.output}: exists; add --overwrite to replace it")
    problems = {problem.id: problem for problem in load_problems(arguments.problems)}
    measured = measure(arguments.runs, problems)
    rates = measured.rates(arguments.min_rollouts)
    if not rates:
        raise ScientificMathError(f"no problem of {arguments.problems} has enough rollouts in these runs")
    beside = arguments.output.with_name(f".{arguments.output.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "w", encoding="utf-8") as output:
            for name, problem in problems.items():
                fields = problem.model_dump(mode="json", exclude_unset=True)
                if name in rates:
                    fields["pass_rate"] = round(rates[name], 6)
                output.write(json.dumps(fields, ensure_ascii=False) + "\n")
        beside.replace(arguments.output)
    finally:
        beside.unlink(missing_ok=True)
    summary = _summary(arguments, len(problems), measured, rates)
    print(json.dumps(summary) if arguments.json else _table(summary))
    return 0


def _summary(
    arguments: argparse.Namespace, total: int, measured: Measured, rates: dict[str, float]
) -> dict[str, Any]:
    histogram = [0] * BINS
    for rate in rates.values():
        histogram[min(int(rate * BINS), BINS - 1)] += 1
    return {
        "problems": total,
        "rated": len(rates),
        "rollouts": sum(measured.rollouts.values()),
        "mean": sum(rates.values()) / len(rates),
        "histogram": histogram,
        "never_solved": sum(rate == 0 for rate in rates.values()),
        "always_solved": sum(rate == 1 for rate in rates.values()),
        "failed_rollouts": measured.failed,
        "rollouts_of_other_golds": measured.other_problem,
        "unknown_problems": len(measured.unknown),
        "output": str(arguments.output),
    }


def _table(summary: dict[str, Any]) -> str:
    lines = [
        f"{summary['rated']} of {summary['problems']} problems rated from {summary['rollouts']} rollouts, "
        f"mean {summary['mean']:.3f}"
    ]
    for place, count in enumerate(summary["histogram"]):
        lines.append(f"  {place / BINS:.1f} to {(place + 1) / BINS:.1f}{count:>8}")
    for name in (
        "never_solved",
        "always_solved",
        "failed_rollouts",
        "rollouts_of_other_golds",
        "unknown_problems",
    ):
        lines.append(f"  {name.replace('_', ' '):<28}{summary[name]:>6}")
    lines.append(f"problems: {summary['output']}")
    return "\n".join(lines)
