"""The samples of a data set: for each problem, k = 1..n references shown, in order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.creative.dataset import CreativeProblem, Dataset, read_list
from scientific_math_critpt_env.creative.errors import CreativeError


@dataclass(frozen=True, slots=True)
class SamplePlace:
    """A new solution is asked for problem `problem_id` (its index), of whose n solutions k are shown."""

    problem_id: int
    k: int
    n: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A place and what the model wrote there."""

    place: SamplePlace
    response: str
    further: Mapping[str, Any] = field(default_factory=dict)
    """Other fields of its record, which go into the evaluation as they are."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation file: `<dir>/<model>.json`."""

    path: Path
    model: str
    """The file's name without .json."""
    samples: tuple[Sample, ...]
    sha256: str
    """Of the file's bytes."""


def places(problems: Iterable[CreativeProblem]) -> list[SamplePlace]:
    """All places, problems in order and k from 1 within each."""
    return [SamplePlace(p.index, k, p.n) for p in problems for k in range(1, p.n + 1)]


def load_generation(path: Path | str, dataset: Dataset) -> Generation:
    """The samples of a generation file, in its order; it may hold only part of the data set's.

    Raises `CreativeError` for rows that do not fit the data set, and for a place that stands twice.
    """
    path = Path(path)
    content, rows = read_list(path)
    samples = []
    for number, row in enumerate(rows):
        try:
            samples.append(_sample(row, dataset))
        except ValueError as error:
            raise CreativeError(f"{path}: record {number}: {error}") from error
    seen: set[SamplePlace] = set()
    for number, sample in enumerate(samples):
        if sample.place in seen:
            raise CreativeError(f"{path}: record {number}: this problem_id and k stand there twice")
        seen.add(sample.place)
    if not samples:
        raise CreativeError(f"{path}: holds no samples")
    return Generation(path, path.stem, tuple(samples), hashlib.sha256(content).hexdigest())


def _sample(row: Any, dataset: Dataset) -> Sample:
    if not isinstance(row, dict):
        raise ValueError("is not an object")
    numbers = [row.get(name) for name in ("problem_id", "k", "n")]
    index, k, n = (number if type(number) is int else -1 for number in numbers)
    if not 0 <= index < len(dataset.problems):
        raise ValueError(f"problem_id {row.get('problem_id')!r} is no index of {dataset.path}")
    references = dataset.problems[index].n
    if n != references or not 1 <= k <= n:
        raise ValueError(
            f"k {row.get('k')!r} and n {row.get('n')!r} do not fit problem {index} of {references} solutions"
        )
    response = row.get("response")
    if not isinstance(response, str):
        raise ValueError("`response` must be a text")
    known = {
        "problem_id",
        "k",
        "n",
        "response",
        "correctness",
        "coarse_grained_novelty",
        "fine_grained_novelty",
    }
    further = {name: value for name, value in row.items() if name not in known}
    return Sample(SamplePlace(index, k, n), response, further)
