"""Have a jury judge new solutions in three stages, written to OUTPUT_DIR/MODEL.json in CreativeMath's format.

The jury is a YAML file (docs/judging.md). With --grade, final answers of problems that have a gold
(`answer_fn` in the data) are graded: `first` leaves to the jury only what the grader cannot decide, `both`
also asks it about the rest and reports how far they agree. Exit code 1 where judges failed and left samples
undecided: the same command asks those again, and nobody else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.creative_tables import ratio_lines, reports
from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.creative.dataset import Dataset, load_dataset
from scientific_math_critpt_env.creative.evaluation import EvaluationRules, evaluate
from scientific_math_critpt_env.creative.export import exported
from scientific_math_critpt_env.creative.folders import RunFolder, write_whole
from scientific_math_critpt_env.creative.grading import AnswerGrader
from scientific_math_critpt_env.creative.manifests import evaluation_manifest
from scientific_math_critpt_env.creative.records import SampleRecord
from scientific_math_critpt_env.creative.samples import Generation, load_generation, places
from scientific_math_critpt_env.creative.stages import STAGES, StageRules
from scientific_math_critpt_env.judging import Jury, load_jury
from scientific_math_critpt_env.judging.reading import READINGS

HELP = "have a jury judge new solutions"
EXAMPLES = """\
  scientific-math creative evaluate --data D.json --generation GEN/M.json --judges J.yaml --output-dir EVAL
  scientific-math creative evaluate --data D.json --generation GEN/M.json --judges J.yaml --output-dir EVAL \\
      --grade both --exclude-author --budget 20"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the step's arguments."""
    rules = StageRules()
    parser.add_argument("--data", required=True, type=Path, help="problems with solutions (JSON)")
    parser.add_argument("--generation", required=True, type=Path, help="samples: MODEL.json")
    parser.add_argument("--judges", required=True, type=Path, help="the jury (YAML)")
    parser.add_argument("--output-dir", required=True, type=Path, help="folder of the evaluation")
    parser.add_argument(
        "--correctness-rule", default=rules.correctness, help="voting rule (default: %(default)s)"
    )
    parser.add_argument("--novelty-rule", default=rules.novelty, help="voting rule (default: %(default)s)")
    parser.add_argument("--reading", choices=READINGS, help="how verdicts are read (default: strict)")
    parser.add_argument(
        "--grade", choices=("off", "first", "both"), default="off", help="grade final answers (default: off)"
    )
    parser.add_argument(
        "--workers", type=at_least_one, help="answers graded at a time (default: one per core)"
    )
    parser.add_argument("--author", help="model that wrote the samples (default: the file's name)")
    parser.add_argument("--exclude-author", action="store_true", default=None, help="no judge judges itself")
    parser.add_argument("--budget", type=_money, help="stop before this run's new calls cost more")
    parser.add_argument("--max-calls", type=at_least_one, help="stop after so many new calls")
    parser.add_argument("--seed", type=int, default=rules.seed, help="of fences and of reference order")
    parser.add_argument("--keep-order", action="store_true", help="show references in the order of the data")
    parser.add_argument("--keep-transitions", action="store_true", help="leave comparing sentences in")
    parser.add_argument(
        "--overwrite", action="store_true", help="begin anew where other things were asked for"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Evaluate; 0, or 1 where failed judges left samples undecided."""
    dataset = load_dataset(arguments.data)
    generation = load_generation(arguments.generation, dataset)
    jury = load_jury(
        arguments.judges,
        reading=arguments.reading,
        exclude_author=arguments.exclude_author,
        budget=arguments.budget,
        max_calls=arguments.max_calls,
    )
    rules = EvaluationRules(
        stages=StageRules(
            correctness=arguments.correctness_rule,
            novelty=arguments.novelty_rule,
            shuffle=not arguments.keep_order,
            seed=arguments.seed,
        ),
        remove_transitions=not arguments.keep_transitions,
        grade=arguments.grade,
        author=arguments.author or generation.model,
    )
    rules.refuse_defects(jury)
    folder = RunFolder(arguments.output_dir, generation.model)
    folder.refuse_inputs(data=arguments.data, generation=arguments.generation)
    folder.begin(evaluation_manifest(dataset, generation, jury, rules), overwrite=arguments.overwrite)
    if jury.cache is None:
        jury.cache = folder.replies
    records, judges = asyncio.run(_evaluated(dataset, generation, jury, rules, arguments.workers))
    folder.write_record(record.row() for record in records)
    write_whole(folder.output, exported(records, [judge.name for judge in jury.judges]))
    return _report(arguments, dataset, folder, records, judges)


def _money(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not (math.isfinite(amount) and amount >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of at least 0")
    return amount


async def _evaluated(
    dataset: Dataset, generation: Generation, jury: Jury, rules: EvaluationRules, workers: int | None
) -> tuple[list[SampleRecord], dict[str, Any]]:
    with tqdm(total=len(generation.samples), unit="sample", disable=None) as bar:

        def each(record: SampleRecord) -> None:
            bar.update()
            bar.set_postfix_str(f"{jury.calls} calls, cost {jury.cost:.2f}", refresh=False)

        async with jury:
            with AnswerGrader(workers=workers) as grader:
                records = await evaluate(dataset, generation, jury, rules, grader=grader, each=each)
            return records, jury.report()


def _report(
    arguments: argparse.Namespace,
    dataset: Dataset,
    folder: RunFolder,
    records: list[SampleRecord],
    judges: dict[str, Any],
) -> int:
    states = {
        stage: {
            state: sum(record.stages[stage].state == state for record in records)
            for state in ("judged", "skipped", "abstained", "failed")
        }
        for stage in STAGES
    }
    failed = sum(counts["failed"] for counts in states.values())
    suspicious = [record for record in records if record.suspicions]
    for name, judge in judges.items():
        if judge["failed"]:
            told = f"judge {name} failed {judge['failed']} times, the last time: {judge['last_failure']}"
            print(f"scientific-math creative: {told}", file=sys.stderr)
    if failed:
        told = f"{failed} samples are undecided because judges failed; the same command asks those again"
        print(f"scientific-math creative: {told}", file=sys.stderr)
    missing = len(places(dataset.problems)) - len(records)
    if missing:
        told = f"{arguments.generation} lacks {missing} samples of the data; the ratios are of the others"
        print(f"scientific-math creative: {told}", file=sys.stderr)
    summary = {
        "samples": len(records),
        "samples_missing": missing,
        "states": states,
        "judges": judges,
        "cost": sum(judge["cost"] for judge in judges.values()),
        "transitions_removed": sum(bool(record.removed) for record in records),
        "suspicious": [
            {"problem_id": r.sample.place.problem_id, "k": r.sample.place.k, "signs": list(r.suspicions)}
            for r in suspicious
        ],
        **reports(folder.output, dataset),
        "output": str(folder.output),
        "record": str(folder.record),
    }
    if arguments.json:
        print(json.dumps(summary))
    else:
        print("\n".join(_lines(summary)))
    return int(failed > 0)


def _lines(summary: dict[str, Any]) -> list[str]:
    lines = [f"{summary['samples']} samples judged"]
    for stage, counts in summary["states"].items():
        lines.append(
            f"  {stage:<24}" + ", ".join(f"{count} {state}" for state, count in counts.items() if count)
        )
    for name, judge in summary["judges"].items():
        votes = ", ".join(f"{count} {verdict}" for verdict, count in sorted(judge["votes"].items()))
        lines.append(
            f"  {name:<24}{votes}; {judge['asked']} asked, {judge['known']} known, cost {judge['cost']:.4f}"
        )
    if summary["suspicious"]:
        lines.append(
            f"{len(summary['suspicious'])} responses address their judges; see suspicions in the record"
        )
    lines += ratio_lines(summary)
    return [*lines, f"evaluation: {summary['output']}", f"record:     {summary['record']}"]
