"""The data sets of a run: canonical rows (`id`, `problem`, `answer`), or our `Problem` rows.

A canonical row: {"id": "gsm8k.1", "problem": "Janet's ducks ...", "answer": "18", "source": "gsm8k"}
Which kind a file holds is seen in its first row; all rows of a data set are of one kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.rows import Row, read_rows
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.runs.config import DatasetConfig
from scientific_math_critpt_env.runs.hashing import stable_hash

CANONICAL_FIELDS = ("id", "problem", "answer", "solution", "source", "metadata")

MAX_DEFECTS = 200
"""Lines of one message, as for problem files."""

GRADED_FIELDS = (
    *("answer_fn", "answer_type", "symbols", "parameters", "test_points", "rtol", "atol", "unordered"),
    *("up_to", "float_answers", "entry_point", "cpu_seconds"),
)
"""What of a `Problem` decides a verdict; its gold hash is over these."""


@dataclass(frozen=True, slots=True)
class Record:
    """One problem of a data set, of either kind."""

    id: str
    problem: str
    answer: str
    gold_hash: str
    row: dict[str, Any]
    """The row as it is kept in the snapshot."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """What each sample carries along: topic, difficulty, source; the row of a `Problem`."""
    scientific: Problem | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """The records of one data set in their order, after the limit."""

    name: str
    records: tuple[Record, ...]

    @property
    def kind(self) -> str:
        """ "problems" or "canonical"."""
        return "problems" if self.records[0].scientific is not None else "canonical"

    @property
    def hash(self) -> str:
        """Over all rows, in their order."""
        return stable_hash([record.row for record in self.records])


def load_dataset(config: DatasetConfig, folder: Path) -> Dataset:
    """The data set; its path is relative to `folder`. Raises RunError or ProblemError, a line per defect."""
    source = config.path
    if source != "builtin" and not source.startswith("hf:"):
        path = folder / source
        if not path.exists():
            raise RunError(f"{path}: no such file or folder; it is the path of data set {config.name!r}")
        if _is_canonical(path):
            return _limited(config, list(_canonical(path)))
        source = str(path)
    return _limited(config, [_of_problem(problem) for problem in load_problems(source)])


def _limited(config: DatasetConfig, records: list[Record]) -> Dataset:
    if not records:
        raise RunError(f"{config.path}: data set {config.name!r} holds no rows")
    return Dataset(config.name, tuple(records[: config.limit]))


def _of_problem(problem: Problem) -> Record:
    row = problem.model_dump(mode="json", exclude_unset=True)
    metadata: dict[str, Any] = {"topic": problem.topic, "difficulty": problem.difficulty}
    if problem.source:
        metadata["source"] = problem.source
    return Record(
        id=problem.id,
        problem=problem.prompt,
        answer=problem.answer_fn,
        gold_hash=stable_hash(problem.model_dump(mode="json", include=set(GRADED_FIELDS))),
        row=row,
        metadata={**metadata, "problem_row": row},
        scientific=problem,
    )


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.name.endswith((".jsonl", ".jsonl.gz")))


def _is_canonical(path: Path) -> bool:
    rows = (row for file in _files(path) for row in read_rows(file) if not row.defect)
    first = next(rows, None)
    return first is not None and "answer_fn" not in first.fields and "problem" in first.fields


def _canonical(path: Path) -> Iterator[Record]:
    defects: list[str] = []
    places: dict[str, str] = {}
    for row in (row for file in _files(path) for row in read_rows(file)):
        wrong = [row.defect] if row.defect else list(_defects(row, places))
        defects += [f"{row.where}: {defect}" for defect in wrong]
        if not defects:
            yield _of_canonical(row.fields)
    if defects:
        more = [f"... and {len(defects) - MAX_DEFECTS} more defects"] if len(defects) > MAX_DEFECTS else []
        raise RunError("\n".join(defects[:MAX_DEFECTS] + more))


def _defects(row: Row, places: dict[str, str]) -> Iterable[str]:
    fields = row.fields
    for name in ("id", "problem", "answer"):
        value = fields.get(name)
        if not isinstance(value, str) or not value.strip():
            yield f"{name} must be a text that is not empty; it is {value!r:.60}"
    for name in ("solution", "source"):
        if not isinstance(fields.get(name, ""), str):
            yield f"{name} must be a text; it is {fields[name]!r:.60}"
    if not isinstance(fields.get("metadata", {}), dict):
        yield f"metadata must be an object; it is {fields['metadata']!r:.60}"
    unknown = [name for name in fields if name not in CANONICAL_FIELDS]
    if unknown:
        yield f"unknown {', '.join(unknown)}; put further fields into metadata"
    problem_id = fields.get("id")
    if isinstance(problem_id, str):
        first = places.setdefault(problem_id, row.where)
        if first != row.where:
            yield f"the id {problem_id!r} is taken by {first}; give every problem its own"


def _of_canonical(fields: dict[str, Any]) -> Record:
    metadata = dict(fields.get("metadata", {}))
    # The name of our own field: a row that has one is no `Problem` for that.
    metadata.pop("problem_row", None)
    if "source" in fields:
        metadata.setdefault("source", fields["source"])
    return Record(
        id=fields["id"],
        problem=fields["problem"],
        answer=fields["answer"],
        gold_hash=stable_hash(fields["answer"]),
        row=fields,
        metadata=metadata,
    )
