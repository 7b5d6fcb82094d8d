"""Measured pass rates: how often the problems were solved, by runs of vf-eval and by verdict files.

A run is a folder with `traces.jsonl` (or a folder of such), or a file of traces or of verdict rows. Counted
are rollouts with a verdict; those that failed for no fault of the answer, and those of another problem of the
same id (another gold), are told and not counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.rows import read_rows
from scientific_math_critpt_env.problems.schema import Problem


@dataclass
class Measured:
    """What runs say about a set of problems."""

    solved: dict[str, int] = field(default_factory=dict)
    """Correct answers by problem id; every problem with a rollout is there."""
    rollouts: dict[str, int] = field(default_factory=dict)
    """Rollouts with a verdict, by problem id."""
    failed: int = 0
    """Rollouts without a verdict: an endpoint or a grader failed."""
    other_problem: int = 0
    """Rollouts of a problem that has the id of one here and another gold."""
    unknown: set[str] = field(default_factory=set)
    """Ids that no problem here has."""

    def rates(self, least: int = 1) -> dict[str, float]:
        """Pass rate by id, where there are at least that many rollouts."""
        return {name: self.solved[name] / count for name, count in self.rollouts.items() if count >= least}


def measure(runs: Iterable[Path], problems: Mapping[str, Problem]) -> Measured:
    """Count the verdicts of all runs. Raises ProblemError with file and line for what is no run."""
    measured = Measured()
    for run in runs:
        for file in _files(run):
            for where, fields in _rows(file):
                for name, status, gold in _verdicts(where, fields):
                    _count(measured, problems, name, status, gold)
    return measured


def _count(
    measured: Measured, problems: Mapping[str, Problem], name: str, status: str | None, gold: str | None
) -> None:
    if name not in problems:
        measured.unknown.add(name)
    elif gold is not None and gold != problems[name].answer_fn:
        measured.other_problem += 1
    elif status is None:
        measured.failed += 1
    else:
        measured.rollouts[name] = measured.rollouts.get(name, 0) + 1
        measured.solved[name] = measured.solved.get(name, 0) + (status == "correct")


def _files(run: Path) -> list[Path]:
    if not run.exists():
        raise ProblemError(f"{run}: no such run")
    if run.is_file():
        return [run]
    found = sorted(run.rglob("traces.jsonl"))
    if not found:
        raise ProblemError(f"{run}: holds no traces.jsonl; name a run of vf-eval or a file of verdicts")
    return found


def _rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in read_rows(file):
        if row.defect:
            raise ProblemError(f"{row.where}: {row.defect}")
        yield row.where, row.fields


def _verdicts(where: str, fields: dict[str, Any]) -> Iterator[tuple[str, str | None, str | None]]:
    """(problem id, status or None where the rollout failed, the gold it was graded against if known)."""
    if isinstance(fields.get("id"), str) and isinstance(fields.get("status"), str):
        yield fields["id"], fields["status"], None
        return
    try:
        traces = fields.get("traces", [fields])
        for trace in traces:
            task = trace["task"]
            verdict = trace.get("info", {}).get("verdict")
            problem = task.get("data", {}).get("problem") or {}
            status = verdict["status"] if verdict and trace.get("ok", True) else None
            yield task["key"], status, problem.get("answer_fn")
    except (KeyError, TypeError, AttributeError) as error:
        shown = json.dumps(sorted(fields))[:80]
        raise ProblemError(
            f"{where}: neither a trace nor a verdict row ({error}); its keys are {shown}"
        ) from None
