"""CreativeMath: ask a model for new solutions, have a jury judge them, read the ratios.

Files are CreativeMath's own (<dir>/<model>.json); beside each stands <model>.run/ with every raw reply.
Killed at any point, the same command again goes on, asks nothing twice and comes to the same files.
"""

from __future__ import annotations

import argparse

from scientific_math_critpt_env.commands import creative_evaluate, creative_generate, creative_ratios

HELP = "CreativeMath: new solutions, juries, ratios"
EXAMPLES = """\
  scientific-math creative generate --data D.json --model M --base-url https://host/v1 --output-dir GEN
  scientific-math creative evaluate --data D.json --generation GEN/M.json --judges J.yaml --output-dir EVAL
  scientific-math creative ratios --data D.json --evaluation EVAL/M.json --rule paper"""

STEPS = {"generate": creative_generate, "evaluate": creative_evaluate, "ratios": creative_ratios}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the three steps and their arguments."""
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for name, module in STEPS.items():
        step = steps.add_parser(
            name,
            help=module.HELP,
            description=module.__doc__,
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(step)


def run(arguments: argparse.Namespace) -> int:
    """Run one step; its exit code."""
    return STEPS[arguments.step].run(arguments)
