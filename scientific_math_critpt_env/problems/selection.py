"""Choosing problems by topic, answer type, difficulty and pass rate; a choice of nothing is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES, Problem

Difficulty = int | tuple[int, int] | str
PassRate = tuple[float, float] | str

_RANGE = re.compile(r"\s*(\d+)?\s*(:)?\s*(\d+)?\s*")


def select(
    problems: Sequence[Problem],
    *,
    topics: str | Iterable[str] | None = None,
    answer_types: str | Iterable[str] | None = None,
    difficulty: Difficulty | None = None,
    pass_rate: PassRate | None = None,
) -> list[Problem]:
    """The problems that match every filter given, in their order.

    Topics match whatever their case. `difficulty` is one level, a pair of both ends, or "2:4", "3:", ":2";
    problems without one match no difficulty. `pass_rate` is a pair of both ends, or "0.1:0.9", "0.5:",
    ":0.5", ends included; problems without a measured one match no rate. Raises ProblemError naming what
    there is where a topic, an answer type or the whole choice matches nothing, and ValueError for an unknown
    answer type or range.
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
    if pass_rate is not None:
        chosen = _by_pass_rate(chosen, pass_rate)
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
    low, high = bounds(difficulty)
    chosen = [p for p in problems if p.difficulty is not None and low <= p.difficulty <= high]
    if not chosen:
        levels = sorted({p.difficulty for p in problems if p.difficulty is not None})
        there = f"there are {', '.join(map(str, levels))}" if levels else "no problem here states one"
        raise ProblemError(f"no problem has a difficulty of {low} to {high}; {there}")
    return chosen


def bounds(difficulty: Difficulty) -> tuple[int, int]:
    """Both ends of a range of difficulties; raises ValueError for what is none."""
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


def _by_pass_rate(problems: list[Problem], pass_rate: PassRate) -> list[Problem]:
    low, high = rate_bounds(pass_rate)
    rated = [problem for problem in problems if problem.pass_rate is not None]
    chosen = [problem for problem in rated if low <= (problem.pass_rate or 0.0) <= high]
    if not chosen:
        rates = [problem.pass_rate for problem in rated if problem.pass_rate is not None]
        there = f"they are from {min(rates):g} to {max(rates):g}" if rates else "no problem here has one"
        raise ProblemError(f"no problem has a pass_rate of {low:g} to {high:g}; {there}")
    return chosen


def rate_bounds(pass_rate: PassRate) -> tuple[float, float]:
    """Both ends of a range of pass rates; raises ValueError for what is none."""
    if isinstance(pass_rate, str):
        start, colon, end = (part.strip() for part in pass_rate.partition(":"))
        try:
            if not colon or not (start or end):
                raise ValueError
            low, high = float(start or 0), float(end or 1)
        except ValueError:
            raise ValueError(f"pass_rate {pass_rate!r} is no range; write 0.1:0.9, 0.5: or :0.5") from None
    else:
        low, high = pass_rate
    if not 0 <= low <= high <= 1:
        raise ValueError(f"pass_rate {low:g} to {high:g} is no range within 0 to 1; give the lower end first")
    return low, high
