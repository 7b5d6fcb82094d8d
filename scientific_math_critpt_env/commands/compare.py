"""Compare two replayed runs: problems acquired, retained and forgotten, and the difference with its interval.

Runs that do not answer the same question (other problems, golds, contract or sampling) are refused with the
reasons and exit code 1; --allow lets the set of problems or the sampling differ.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.runs.comparable import ALLOWABLE, contract_of
from scientific_math_critpt_env.runs.reading import open_run

HELP = "compare two replayed runs"
EXAMPLES = """\
  scientific-math compare runs/base runs/tuned
  scientific-math compare runs/base runs/tuned --contract scientific-v1 --k 1 4 --json
  scientific-math compare runs/cold runs/warm --allow decode"""

LISTED = 20
"""Problems listed by name in the report for people; --json has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("first", type=Path, metavar="A", help="a run folder, or one of vf-eval")
    parser.add_argument("second", type=Path, metavar="B", help="the run to compare it with")
    parser.add_argument("--contract", help="whose verdicts (default: the only one both runs have)")
    parser.add_argument("--k", type=at_least_one, nargs="+", help="depths (default: 1 and the common depth)")
    parser.add_argument("--allow", choices=ALLOWABLE, nargs="+", default=[], help="what may differ")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Compare; 0, or raises with one line a reason."""
    # NumPy and SciPy, which the other commands do without.
    from scientific_math_critpt_env.runs.comparing import compare_runs, scored

    runs = [open_run(arguments.first), open_run(arguments.second)]
    contract = contract_of(runs, arguments.contract)
    for opened in runs:
        opened.verify()
    first, second = (scored(opened, contract) for opened in runs)
    comparison = compare_runs(first, second, ks=arguments.k, allow=arguments.allow, seed=arguments.seed)
    comparison |= {"contract": contract, "paths": [str(opened.path) for opened in runs]}
    print(json.dumps(comparison) if arguments.json else _table(comparison))
    return 0


def _table(comparison: dict[str, Any]) -> str:
    lines = [f"A = {comparison['first']}, B = {comparison['second']}, under {comparison['contract']}"]
    lines += [f"note: {reason}" for reason in comparison["differences"]]
    for k, depth in comparison["k"].items():
        lines += ["", f"k = {k}: {depth['overlap']} problems in both, {depth['left_out']} left out"]
        lines += [_difference(name, depth[name]) for name in ("pass_at_k", "avg_at_k")]
        lines += [_problems(name, depth[name]) for name in ("acquired", "retained", "forgotten")]
        lines.append(f"  {'unsolved':<11}{depth['unsolved']:>6}")
        lines.append(f"  acquired against forgotten: p = {depth['mcnemar_p_value']:.4f} (McNemar, exact)")
    return "\n".join(lines)


def _difference(name: str, figures: dict[str, Any]) -> str:
    difference = figures["difference"]
    return (
        f"  {name.replace('_at_k', '@k'):<11}A {figures['first']:.4f}  B {figures['second']:.4f}  "
        f"B - A {difference['point']:+.4f} [{difference['low']:+.4f}, {difference['high']:+.4f}]  "
        f"p = {difference['p_value']:.4f}"
    )


def _problems(name: str, problems: list[str]) -> str:
    line = f"  {name:<11}{len(problems):>6}"
    if name == "retained" or not problems:
        return line
    more = f" and {len(problems) - LISTED} more" if len(problems) > LISTED else ""
    return f"{line}  {', '.join(problems[:LISTED])}{more}"
