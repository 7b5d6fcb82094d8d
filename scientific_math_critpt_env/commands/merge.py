"""Merge the parts of a partitioned run into one run; refuses whatever is not a part of the same one.

Checked: that all parts are there, completed and of one configuration, data, prompt, code and environment; and
that every sample is there once, as it was when its part was completed. The parts stay as they are.

Output folders of vf-eval with the same settings are merged as well, into one of their kind: of different
problems, or of further rollouts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NoReturn

from tqdm import tqdm

from scientific_math_critpt_env.runs.compression import SUFFIXES
from scientific_math_critpt_env.runs.folder import MANIFEST
from scientific_math_critpt_env.runs.merging import merge
from scientific_math_critpt_env.runs.reading import TRACES

HELP = "merge the parts of a partitioned run"
EXAMPLES = """\
  scientific-math merge --output runs/big runs/big.part-*
  scientific-math merge --output runs/big --compression gzip --allow-mixed-hardware runs/big.part-*
  scientific-math merge --output outputs/all outputs/first-half outputs/second-half"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("parts", nargs="+", type=Path, metavar="PART_DIR", help="the parts' folders")
    parser.add_argument("--output", required=True, type=Path, help="the folder of the merged run, a new one")
    parser.add_argument(
        "--compression", choices=sorted(SUFFIXES), help="of its shards (default: as the parts')"
    )
    parser.add_argument(
        "--allow-dirty", action="store_true", help="also parts made by edited or unknown code"
    )
    parser.add_argument(
        "--allow-mixed-hardware", action="store_true", help="also parts made on different GPUs or drivers"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Merge; 0, or raises with what is wrong."""
    if all((part / TRACES).is_file() and not (part / MANIFEST).is_file() for part in arguments.parts):
        from scientific_math_critpt_env.runs.merging_traces import merge_traces

        return _report(arguments, merge_traces(arguments.parts, arguments.output))
    with tqdm(unit="sample", disable=None) as bar:
        manifest = merge(
            arguments.parts,
            arguments.output,
            compression=arguments.compression,
            allow_dirty=arguments.allow_dirty,
            allow_mixed_hardware=arguments.allow_mixed_hardware,
            copied=lambda rows: _advance(bar, rows),
        )
    return _report(arguments, manifest)


def _report(arguments: argparse.Namespace, manifest: dict[str, Any]) -> int:
    counts, hashes = manifest["counts"], manifest["hashes"]
    if arguments.json:
        summary = {
            "run": str(arguments.output),
            "parts": len(arguments.parts),
            "samples": counts["samples"],
            "problems": counts["problems"],
            "content": hashes["content"],
        }
        print(json.dumps(summary))
    else:
        print(f"{len(arguments.parts)} parts merged: {counts['samples']} samples")
        print(f"run: {arguments.output}")
    return 0


def _advance(bar: tqdm[NoReturn], rows: int) -> None:
    bar.update(rows - bar.n)
