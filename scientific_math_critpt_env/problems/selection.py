"""Choosing problems by topic, answer type and difficulty; a choice that matches nothing is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES, Problem

Difficulty = int | tuple[int, int] | str

_RANGE = re.compile(r"\s*(\d+)?\s*(:)?\s*(\d+)?\s*")


def select(
    problems: Sequence[Problem],
    *,
    topics: str | Iterable[str] | None = None,
    answer_types: str | Iterable[str] | None = None,
    difficulty: Difficulty | None = None,
) -> list[Problem]:
    """The problems that match every filter given, in their order.

    Topics match whatever their case. `difficulty` is one level, a pair of both ends, or "2:4", "3:", ":2";
    problems without one match no difficulty. Raises ProblemError naming what there is where a topic, an
    answer type or the whole choice matches nothing, and ValueError for an unknown answer type or range.
    """
    chosen = list(problems)
    if topics is not None:
        chosen = _by_name(chosen, "topic", _names(topics), lambda problem: problem.topic)
    if answer_types is not None:
        wanted = _names(answer_types)
        unknown = [name for name in wanted if name.casefold() not in ANSWER_TYPES]
        if unknown:
            raise ValueError(f"unknown answer type {unknown[0]!r}; use one of {', '.join(ANSWER_TYPES)}")
        chosen = _by_name(chosen, "answer type", wanted, lambda problem: problem.answer_type)
    if difficulty is not None:
        chosen = _by_difficulty(chosen, difficulty)
    return chosen


def _names(given: str | Iterable[str]) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not names:
        raise ValueError("an empty filter matches nothing; leave it out to take every problem")
    return names


def _by_name(
    problems: list[Problem], what: str, wanted: list[str], value: Callable[[Problem], str]
) -> list[Problem]:
    there = {value(problem).strip().casefold() for problem in problems}
    missing = [name for name in wanted if name.strip().casefold() not in there]
    if missing:
        listed = ", ".join(sorted({repr(value(problem)) for problem in problems}))
        raise ProblemError(f"no problem has the {what} {', '.join(map(repr, missing))}; there are {listed}")
    keys = {name.strip().casefold() for name in wanted}
    return [problem for problem in problems if value(problem).strip().casefold() in keys]


def _by_difficulty(problems: list[Problem], difficulty: Difficulty) -> list[Problem]:
    low, high = _bounds(difficulty)
    chosen = [p for p in problems if p.difficulty is not None and low <= p.difficulty <= high]
    if not chosen:
        levels = sorted({p.difficulty for p in problems if p.difficulty is not None})
        there = f"there are {', '.join(map(str, levels))}" if levels else "no problem here states one"
        raise ProblemError(f"no problem has a difficulty of {low} to {high}; {there}")
    return chosen


def _bounds(difficulty: Difficulty) -> tuple[int, int]:
    if isinstance(difficulty, str):
        match = _RANGE.fullmatch(difficulty)
        if match is None or not (match[1] or match[3]):
            raise ValueError(f"difficulty {difficulty!r} is no range; write 3, 2:4, 3: or :2")
        low = int(match[1] or 1)
        high = int(match[3]) if match[3] else 5 if match[2] else low
    elif isinstance(difficulty, int):
        low = high = difficulty
    else:
        low, high = difficulty
    if low > high:
        raise ValueError(f"difficulty {low} to {high} is empty; give the lower end first")
    return low, high
