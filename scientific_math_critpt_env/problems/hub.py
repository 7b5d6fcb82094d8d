"""Rows of a Hugging Face data set; `datasets` is imported only when one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.rows import Row


def hub_rows(name: str, split: str = "") -> Iterator[Row]:
    """The rows of `name`; `split` may be left out where the data set has a single one.

    Raises ProblemError where `datasets` is missing, or the data set or the split cannot be had.
    """
    where = f"hf:{name}:{split}" if split else f"hf:{name}"
    try:
        import datasets
    except ImportError as error:
        raise ProblemError(
            f"{where}: needs the package `datasets`; pip install 'scientific-math-critpt[datasets]'"
        ) from error
    try:
        table = datasets.load_dataset(name, split=split or None)
    except (OSError, ValueError) as error:
        raise ProblemError(
            f"{where}: cannot be loaded ({error}); check its name, its split and the network"
        ) from error
    if isinstance(table, dict):
        if len(table) != 1:
            names = ", ".join(f"hf:{name}:{key}" for key in table)
            raise ProblemError(f"{where}: has several splits; name one of {names}")
        ((split, table),) = table.items()
    for index, fields in enumerate(table):
        yield Row(f"hf:{name}:{split}:{index}", _without_padding(dict(fields)))


def _without_padding(fields: dict[str, Any]) -> dict[str, Any]:
    """Arrow gives every row the keys of all rows, with null for those it lacks; take these out again."""
    symbols, points = fields.get("symbols"), fields.get("test_points")
    if isinstance(symbols, dict):
        fields["symbols"] = {
            name: {key: value for key, value in assumptions.items() if value is not None}
            for name, assumptions in symbols.items()
            if assumptions is not None
        }
    if isinstance(points, list):
        fields["test_points"] = [
            {key: value for key, value in point.items() if value is not None} for point in points
        ]
    return fields
