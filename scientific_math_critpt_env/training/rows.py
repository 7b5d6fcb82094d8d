"""The problem that a trainer's row means, in whatever shape the trainer hands it over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from pydantic import ValidationError

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.defects import problem_error, row_defects
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem

KEPT = 4096
"""Problems kept by their JSON text: a row is asked for once for each of its rollouts, in a short time."""


def problem_of(given: object) -> Problem:
    """The problem: itself, its row as a mapping or as JSON text, or the id of a built-in one.

    JSON text is the safest column: Arrow gives all rows of a column the same fields, filled with None, and
    merges the names in `symbols` of all problems. Such fillings are taken out again here. Raises
    `ProblemError`.
    """
    if isinstance(given, Problem):
        return given
    if isinstance(given, str):
        return _of_json(given) if given.lstrip().startswith("{") else _builtin(given)
    if isinstance(given, Mapping):
        return _validated(dict(given), f"row {given.get('id', '')!r}")
    raise ProblemError(
        f"no problem in the row: {type(given).__name__} given; pass its row, its JSON text, or a built-in id"
    )


@lru_cache(maxsize=KEPT)
def _of_json(text: str) -> Problem:
    try:
        row = json.loads(text)
    except ValueError as error:
        raise ProblemError(f"the problem is no JSON: {error}; text begins {text[:60]!r}") from error
    return _validated(row, f"row {row.get('id', '')!r}")


def _validated(row: dict[str, Any], where: str) -> Problem:
    try:
        return Problem.model_validate(_without_fillings(row))
    except ValidationError as error:
        raise problem_error(row_defects(where, error)) from error


def _without_fillings(value: Any) -> Any:
    """The same without None, at any depth: no field of a row means anything by it."""
    if isinstance(value, Mapping):
        return {name: _without_fillings(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_without_fillings(part) for part in value if part is not None]
    return value


def _builtin(name: str) -> Problem:
    try:
        return _builtins()[name]
    except KeyError:
        raise ProblemError(
            f"no built-in problem has the id {name!r}; for your own problems pass the whole row"
        ) from None


@cache
def _builtins() -> dict[str, Problem]:
    return {problem.id: problem for problem in load_problems("builtin")}
