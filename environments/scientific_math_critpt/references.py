"""The solutions that a row brings along, for novelty and for judges."""

from __future__ import annotations

from collections.abc import Mapping

from scientific_math_critpt_env.problems.schema import Problem


def solutions_of(problem: Problem) -> list[str]:
    """The reference solutions that the row gives; none where it has none."""
    given = problem.unknown.get("solutions") or []
    texts = list(given.values()) if isinstance(given, Mapping) else given
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
