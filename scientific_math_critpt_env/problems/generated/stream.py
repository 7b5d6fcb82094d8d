"""An endless, seeded stream of problems, and the way back from a problem's id.

Families come in turns: each block of the stream holds every family once, in a drawn order, so that short
runs are balanced. Not covered: that no two problems of a stream are equal; families hold 10,000 and more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import LEVELS, Family, generate
from scientific_math_critpt_env.problems.generated.registry import all_families, family_named
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.problems.selection import Difficulty, bounds

SEED_BITS = 40
"""Of the problems' own seeds: streams of other seeds share no problem, and ids stay short."""

_ID = re.compile(r"gen\.([a-z0-9_]+)\.([1-5])\.(0|[1-9][0-9]*)")


def generated(
    seed: int = 0,
    families: str | Iterable[str] | None = None,
    topics: str | Iterable[str] | None = None,
    difficulty: Difficulty | None = None,
    answer_types: str | Iterable[str] | None = None,
) -> Iterator[Problem]:
    """Problems without end, the same for the same arguments.

    `families`, `topics` and `answer_types` narrow the choice (None is all), `difficulty` is a level, a pair
    of both ends, or "2:4", "3:", ":2". Raises ProblemError where a name does not exist or nothing is left,
    ValueError for a difficulty that is none.
    """
    names = _names(families)
    chosen = list(all_families().values()) if names is None else [family_named(name) for name in names]
    chosen = _narrowed(chosen, "topic", _names(topics))
    chosen = _narrowed(chosen, "answer_type", _names(answer_types))
    low, high = (LEVELS[0], LEVELS[-1]) if difficulty is None else bounds(difficulty)
    levels = [level for level in LEVELS if low <= level <= high]
    if not levels:
        raise ValueError(f"difficulty {difficulty!r} holds no level; use levels from 1 to 5")
    return _stream(seed, chosen, levels)


def regenerate(problem_id: str) -> Problem:
    """The problem with this id; raises ProblemError for an id that no generated problem has."""
    match = _ID.fullmatch(problem_id)
    if match is None:
        raise ProblemError(
            f"{problem_id!r} is no generated problem's id; these read gen.FAMILY.DIFFICULTY.SEED"
        )
    return generate(match[1], seed=int(match[3]), difficulty=int(match[2]))


def _stream(seed: int, chosen: list[Family[Any]], levels: list[int]) -> Iterator[Problem]:
    for block in count():
        draw = Draw(f"stream/{seed}/{block}")
        for family in draw.shuffled(chosen):
            level = draw.choice(levels)
            yield generate(family, seed=draw.integer(0, 2**SEED_BITS - 1), difficulty=level)


def _narrowed(families: list[Family[Any]], field: str, wanted: list[str] | None) -> list[Family[Any]]:
    if wanted is None:
        return families
    keys = {name.strip().casefold() for name in wanted}
    there = {getattr(family, field) for family in families}
    if missing := sorted(keys - there):
        what = field.replace("_", " ")
        raise ProblemError(f"no family has the {what} {missing[0]!r}; there are {', '.join(sorted(there))}")
    return [family for family in families if getattr(family, field) in keys]


def _names(given: str | Iterable[str] | None) -> list[str] | None:
    if given is None:
        return None
    names = [given] if isinstance(given, str) else list(dict.fromkeys(given))
    if not names:
        raise ValueError("an empty choice leaves no family; leave it out to take all")
    return names
