"""Problems from files, folders, the package itself or the Hugging Face hub.

All defects of all rows are told in one ProblemError, a line each with file and line number. Loading never
evaluates a gold: who can (the grading package) passes `check_golds`, and its findings are told along.
"""

from __future__ import annotations

import difflib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.defects import problem_error, row_defects
from scientific_math_critpt_env.problems.hub import hub_rows
from scientific_math_critpt_env.problems.rows import Row, read_rows
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.problems.selection import Difficulty, PassRate, select

GoldCheck = Callable[[Sequence[Problem]], Iterable[tuple[Problem, str]]]
"""Evaluates the golds and gives, for each defective one, the problem and what is wrong with it."""

_SUFFIXES = (".jsonl", ".jsonl.gz")
_PACKAGE = Path(__file__).resolve().parent.parent


def load_problems(
    source: str | os.PathLike[str] = "builtin",
    *,
    topics: str | Iterable[str] | None = None,
    answer_types: str | Iterable[str] | None = None,
    difficulty: Difficulty | None = None,
    pass_rate: PassRate | None = None,
    check_golds: GoldCheck | None = None,
) -> list[Problem]:
    """The problems of `source` that match the filters (see `select`), in their order.

    `source` is "builtin", a `.jsonl` or `.jsonl.gz` file, a folder of these (taken in the order of their
    names) or "hf:<dataset>[:split]". Raises ProblemError with a line per defect, or where nothing is there or
    matches. Fields the schema does not know are kept and named once, in a warning.
    """
    reading = _Reading()
    problems = list(reading.problems(_rows(source)))
    if not problems and not reading.defects:
        raise ProblemError(f"{source}: holds no problems; write one JSON object a line")
    if not reading.defects:
        problems = select(
            problems, topics=topics, answer_types=answer_types, difficulty=difficulty, pass_rate=pass_rate
        )
    if check_golds is not None:
        reading.defects += [f"{gold.where or gold.id}: {defect}" for gold, defect in check_golds(problems)]
    reading.finish()
    return problems


def iter_problems(path: str | os.PathLike[str]) -> Iterator[Problem]:
    """The problems of one file, as they are read: memory does not grow with the rows, only with their ids.

    Defective rows are passed over; after the last row one ProblemError tells them all.
    """
    reading = _Reading()
    yield from reading.problems(read_rows(_existing(Path(path))))
    reading.finish()


class _Reading:
    """What has been seen so far: ids, unknown fields and defects."""

    def __init__(self) -> None:
        self.defects: list[str] = []
        self._places: dict[str, str] = {}
        self._unknown: dict[str, str] = {}

    def problems(self, rows: Iterable[Row]) -> Iterator[Problem]:
        for row in rows:
            if row.defect:
                self.defects.append(f"{row.where}: {row.defect}")
                continue
            repeated = self._repeated(row)
            try:
                problem = Problem.model_validate(row.fields).at(row.where)
            except ValidationError as error:
                self.defects += row_defects(row.where, error)
                continue
            for name in problem.unknown:
                self._unknown.setdefault(name, row.where)
            if not repeated:
                yield problem

    def finish(self) -> None:
        """Warn of unknown fields, once, and raise ProblemError if anything was defective."""
        if self._unknown:
            named = ", ".join(f"{name!r}{_meant(name)}" for name in self._unknown)
            first = next(iter(self._unknown.values()))
            warnings.warn(f"{first}: fields the schema does not know are kept: {named}", stacklevel=3)
        if self.defects:
            raise problem_error(self.defects)

    def _repeated(self, row: Row) -> bool:
        name = row.fields.get("id")
        if not isinstance(name, str):
            return False
        first = self._places.setdefault(name, row.where)
        if first != row.where:
            self.defects.append(
                f"{row.where}: the id {name!r} is taken by {first}; give every problem its own"
            )
        return first != row.where


def _rows(source: str | os.PathLike[str]) -> Iterator[Row]:
    if source == "":
        raise ProblemError(
            "the problems have an empty name; name a .jsonl file, a folder, 'builtin' or 'hf:...'"
        )
    if isinstance(source, str) and source.startswith("hf:"):
        name, _, split = source.removeprefix("hf:").partition(":")
        yield from hub_rows(name, split)
        return
    path = builtin_folder() if source == "builtin" else _existing(Path(source))
    if not path.is_dir():
        yield from read_rows(path)
        return
    files = sorted(file for file in path.iterdir() if file.name.endswith(_SUFFIXES) and file.is_file())
    if not files:
        raise ProblemError(f"{path}: the folder holds no .jsonl file; name a file or another folder")
    for file in files:
        yield from read_rows(file)


def builtin_folder() -> Path:
    """The package's own problems: inside it when installed, beside it in a checkout."""
    for folder in (_PACKAGE / "_data", _PACKAGE.parent / "data"):
        if folder.is_dir() and any(folder.glob("*.jsonl")):
            return folder
    raise ProblemError(
        "builtin: this installation holds no problem files; install the package again, or name a file"
    )


def _existing(path: Path) -> Path:
    if not path.exists():
        raise ProblemError(
            f"{path}: no such file or folder; name a .jsonl file, a folder, 'builtin' or 'hf:...'"
        )
    return path


def _meant(unknown: str) -> str:
    close = difflib.get_close_matches(unknown, Problem.model_fields, n=1, cutoff=0.8)
    return f" (did you mean {close[0]!r}?)" if close else ""
