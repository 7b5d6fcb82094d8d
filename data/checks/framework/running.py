"""Running the checks over problems and reporting how each came out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mpmath
from tqdm import tqdm

from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

from .gold import Gold
from .registry import Check, registered

DIGITS = 30
"""Working precision of a check, decimal digits: quadratures lose some and still show 15."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The outcome of one problem's check."""

    problem_id: str
    route: str
    passed: bool
    comparisons: int
    worst: float
    """Largest error among the comparisons, in units of their tolerance; the first above 1 ends the check."""
    seconds: float
    """CPU time: the machine may be shared."""
    message: str
    """Why it failed, with both values; empty where it passed."""


def run_checks(
    problems: Iterable[Problem],
    *,
    progress: bool = False,
    evaluate: Callable[[Problem], object] = evaluate_gold,
) -> list[CheckReport]:
    """Check every problem's gold, in order; a problem without a check fails.

    Args:
        progress: show a bar on stderr.
        evaluate: how a row's `answer_fn` becomes an object.
    """
    checks = registered()
    rows = tqdm(list(problems), disable=not progress, file=sys.stderr, unit="problem", desc="checks")
    return [_run(problem, checks.get(problem.id), evaluate) for problem in rows]


def _run(problem: Problem, check: Check | None, evaluate: Callable[[Problem], object]) -> CheckReport:
    if check is None:
        return CheckReport(problem.id, "", False, 0, 0.0, 0.0, "no check is registered for this problem")
    started = time.process_time()
    count, worst, message = 0, 0.0, ""
    try:
        with mpmath.workdps(DIGITS):
            for comparison in check.function(Gold(evaluate(problem))):
                count += 1
                error = comparison.error()
                worst = max(worst, error)
                if error > 1:
                    message = f"computed {comparison.computed}, the gold says {comparison.expected}"
                    break
        if not count:
            message = "the check compared nothing"
    except Exception as error:  # noqa: BLE001 - a check that breaks on a gold must not stop the others
        message = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return CheckReport(problem.id, check.route, not message, count, worst, seconds, message)
