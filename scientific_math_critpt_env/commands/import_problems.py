"""Import a public problem set's own files as problem rows.

Every gold is evaluated and graded as its own answer before the row is kept; what is left out is counted by
reason, and listed with its place by --report. The output is written whole or not at all.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one
from scientific_math_critpt_env.demo.programs import completion, gold_program, program
from scientific_math_critpt_env.errors import ProblemError, ScientificMathError
from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.importers import IMPORTERS, importer
from scientific_math_critpt_env.problems.importers.draft import Imported, LeftOut
from scientific_math_critpt_env.problems.importers.importing import problems as imported
from scientific_math_critpt_env.problems.latex import LatexReader
from scientific_math_critpt_env.problems.schema import Problem

HELP = "import a public problem set's files"
EXAMPLES = """\
  scientific-math import hardmath2 hardmath2_data/ --output hardmath2.jsonl --report left-out.json
  scientific-math import theoremqa theoremqa_test.json --output theoremqa.jsonl
  scientific-math import jsonl my.jsonl --fields prompt=question,latex=answer,id=uid --output out.jsonl"""

_SOURCES = "\n".join(f"  {name:<14}{importer(name).HELP}" for name in IMPORTERS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.epilog = f"sources:\n{_SOURCES}\n\n{parser.epilog}"
    parser.add_argument("source", choices=IMPORTERS, metavar="SOURCE", help="the set; see below")
    parser.add_argument("path", type=Path, metavar="PATH", help="its file, or a folder of its files")
    parser.add_argument("--output", required=True, type=Path, help="where the problem rows go (JSONL)")
    parser.add_argument("--overwrite", action="store_true", help="replace OUTPUT")
    parser.add_argument("--report", type=Path, help="where each row that is left out is listed (JSON)")
    parser.add_argument("--fields", default="", help="jsonl only: our field = its field, comma-separated")
    parser.add_argument(
        "--workers", type=at_least_one, default=os.cpu_count() or 1, help="default: one per core"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Import everything; 0, or raises with one line for what is wrong with the files."""
    if arguments.output.exists() and not arguments.overwrite:
        raise ScientificMathError(f"{arguments.output}: exists; add --overwrite to replace it")
    if arguments.fields and arguments.source != "jsonl":
        raise ScientificMathError("--fields: only the source jsonl takes a field map")
    options = {"fields": arguments.fields} if arguments.source == "jsonl" else {}
    drafts = list(importer(arguments.source).read(arguments.path, **options))
    if not drafts:
        raise ProblemError(f"{arguments.path}: holds no rows")
    with (
        LatexReader(workers=arguments.workers) as reader,
        tqdm(total=len(drafts), unit="row", disable=None) as bar,
    ):
        rows = imported(drafts, reader, arguments.workers, done=bar.update)
    rows = _graded(rows, arguments.workers)
    kept = [row.problem for row in rows if isinstance(row, Imported)]
    left_out = [row for row in rows if isinstance(row, LeftOut)]
    summary = _summary(arguments, kept, left_out)
    if arguments.report:
        with _whole(arguments.report) as output:
            places = [
                {"where": row.where, "id": row.id, "reason": row.reason, "detail": row.detail}
                for row in left_out
            ]
            output.write(json.dumps({**summary, "rows": places}, indent=2, ensure_ascii=False) + "\n")
    if not kept:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in summary["reasons"].items())
        raise ProblemError(f"{arguments.path}: no row can be imported: {reasons}")
    with _whole(arguments.output) as output:
        output.writelines(f"{_row(problem)}\n" for problem in kept)
    print(json.dumps(summary) if arguments.json else _table(summary))
    return 0


def _graded(rows: Sequence[Imported | LeftOut], workers: int) -> list[Imported | LeftOut]:
    """The rows, without those whose gold has no value or is not graded as equal to itself and its twins."""
    with Grader(workers=workers) as grader:
        made = [row for row in rows if isinstance(row, Imported)]
        defects = {id(problem): reason for problem, reason in grader.check_golds(row.problem for row in made)}
        sound = [row for row in made if id(row.problem) not in defects]
        pairs = [(row.problem, completion(code)) for row in sound for code in _answers(row)]
        verdicts = iter(grader.grade_many(pairs, progress=sys.stderr.isatty()))
        failures: dict[int, str] = {}
        for row in sound:
            for _ in _answers(row):
                verdict = next(verdicts)
                if verdict.status != "correct":
                    failures.setdefault(id(row.problem), f"{verdict.status}: {verdict.reason}")
    return [_kept(row, defects, failures) if isinstance(row, Imported) else row for row in rows]


def _answers(row: Imported) -> list[str]:
    """Programs that must be graded as correct: the gold itself, the set's own code, its other statements."""
    others = [program(row.problem, source) for source in row.sources]
    codes = [f"{code.rstrip()}\n" for code in row.codes]
    return [gold_program(row.problem), *codes, *others]


def _kept(row: Imported, defects: dict[int, str], failures: dict[int, str]) -> Imported | LeftOut:
    problem = row.problem
    for reason, found in (("gold without a value", defects), ("gold is not its own answer", failures)):
        if id(problem) in found:
            return LeftOut(where=problem.where, id=problem.id, reason=reason, detail=found[id(problem)])
    return row


@contextmanager
def _whole(path: Path) -> Iterator[IO[str]]:
    """A file that is there, whole, at the end, or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "w", encoding="utf-8") as output:
            yield output
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _row(problem: Problem) -> str:
    fields = problem.model_dump(mode="json", exclude_defaults=True)
    fields["answer_type"] = problem.answer_type
    order = [name for name in Problem.model_fields if name in fields]
    return json.dumps({name: fields[name] for name in [*order, *problem.unknown]}, ensure_ascii=False)


def _summary(
    arguments: argparse.Namespace, kept: Sequence[Problem], left_out: Sequence[LeftOut]
) -> dict[str, Any]:
    return {
        "source": arguments.source,
        "path": str(arguments.path),
        "imported": len(kept),
        "left_out": len(left_out),
        "reasons": dict(Counter(row.reason for row in left_out).most_common()),
        "answer_types": dict(Counter(problem.answer_type for problem in kept).most_common()),
        "output": str(arguments.output),
    }


def _table(summary: dict[str, Any]) -> str:
    lines = [f"{summary['imported']} problems imported, {summary['left_out']} rows left out"]
    lines += [f"  {name:<32}{count:>6}" for name, count in summary["answer_types"].items()]
    if summary["reasons"]:
        lines.append("left out:")
        lines += [f"  {reason:<32}{count:>6}" for reason, count in summary["reasons"].items()]
    lines.append(f"problems: {summary['output']}")
    return "\n".join(lines)
