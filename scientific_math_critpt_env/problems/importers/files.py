"""The files of public sets: JSON and JSON Lines, with one clear line for what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.rows import read_rows

MAX_BYTES = 512 << 20
"""Of one file; the largest public set is under 100 MB."""


def json_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON list, or of a JSON object of objects, or of JSON Lines, each with its place.

    Floats of a JSON document remember how they were written. Raises ProblemError with file and position.
    """
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        yield from lines(path)
        return
    document = json_document(path)
    entries: Sequence[tuple[str, Any]]
    if isinstance(document, list):
        entries = [(f"{path}: item {index}", entry) for index, entry in enumerate(document)]
    elif isinstance(document, dict):
        entries = [(f"{path}: item {key!r}", entry) for key, entry in document.items()]
    else:
        raise ProblemError(f"{path}:1: holds {type(document).__name__}; a list of objects is wanted")
    for where, entry in entries:
        if not isinstance(entry, dict):
            raise ProblemError(f"{where}: is {type(entry).__name__}, not an object")
        yield where, entry


def lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON Lines file, each with `path:line`."""
    for row in read_rows(path):
        if row.defect:
            raise ProblemError(f"{row.where}: {row.defect}")
        yield row.where, row.fields


class WrittenFloat(float):
    """A float that remembers how it was written: `1.50` has three digits."""

    text: str

    def __new__(cls, text: str) -> WrittenFloat:
        number = super().__new__(cls, text)
        number.text = text
        return number


def json_document(path: Path) -> Any:
    """The one JSON value of a file, floats as `WrittenFloat`. Raises ProblemError with line and column."""
    try:
        return json.loads(text_of(path), parse_float=WrittenFloat)
    except json.JSONDecodeError as error:
        raise ProblemError(f"{path}:{error.lineno}: bad JSON at column {error.colno} ({error.msg})") from None
    except RecursionError:
        raise ProblemError(f"{path}:1: JSON nested too deeply") from None


def text_of(path: Path) -> str:
    """The text of a UTF-8 file. Raises ProblemError, in one line."""
    if not path.is_file():
        raise ProblemError(f"{path}: no such file")
    if path.stat().st_size > MAX_BYTES:
        raise ProblemError(f"{path}: larger than {MAX_BYTES >> 20} MB; is it the right file?")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProblemError(f"{path}:{line}: not UTF-8; save the file as UTF-8") from None


def files_of(path: Path, *suffixes: str) -> list[Path]:
    """`path` itself, or the files with these suffixes in a folder. Raises ProblemError where none is."""
    if not path.exists():
        raise ProblemError(f"{path}: no such file or folder")
    if path.is_file():
        return [path]
    found = sorted(file for file in path.iterdir() if file.is_file() and file.name.endswith(suffixes))
    if not found:
        raise ProblemError(f"{path}: the folder holds no {' or '.join(suffixes)} file")
    return found


def text_field(row: Mapping[str, Any], name: str, where: str) -> str:
    """A field that must be there and be text. Raises ProblemError."""
    value = row.get(name)
    if not isinstance(value, str):
        what = "is missing" if name not in row else f"is {type(value).__name__}, not text"
        raise ProblemError(f"{where}: `{name}` {what}; is this file of the named set?")
    return value
