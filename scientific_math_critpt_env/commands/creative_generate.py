"""Ask a model for new solutions: k = 1..n for each problem, in order, written to OUTPUT_DIR/MODEL.json.

Sentences in which a solution compares itself with the given ones are taken out (kept in the record, with the
raw replies). A sample that could not be had is left out, told, and asked for again by the same command.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one, limit_seconds
from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.folders import RunFolder, file_name, write_whole
from scientific_math_critpt_env.creative.generation import Written, exported, generate
from scientific_math_critpt_env.creative.samples import places
from scientific_math_critpt_env.judging.checks import refuse_defects
from scientific_math_critpt_env.judging.judge import CONCURRENCY, RETRIES, TIMEOUT_SECONDS, Judge

HELP = "ask a model for new solutions"
EXAMPLES = """\
  scientific-math creative generate --data D.json --model M --base-url http://host:8000/v1 --output-dir GEN
  scientific-math creative generate --data D.json --model M --base-url https://host/v1 --api-key-var KEY \\
      --sampling '{"temperature": 0.7, "max_tokens": 8192}' --output-dir GEN"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the step's arguments."""
    parser.add_argument("--data", required=True, type=Path, help="problems with solutions (JSON)")
    parser.add_argument("--model", required=True, help="model to ask")
    parser.add_argument("--base-url", required=True, help="OpenAI-compatible endpoint, up to /v1")
    parser.add_argument("--output-dir", required=True, type=Path, help="folder of MODEL.json")
    parser.add_argument("--name", help="name of the file instead of the model's")
    parser.add_argument("--api-key-var", default="", help="environment variable with the key (default: none)")
    parser.add_argument("--sampling", type=_object, default={}, help="further request fields, as JSON")
    parser.add_argument("--concurrency", type=at_least_one, default=CONCURRENCY, help="default: %(default)s")
    parser.add_argument("--timeout", type=limit_seconds, default=TIMEOUT_SECONDS, help="default: %(default)s")
    parser.add_argument("--max-calls", type=at_least_one, help="stop after so many new samples")
    parser.add_argument("--keep-transitions", action="store_true", help="leave comparing sentences in")
    parser.add_argument(
        "--overwrite", action="store_true", help="begin anew where other things were asked for"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Generate; 0, or 1 where samples could not be had."""
    dataset = load_dataset(arguments.data)
    model = Judge(
        name=arguments.model,
        model=arguments.model,
        base_url=arguments.base_url,
        key_variable=arguments.api_key_var,
        sampling=arguments.sampling,
        concurrency=arguments.concurrency,
        timeout=arguments.timeout,
        retries=RETRIES,
    )
    refuse_defects([model])
    folder = RunFolder(arguments.output_dir, file_name(arguments.name or arguments.model))
    folder.refuse_inputs(data=arguments.data)
    manifest = {
        "data": dataset.sha256,
        "model": model.model,
        "sampling": model.sampling,
        "remove_transitions": not arguments.keep_transitions,
    }
    folder.begin(manifest, overwrite=arguments.overwrite)
    with tqdm(total=len(places(dataset.problems)), unit="sample", disable=None) as bar:

        def each(written: Written) -> None:
            bar.update()

        samples = asyncio.run(
            generate(
                dataset,
                model,
                replies=folder.replies,
                remove_transitions=not arguments.keep_transitions,
                max_calls=arguments.max_calls,
                each=each,
            )
        )
    folder.write_record(sample.row() for sample in samples)
    write_whole(folder.output, exported(samples))
    _report(arguments, folder, samples)
    return int(any(sample.state == "failed" for sample in samples))


def _report(arguments: argparse.Namespace, folder: RunFolder, samples: list[Written]) -> None:
    states = Counter(sample.state for sample in samples)
    cleaned = sum(bool(sample.removed) for sample in samples)
    failed = [sample for sample in samples if sample.state == "failed"]
    for reason, count in Counter(sample.error for sample in failed).most_common(5):
        print(f"scientific-math creative: {count} samples could not be had: {reason}", file=sys.stderr)
    if arguments.json:
        summary = {
            "samples": len(samples),
            "states": dict(sorted(states.items())),
            "with_transitions_removed": cleaned,
            "prompt_tokens": sum(sample.prompt_tokens for sample in samples),
            "completion_tokens": sum(sample.completion_tokens for sample in samples),
            "output": str(folder.output),
            "record": str(folder.record),
        }
        print(json.dumps(summary))
        return
    told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    print(f"{len(samples)} samples: {told}; transitions removed from {cleaned}")
    print(f"samples: {folder.output}\nrecord:  {folder.record}")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON object")
    return value
