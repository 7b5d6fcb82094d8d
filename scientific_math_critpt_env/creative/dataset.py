"""Problems with several reference solutions, in CreativeMath's format.

    [{"competition": "AMC_8", "competition_id": "AMC_8_2001", "problem_id": 7, "difficulty": 1,
      "problem": "Compute ...", "solutions": {"1": "...", "2": "..."}}, ...]

`problem_id` is the number within its contest and not unique; elsewhere a problem is known by its index in the
list. `difficulty` may be absent. A row may also hold the answer fields of our problem rows (`answer_fn`,
...), and then final answers can be graded.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scientific_math_critpt_env.creative.errors import CreativeError
from scientific_math_critpt_env.problems.schema import Problem

ANSWER_FIELDS = tuple(
    name for name in Problem.model_fields if name not in ("id", "topic", "prompt", "difficulty", "source")
)
"""Fields of our problem rows that a row may hold beside CreativeMath's."""


@dataclass(frozen=True, slots=True)
class CreativeProblem:
    """A problem and its n >= 1 reference solutions in order."""

    index: int
    """Place in the list, from 0."""
    problem: str
    solutions: tuple[str, ...]
    competition: str = ""
    competition_id: str = ""
    difficulty: int | float | str | None = None
    checkable: Problem | None = None
    """The problem as ours, where the row has a gold."""

    @property
    def n(self) -> int:
        """Number of references."""
        return len(self.solutions)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The problems of a file and the hash of its bytes."""

    path: Path
    problems: tuple[CreativeProblem, ...]
    sha256: str


def load_dataset(path: Path | str) -> Dataset:
    """The problems of a JSON file. Raises `CreativeError` with the file, the row and the reason."""
    path = Path(path)
    content, rows = read_list(path)
    problems = []
    for index, row in enumerate(rows):
        try:
            problems.append(_problem(index, row))
        except ValueError as error:
            raise CreativeError(f"{path}: problem {index}: {error}") from error
    if not problems:
        raise CreativeError(f"{path}: holds no problems")
    return Dataset(path, tuple(problems), hashlib.sha256(content).hexdigest())


def read_list(path: Path) -> tuple[bytes, list[Any]]:
    """The bytes of a JSON file and the array it holds. Raises `CreativeError`."""
    try:
        content = path.read_bytes()
        rows = json.loads(content)
    except OSError as error:
        raise CreativeError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, RecursionError) as error:
        raise CreativeError(f"{path}: no JSON: {error}") from error
    if not isinstance(rows, list):
        raise CreativeError(f"{path}: is not a JSON array")
    return content, rows


def _problem(index: int, row: Any) -> CreativeProblem:
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    text = row.get("problem")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("`problem` must be a text")
    difficulty = row.get("difficulty")
    if not isinstance(difficulty, int | float | str | None) or isinstance(difficulty, bool):
        raise ValueError("`difficulty` must be a number or a text")
    return CreativeProblem(
        index=index,
        problem=text,
        solutions=_solutions(row.get("solutions")),
        competition=str(row.get("competition") or ""),
        competition_id=str(row.get("competition_id") or ""),
        difficulty=difficulty,
        checkable=_checkable(index, text, row),
    )


def _solutions(given: Any) -> tuple[str, ...]:
    if not isinstance(given, dict) or not given:
        raise ValueError('`solutions` must be an object with texts at "1", "2", ...')
    names = [str(number) for number in range(1, len(given) + 1)]
    if set(given) != set(names):
        raise ValueError(f'`solutions` has {", ".join(sorted(given))} and must have "1" to "{len(given)}"')
    texts = [given[name] for name in names]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise ValueError("every solution must be a text")
    return tuple(texts)


def _checkable(index: int, text: str, row: dict[str, Any]) -> Problem | None:
    if row.get("answer_fn") is None:
        return None
    fields = {name: row[name] for name in ANSWER_FIELDS if name in row}
    try:
        return Problem.model_validate({"id": f"problem-{index}", "prompt": text, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
