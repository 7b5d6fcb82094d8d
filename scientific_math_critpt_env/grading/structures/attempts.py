"""One SymPy call that may hang or raise, as a value or nothing.

SymPy raises nearly anything on objects it does not expect (TypeError, NotImplementedError, AttributeError,
ValueError, RecursionError...), and a step that found nothing is an ordinary event here: the next step is
tried, and in the end the comparison is undecided. Memory is not covered: a MemoryError goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.budget import OutOfTime

T = TypeVar("T")

STEP_SECONDS = 0.5
"""CPU of one step: a quarter of the default budget, so that one stuck step leaves room for others."""

LOST = "lost steps"
"""Booked in the costs for every step that ran out of time, so that no "different" rests on one."""


def attempt(step: Callable[[], T], context: Context, seconds: float = STEP_SECONDS) -> T | None:
    """`step()`, or None where it raised or was not done within `seconds` (and the budget) of CPU."""
    try:
        return context.budget.limited(step, seconds)
    except OutOfTime:
        context.budget.count(LOST)
        return None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - see the module docstring: no result is a result here
        return None
