"""Write problems to a file: chosen rows of a set, or problems generated for a seed.

The same seed and choice give the same generated problems everywhere; `--list-families` names the families.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.problems.generated import all_families, generated
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES, Problem

HELP = "write problems to a file: chosen rows, or generated ones"
EXAMPLES = """\
  scientific-math problems --generated --seed 7 -n 1000 --output train.jsonl
  scientific-math problems --generated --families residue,hitting_time --difficulty 2:4 -n 50 --output p.jsonl
  scientific-math problems --topics fourier,series --output few.jsonl
  scientific-math problems --list-families"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--problems", help="rows to choose from (default: builtin), as for grade")
    source.add_argument("--generated", action="store_true", help="generate problems; needs -n")
    source.add_argument("--list-families", action="store_true", help="print all families, write nothing")
    parser.add_argument("--seed", type=_whole, help="of the generated problems (default: 0)")
    parser.add_argument("-n", "--count", type=_whole, help="problems to write (default: all rows)")
    parser.add_argument("--families", type=_names, help="only these, separated by commas")
    parser.add_argument("--topics", type=_names, help="only these, separated by commas")
    parser.add_argument("--answer-types", type=_names, help=f"only these of {', '.join(ANSWER_TYPES)}")
    parser.add_argument("--difficulty", help='a level from 1 to 5, or "2:4", "3:", ":2"')
    parser.add_argument("--output", type=Path, help="where the rows go (JSONL)")
    parser.add_argument("--overwrite", action="store_true", help="replace OUTPUT")


def run(arguments: argparse.Namespace) -> int:
    """Write the rows; 0, or raises with one line."""
    if arguments.list_families:
        for name, family in all_families().items():
            print(f"{name:<26}{family.topic:<40}{family.answer_type}")
        return 0
    _refuse(arguments)
    try:
        problems = _generated(arguments) if arguments.generated else _rows(arguments)
    except ValueError as error:  # a difficulty or an answer type that is none
        raise ScientificMathError(str(error)) from error
    written = 0
    with open(arguments.output, "w" if arguments.overwrite else "x", encoding="utf-8") as output:
        for problem in tqdm(problems, total=arguments.count, unit="problem", disable=None):
            output.write(_row(problem))
            written += 1
    print(f"{written} problems: {arguments.output}", file=sys.stderr)
    return 0


def _generated(arguments: argparse.Namespace) -> Iterable[Problem]:
    stream = generated(
        arguments.seed or 0,
        arguments.families,
        topics=arguments.topics,
        answer_types=arguments.answer_types,
        difficulty=arguments.difficulty,
    )
    return islice(stream, arguments.count)


def _rows(arguments: argparse.Namespace) -> Iterable[Problem]:
    problems = load_problems(
        arguments.problems or "builtin",
        topics=arguments.topics,
        answer_types=arguments.answer_types,
        difficulty=arguments.difficulty,
    )
    return problems[: arguments.count]


def _refuse(arguments: argparse.Namespace) -> None:
    if arguments.output is None:
        raise ScientificMathError("say with --output where the rows go")
    if arguments.output.exists() and not arguments.overwrite:
        raise ScientificMathError(f"{arguments.output}: exists; add --overwrite to replace it")
    if arguments.generated and arguments.count is None:
        raise ScientificMathError("generated problems have no end; say with -n how many to write")
    if not arguments.generated and (arguments.families is not None or arguments.seed is not None):
        raise ScientificMathError("--families and --seed belong to --generated; add it, or leave them out")


def _row(problem: Problem) -> str:
    row = {"id": problem.id, "topic": problem.topic, "difficulty": problem.difficulty}
    row["answer_type"] = problem.answer_type
    row |= problem.model_dump(exclude_defaults=True)
    return json.dumps(row, ensure_ascii=False) + "\n"


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _whole(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number
