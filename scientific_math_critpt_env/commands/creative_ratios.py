"""The five ratios of an evaluation with 95 % intervals, agreement of judges, and tables by kind of sample.

Reads CreativeMath's file, whoever wrote it; with our record beside it, abstentions and failures as well.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from scientific_math_critpt_env.commands.creative_tables import breakdown_lines, ratio_lines, reports
from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.evaluations import load_evaluation
from scientific_math_critpt_env.creative.ratios import RULES, breakdown

HELP = "ratios and agreement of an evaluation"
EXAMPLES = """\
  scientific-math creative ratios --data D.json --evaluation EVAL/M.json
  scientific-math creative ratios --data D.json --evaluation EVAL/M.json --rule paper --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the step's arguments."""
    parser.add_argument("--data", required=True, type=Path, help="problems with solutions (JSON)")
    parser.add_argument("--evaluation", required=True, type=Path, help="the evaluation: MODEL.json")
    parser.add_argument(
        "--rule", choices=RULES, default=RULES[0], help="fine-grained novelty at k = n (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Report; 0, or raises where the evaluation does not fit the data."""
    dataset = load_dataset(arguments.data)
    samples = load_evaluation(arguments.evaluation, dataset)
    summary = reports(arguments.evaluation, dataset, rule=arguments.rule, seed=arguments.seed)
    summary["by"] = breakdown(samples, dataset, arguments.rule, seed=arguments.seed)
    if arguments.json:
        print(json.dumps(summary))
        return 0
    print("\n".join([*ratio_lines(summary), *breakdown_lines(summary["by"])]))
    return 0
