"""JSON Lines, a row at a time, each with where it stands and what is wrong with it."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its fields, or the defect that keeps them from being read."""

    where: str
    """`path:line`, or the name of a data set and the index of the row."""
    fields: dict[str, Any] = field(default_factory=dict)
    defect: str = ""
    """What is wrong, and what to do; "" where the row could be read."""


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a `.jsonl` or `.jsonl.gz` file (UTF-8, blank lines skipped), in constant memory.

    A file that cannot be opened or unpacked ends with a row that says so.
    """
    number = 0
    try:
        with _open(path) as lines:
            for number, line in enumerate(lines, start=1):
                if number == 1:
                    line = line.removeprefix(_BOM)
                if line.strip():
                    yield _row(f"{path}:{number}", line.rstrip())
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield Row(f"{path}:{number + 1}", defect=f"the file cannot be read ({reason}); check the file")


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    return path.open("rb")


def _row(where: str, line: bytes) -> Row:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return Row(where, defect=f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        return Row(
            where, defect=f"bad JSON at column {error.colno} ({error.msg}); write one JSON object a line"
        )
    except RecursionError:
        return Row(where, defect="JSON nested too deeply; flatten it")
    except ValueError as error:
        # From the hooks below, or an integer of more digits than Python reads.
        return Row(where, defect=str(error))
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else type(value).__name__
        return Row(where, defect=f"{kind}, not a JSON object; write one object {{...}} a line")
    if "\\ud" in text.lower() and not _encodable(value):
        return Row(where, defect="half of a surrogate pair (\\ud...); write the character itself")
    return Row(where, value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(
            f"the key {', '.join(map(repr, repeated))} stands twice in one object; keep one of them"
        )
    return fields


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON; write null, or the number as a string")


def _encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
