"""What an importer makes of one row of a public set: a draft of our row, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scientific_math_critpt_env.problems.latex import Reading
from scientific_math_critpt_env.problems.schema import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Values that the set itself states for a gold; a gold that does not have them is left out."""

    at: Mapping[str, float]
    """Values of the gold's symbols."""
    values: Sequence[complex]
    """What the gold, or its parts in any order, must be there."""
    rtol: float
    """Relative tolerance: the digits stated, or the error of an approximation."""
    atol: float = 0.0
    """Absolute tolerance, for stated values that are zero but for rounding."""
    gold: int = 0
    """Which of the draft's golds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One row on its way: fields of `Problem`, and a gold in LaTeX where `answer_fn` is still missing."""

    where: str
    """The place in the set's file, for people: `path:line` or `path: item 17`."""
    fields: Mapping[str, Any]
    ask: str = ""
    """What to return, appended to the prompt; `{symbols}` becomes the list of symbols."""
    golds: tuple[str, ...] = ()
    """LaTeX, converted one by one."""
    reading: Reading = field(default_factory=Reading)
    """How the golds are read."""
    form: str = "{0}"
    """How the converted golds make up `answer_fn`."""
    checks: tuple[Check, ...] = ()
    codes: tuple[str, ...] = ()
    """Programs of the set's own that must be graded as correct answers."""
    also: tuple[str, ...] = ()
    """The answer once more, in LaTeX: where it can be read it must be graded as correct."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A problem, with what must be graded as correct against it before it is kept."""

    problem: Problem
    codes: tuple[str, ...] = ()
    """Programs."""
    sources: tuple[str, ...] = ()
    """Expressions in the notation of golds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A row that is not imported."""

    where: str
    id: str
    reason: str
    """One of a few, for counting."""
    detail: str = ""


def left_out(draft: Draft, reason: str, detail: str = "") -> LeftOut:
    """The draft, given up."""
    return LeftOut(where=draft.where, id=str(draft.fields.get("id", "")), reason=reason, detail=detail)
