"""Write problems as a trainer's data set: JSONL rows with the prompt and what the reward function needs.

The row of the problem, gold included, goes along as JSON text where the policy never sees it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.training.datasets import FORMATS

HELP = "write problems as the data set of a trainer"
EXAMPLES = """\
  scientific-math training-data --format trl --output train.jsonl
  scientific-math training-data --format verl --problems my.jsonl --output train.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--format", required=True, choices=sorted(FORMATS), help="the trainer")
    parser.add_argument(
        "--problems", default="builtin", help="a JSONL file or folder, builtin, or hf:DATASET"
    )
    parser.add_argument("--output", type=Path, required=True, help="where the rows go (JSONL)")
    parser.add_argument("--overwrite", action="store_true", help="replace OUTPUT")


def run(arguments: argparse.Namespace) -> int:
    """Write the rows; 0, or raises with one line."""
    rows = FORMATS[arguments.format](load_problems(arguments.problems))
    with open(arguments.output, "w" if arguments.overwrite else "x", encoding="utf-8") as output:
        for row in rows:
            output.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(rows)} rows: {arguments.output}", file=sys.stderr)
    return 0
