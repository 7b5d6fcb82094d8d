"""Validate problem rows: schema, golds, gold == gold, gold != each of its mutants, independent checks.

Every defect is one line on stderr with file and line number; warnings do not change the exit code.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.checks import checks_of, run_checks
from scientific_math_critpt_env.problems.loading import builtin_folder, load_problems
from scientific_math_critpt_env.problems.schema import Problem

HELP = "lint problem rows, evaluate golds, grade them against themselves and their mutants"
EXAMPLES = """\
  scientific-math validate --problems my-problems.jsonl
  scientific-math validate --problems builtin --checks
  scientific-math validate --problems my-problems.jsonl --json | jq .counts"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--problems", required=True, help='a JSONL file, a folder of them, "builtin", or hf:DATASET[:SPLIT]'
    )
    parser.add_argument(
        "--checks", action="store_true", help="also run the checks package beside the problems"
    )
    parser.add_argument(
        "--workers", type=at_least_one, default=os.cpu_count() or 1, help="default: one per core"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Validate everything; 1 where a row is defective, else 0."""
    with Grader(workers=arguments.workers) as grader:
        problems = load_problems(arguments.problems, check_golds=grader.check_golds)
        reports = grader.validate_many(problems, progress=sys.stderr.isatty())
    for problem, report in zip(problems, reports, strict=True):
        _tell(problem, report.get("defects", []), "")
        _tell(problem, report.get("warnings", []), "warning: ")
    checks = _checks(arguments, problems) if arguments.checks else []
    for problem, check in zip(problems, checks, strict=False):
        _tell(problem, [] if check["passed"] else [f"check ({check['route']}): {check['message']}"], "")
    summary = _summary(problems, reports, checks)
    print(json.dumps(summary) if arguments.json else _table(summary))
    return 1 if summary["defective"] else 0


def _checks(arguments: argparse.Namespace, problems: list[Problem]) -> list[dict[str, Any]]:
    place = builtin_folder() if arguments.problems == "builtin" else Path(arguments.problems)
    reports = run_checks(checks_of(place), problems, arguments.workers)
    return list(tqdm(reports, total=len(problems), unit="check", disable=None))


def _tell(problem: Problem, lines: Iterable[str], kind: str) -> None:
    for line in lines:
        print(f"{problem.where or problem.id}: {kind}{line}", file=sys.stderr)


def _summary(
    problems: list[Problem], reports: list[dict[str, Any]], checks: list[dict[str, Any]]
) -> dict[str, Any]:
    defective = {report["problem_id"] for report in reports if report.get("defects")}
    defective |= {check["problem_id"] for check in checks if not check["passed"]}
    mutants = Counter(mutant["outcome"] for report in reports for mutant in report.get("mutants", []))
    counts: dict[str, Counter[str]] = {
        "topic": Counter(problem.topic or "(none)" for problem in problems),
        "answer_type": Counter(problem.answer_type for problem in problems),
        "difficulty": Counter(str(problem.difficulty or "(none)") for problem in problems),
        "route": Counter(problem.verified_by or "(none)" for problem in problems),
    }
    return {
        "problems": len(problems),
        "defective": sorted(defective),
        "mutants": dict(mutants),
        "checks": {"run": len(checks), "passed": sum(check["passed"] for check in checks)},
        "counts": {name: dict(sorted(counter.items())) for name, counter in counts.items()},
    }


def _table(summary: dict[str, Any]) -> str:
    lines = [f"{summary['problems']} problems, {len(summary['defective'])} defective"]
    lines.append("mutants: " + ", ".join(f"{count} {name}" for name, count in summary["mutants"].items()))
    if summary["checks"]["run"]:
        lines.append(
            f"independent checks: {summary['checks']['passed']} of {summary['checks']['run']} passed"
        )
    for name, counts in summary["counts"].items():
        lines.append(f"by {name.replace('_', ' ')}:")
        lines += [f"  {key:<60}{count:>6}" for key, count in counts.items()]
    return "\n".join(lines)
