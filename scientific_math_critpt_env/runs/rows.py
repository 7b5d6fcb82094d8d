"""JSON Lines of a run: one row as bytes, and rows back with where they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.compression import opened


def line_of(row: Any) -> bytes:
    """The row as one line of UTF-8.

    A model's text can hold half a surrogate pair, which UTF-8 cannot; such a row is escaped to ASCII.
    """
    try:
        text = json.dumps(row, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        text = json.dumps(row, ensure_ascii=True, allow_nan=False).encode()
    return text + b"\n"


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """`path:line` and the object of each line, unpacked by the file's suffix. Raises RunError for others."""
    with opened(path) as lines:
        for number, line in enumerate(lines, start=1):
            yield f"{path}:{number}", parsed_row(line, f"{path}:{number}")


def parsed_row(line: bytes, where: str) -> dict[str, Any]:
    """The object on a line. Raises RunError, naming `where`."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{where}: no JSON ({error}); the file was damaged or edited") from None
    if not isinstance(row, dict):
        raise RunError(f"{where}: no JSON object; the file was damaged or edited")
    return row
