"""Completions files: JSONL rows `{"id": problem id, "completion": text, "rollout": int (optional)}`."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.problems.defects import problem_error
from scientific_math_critpt_env.problems.rows import read_rows


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote for a problem."""

    id: str
    rollout: int
    """Which attempt at the problem; counted from 0 in file order where the row does not say."""
    text: str


def count_completions(path: Path, problem_ids: Container[str]) -> int:
    """How many completions the file holds; raises ProblemError with a line for every defective row."""
    defects: list[str] = []
    places: dict[tuple[str, int], str] = {}
    count = 0
    for where, fields, defect in _numbered(path):
        defect = defect or _defect(fields, problem_ids)
        if not defect:
            count += 1
            place = (fields["id"], fields["rollout"])
            first = places.setdefault(place, where)
            if first != where:
                defect = f"rollout {place[1]} of {place[0]!r} stands at {first} already; number them apart"
        if defect:
            defects.append(f"{where}: {defect}")
    if defects:
        raise problem_error(defects)
    if not count:
        raise problem_error([f"{path}: holds no completions; write one JSON object a line"])
    return count


def iter_completions(path: Path) -> Iterator[Completion]:
    """The completions of a file that `count_completions` has found sound, as they are read."""
    for _, fields, _ in _numbered(path):
        yield Completion(fields["id"], fields["rollout"], fields["completion"])


def _numbered(path: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Place, fields and defect of each row; rollouts that are not numbered get the next number."""
    seen: dict[str, int] = {}
    for row in read_rows(path):
        fields = dict(row.fields)
        name = fields.get("id")
        if isinstance(name, str):
            fields.setdefault("rollout", seen.get(name, 0))
            seen[name] = seen.get(name, 0) + 1
        yield row.where, fields, row.defect


def _defect(fields: dict[str, Any], problem_ids: Container[str]) -> str:
    if not isinstance(fields.get("id"), str):
        return "`id` is missing or no string; give the problem's id"
    if not isinstance(fields.get("completion"), str):
        return "`completion` is missing or no string; give the model's text"
    rollout = fields["rollout"]
    if not isinstance(rollout, int) or isinstance(rollout, bool) or rollout < 0:
        return f"`rollout` is {rollout!r}; give a whole number from 0"
    if fields["id"] not in problem_ids:
        return f"no problem has the id {fields['id']!r}; check the id, or --problems"
    return ""
