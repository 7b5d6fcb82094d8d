"""Defects of problem data, told all at once, a line each: `path:line: what; what to do`."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES

MAX_LINES = 200
"""Lines of one message: beyond that nobody reads on, and a wrong file has a defect in every line."""

_TO_DO = {
    "missing": "is missing; add it",
    "string_type": "is no string; put it in quotes",
    "literal_error": "is unknown; use one of {expected}",
    "greater_than_equal": "is below {ge}; give {ge} or more",
    "less_than_equal": "is above {le}; give {le} or less",
    "greater_than": "is not above {gt}; give more",
    "dict_type": "is no JSON object; write {{...}}",
    "list_type": "is no JSON list; write [...]",
}


def problem_error(defects: Sequence[str]) -> ProblemError:
    """One error for all `defects`."""
    shown = list(defects[:MAX_LINES])
    if len(defects) > MAX_LINES:
        shown.append(f"... and {len(defects) - MAX_LINES} more defects")
    return ProblemError("\n".join(shown))


def row_defects(where: str, error: ValidationError) -> list[str]:
    """What `error` says about the row at `where`, a line for each field at fault."""
    return [f"{where}: {_field(detail)}" for detail in error.errors(include_url=False)]


def _field(detail: object) -> str:
    assert isinstance(detail, dict)
    name = _path(detail["loc"])
    message = str(detail["msg"]).removeprefix("Value error, ")
    if name == "answer_type" and detail["type"] == "literal_error":
        return f"unknown answer_type {detail['input']!r}; use one of {', '.join(ANSWER_TYPES)}"
    if detail["type"] in _TO_DO:
        message = _TO_DO[detail["type"]].format(**detail.get("ctx", {}))
    elif detail["type"] != "value_error":
        message = f"{message[:1].lower()}{message[1:]}; it is {detail['input']!r:.80}"
    return f"{name} {message}" if name else message


def _path(location: Sequence[object]) -> str:
    """`("test_points", 0, "x")` as `test_points[0].x`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path
