"""The client's side of converting LaTeX: confined processes that are killed when they take too long."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Self

from scientific_math_critpt_env.problems.latex.reading import Reading
from scientific_math_critpt_env.problems.latex.tokens import LatexError
from scientific_math_critpt_env.sandbox import Limits, Sandbox

CHECKER = "scientific_math_critpt_env.problems.latex.confined:convert"

LIMITS = Limits(cpu_seconds=20.0, wall_seconds=120.0)
"""For one gold: antlr needs up to two seconds for the longest of them, and each is read three times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A converted gold."""

    source: str
    """In `from sympy import *` notation."""
    symbols: tuple[str, ...]
    """Names of its free symbols, sorted."""
    values: tuple[tuple[complex, ...], ...] = ()
    """Its value, or those of its parts, at each point asked for; empty where it has none there."""


class LatexReader:
    """Converts golds from LaTeX to SymPy source; a context manager, usable from several threads."""

    def __init__(self, *, workers: int | None = None, limits: Limits = LIMITS) -> None:
        """`workers`: conversions at a time, by default one per core; `limits`: of each."""
        self._limits = limits
        self._sandbox = Sandbox(checker=CHECKER, workers=workers)

    def convert(self, latex: str, reading: Reading, at: Sequence[Mapping[str, float]] = ()) -> Gold:
        """The gold, with its values `at` points. Raises LatexError where two grammars do not agree on one,
        InfrastructureError where no process can be had."""
        fields = asdict(reading) | {"exact": sorted(reading.exact)}
        payload = json.dumps({"latex": latex, "reading": fields, "at": [dict(point) for point in at]})
        outcome = self._sandbox.check_sync(payload.encode(), self._limits)
        if outcome.status != "ok":
            raise LatexError("too long", outcome.reason.removeprefix("the comparison: "))
        reply = json.loads(outcome.value)
        if "kind" in reply:
            raise LatexError(reply["kind"], reply["detail"])
        return Gold(
            source=reply["source"],
            symbols=tuple(reply["symbols"]),
            values=tuple(tuple(complex(*part) for part in value) for value in reply["values"]),
        )

    def close(self) -> None:
        """Stop every process of this reader."""
        self._sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
