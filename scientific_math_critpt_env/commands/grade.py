"""Grade completions against problems, one verdict row a completion, in input order.

Rows of the completions file: {"id": problem id, "completion": text, "rollout": int (optional)}.
Verdicts are written as they come, so an interrupted run keeps what it has; --resume goes on after it.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from tqdm import tqdm

from scientific_math_critpt_env.commands.numbers import at_least_one, limit_seconds
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.grading.completions import Completion, count_completions, iter_completions
from scientific_math_critpt_env.grading.driving import run_to_end
from scientific_math_critpt_env.grading.grader import GRADERS, Grader
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.problems.defects import problem_error
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.sandbox import Limits

HELP = "grade completions against problems"
EXAMPLES = """\
  scientific-math grade --problems builtin --completions completions.jsonl --output verdicts.jsonl
  scientific-math grade --problems my.jsonl --completions c.jsonl --output v.jsonl --grader critpt-v1 --json
  scientific-math grade --problems my.jsonl --completions c.jsonl --output v.jsonl --resume"""

IN_FLIGHT = 256
"""Grades begun ahead of the one written next: enough for any machine, little enough for memory."""


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a write says where a disk, a quota or a file-size limit is used up."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    defaults = Limits()
    parser.add_argument(
        "--problems", required=True, help='a JSONL file, a folder of them, "builtin", or hf:DATASET[:SPLIT]'
    )
    parser.add_argument("--completions", required=True, type=Path, help="JSONL rows: id, completion, rollout")
    parser.add_argument("--output", required=True, type=Path, help="where the verdict rows go (JSONL)")
    parser.add_argument(
        "--grader", choices=GRADERS, default=GRADERS[0], help="contract (default: %(default)s)"
    )
    parser.add_argument("--workers", type=at_least_one, help="runs at a time (default: one per core)")
    parser.add_argument(
        "--cpu-seconds", type=limit_seconds, default=defaults.cpu_seconds, help="default: %(default)s"
    )
    parser.add_argument(
        "--wall-seconds", type=limit_seconds, default=defaults.wall_seconds, help="default: %(default)s"
    )
    existing = parser.add_mutually_exclusive_group()
    existing.add_argument("--resume", action="store_true", help="go on after the rows OUTPUT already holds")
    existing.add_argument("--overwrite", action="store_true", help="replace OUTPUT")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def run(arguments: argparse.Namespace) -> int:
    """Grade everything; 0, or raises with one line per defect."""
    _refuse_bad_output(arguments)
    problems = {problem.id: problem for problem in load_problems(arguments.problems)}
    total = count_completions(arguments.completions, problems)
    statuses: Counter[str] = Counter()
    done = _rows_done(arguments)
    limits = Limits(cpu_seconds=arguments.cpu_seconds, wall_seconds=arguments.wall_seconds)
    with Grader(grader=arguments.grader, workers=arguments.workers, limits=limits) as grader:
        _refuse_bad_golds(grader, problems, arguments.completions)
        score = _grade_all(arguments, grader, problems, done, total, statuses)
    _report(arguments, total, statuses, score)
    return 0


def _grade_all(
    arguments: argparse.Namespace,
    grader: Grader,
    problems: dict[str, Problem],
    done: list[dict[str, Any]],
    total: int,
    statuses: Counter[str],
) -> float:
    """Write the verdicts that are not there yet; the sum of all scores. Counts into `statuses`."""
    score = 0.0
    with (
        _opened(arguments.output, "a" if arguments.resume else "w") as output,
        tqdm(total=total, initial=len(done), unit="answer", disable=None) as bar,
    ):
        for row in done:
            statuses[row["status"]] += 1
            score += row["score"]
        rest = islice(iter_completions(arguments.completions), len(done), None)

        async def grade_the_rest() -> float:
            earned = 0.0
            async for completion, verdict in _in_order(grader, problems, rest):
                _write(output, completion, verdict)
                statuses[verdict.status] += 1
                earned += verdict.score
                bar.update()
            return earned

        return score + run_to_end(grade_the_rest())


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[IO[str]]:
    """The file; a full disk is told with its name, which the error, raised by a write, does not have."""
    try:
        with open(path, mode, encoding="utf-8") as output:
            yield output
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


async def _in_order(
    grader: Grader, problems: dict[str, Problem], completions: Iterator[Completion]
) -> AsyncIterator[tuple[Completion, Verdict]]:
    """Verdicts in input order with at most `IN_FLIGHT` grades begun; the rest is cancelled if one fails."""
    begun: deque[tuple[Completion, asyncio.Task[Verdict]]] = deque()

    def begin(completion: Completion) -> None:
        work = grader.agrade(problem=problems[completion.id], completion=completion.text)
        begun.append((completion, asyncio.create_task(work)))

    try:
        for completion in islice(completions, IN_FLIGHT):
            begin(completion)
        while begun:
            completion, task = begun[0]
            verdict = await task
            begun.popleft()
            yield completion, verdict
            for following in islice(completions, 1):
                begin(following)
    finally:
        for _, task in begun:
            task.cancel()


def _refuse_bad_output(arguments: argparse.Namespace) -> None:
    """Before anything is opened for writing: --overwrite must not empty what is read."""
    path: Path = arguments.output
    if path.is_dir():
        raise ScientificMathError(f"{path}: is a folder; give --output the name of a file")
    if not path.exists():
        return
    for option, given in (("--completions", arguments.completions), ("--problems", Path(arguments.problems))):
        inputs = given.iterdir() if given.is_dir() else [given]
        if any(read.exists() and path.samefile(read) for read in inputs):
            raise ScientificMathError(f"{path}: is read as {option}; give --output another file")


def _refuse_bad_golds(grader: Grader, problems: dict[str, Problem], completions: Path) -> None:
    used = {completion.id for completion in iter_completions(completions)}
    defects = grader.check_golds(problem for problem in problems.values() if problem.id in used)
    if defects:
        raise problem_error([f"{problem.where}: {reason}" for problem, reason in defects])


def _rows_done(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows of an earlier, interrupted run; a torn last line is cut off. Raises where they do not fit."""
    path: Path = arguments.output
    if not path.exists() or arguments.overwrite:
        return []
    if not arguments.resume:
        raise ScientificMathError(
            f"{path}: exists; add --resume to go on after it, or --overwrite to replace it"
        )
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    rows: list[dict[str, Any]] = []
    inputs = iter_completions(arguments.completions)
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            row = json.loads(line)
            place = (row["id"], row["rollout"], row["grader"])
        except (ValueError, KeyError, TypeError):
            raise ScientificMathError(f"{path}:{number}: not a verdict row; use --overwrite") from None
        expected = next(inputs, None)
        if expected is None or place != (expected.id, expected.rollout, arguments.grader):
            raise ScientificMathError(
                f"{path}:{number}: not the verdict of the same line of {arguments.completions} under "
                f"{arguments.grader}; use --overwrite, or another --output"
            )
        rows.append(row)
    if len(whole) < len(content):
        with open(path, "r+b") as output:
            output.truncate(len(whole))
    return rows


def _write(output: IO[str], completion: Completion, verdict: Verdict) -> None:
    row = {"id": completion.id, "rollout": completion.rollout, **verdict.row()}
    output.write(json.dumps(row, ensure_ascii=False) + "\n")
    output.flush()


def _report(arguments: argparse.Namespace, total: int, statuses: Counter[str], score: float) -> None:
    mean = score / total if total else 0.0
    if arguments.json:
        summary = {
            "graded": total,
            "mean_score": mean,
            "statuses": dict(sorted(statuses.items())),
            "grader": arguments.grader,
            "output": str(arguments.output),
        }
        print(json.dumps(summary))
        return
    print(f"{total} answers graded under {arguments.grader}: mean score {mean:.4f}")
    for status, count in statuses.most_common():
        print(f"  {status:<16}{count:>8}")
    print(f"verdicts: {arguments.output}")
