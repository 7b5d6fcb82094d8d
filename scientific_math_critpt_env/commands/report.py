"""Write a run and its verdicts as one HTML file: figures, plots, and every sample with its mathematics.

The file needs no network and nothing beside it. RUN is a replayed run folder, or one of vf-eval.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.runs.comparable import contract_of
from scientific_math_critpt_env.runs.reading import open_run

HELP = "write a run as one HTML file"
EXAMPLES = """\
  scientific-math report runs/demo --output report.html
  scientific-math report runs/demo --contract scientific-v1 --output report.html --overwrite
  scientific-math report outputs/evals/my-run --output report.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="a run folder, or one of vf-eval")
    parser.add_argument("--output", required=True, type=Path, help="where the page goes (HTML)")
    parser.add_argument("--contract", help="whose verdicts (default: the only one the run has)")
    parser.add_argument("--title", help="default: the run's name")
    parser.add_argument("--overwrite", action="store_true", help="replace OUTPUT")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Write the page; 0, or raises with one line for what is wrong."""
    # Templates and MathML are only needed here.
    from scientific_math_critpt_env.report.collecting import collect
    from scientific_math_critpt_env.report.page import page

    output: Path = arguments.output
    if output.exists() and not arguments.overwrite:
        raise ScientificMathError(f"{output}: exists; add --overwrite to replace it")
    opened = open_run(arguments.run_folder)
    contract = contract_of([opened], arguments.contract)
    opened.verify()
    collected = collect(opened, contract)
    subtitle = " · ".join([str(opened.manifest.get("model") or "unknown model"), contract])
    html = page(collected, title=arguments.title or opened.name, subtitle=subtitle)
    beside = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        beside.write_text(html, encoding="utf-8", errors="backslashreplace")
        beside.replace(output)
    finally:
        beside.unlink(missing_ok=True)
    summary = {
        "output": str(output),
        "bytes": output.stat().st_size,
        "samples": len(collected.samples),
        "problems": len(collected.problems),
        "contract": contract,
        "accuracy": collected.summary["accuracy"],
    }
    print(json.dumps(summary) if arguments.json else _told(summary))
    return 0


def _told(summary: dict[str, object]) -> str:
    accuracy = summary["accuracy"]
    share = f", accuracy {accuracy:.4f}" if isinstance(accuracy, float) else ""
    return (
        f"{summary['samples']} samples of {summary['problems']} problems under {summary['contract']}{share}\n"
        f"report: {summary['output']}"
    )
