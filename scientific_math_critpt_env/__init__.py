"""Advanced mathematics and physics for language models: problems, sandboxed grading, rewards.

Names are loaded on first use, so that a worker which needs one part does not pay for the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.grader import Grader
    from scientific_math_critpt_env.grading.policy import Policy
    from scientific_math_critpt_env.grading.shared import agrade, grade
    from scientific_math_critpt_env.grading.verdict import Verdict
    from scientific_math_critpt_env.problems.loading import load_problems
    from scientific_math_critpt_env.problems.schema import Problem
    from scientific_math_critpt_env.sandbox.limits import Limits

_HOMES = {
    "Problem": "problems.schema",
    "load_problems": "problems.loading",
    "Grader": "grading.grader",
    "grade": "grading.shared",
    "agrade": "grading.shared",
    "Verdict": "grading.verdict",
    "Policy": "grading.policy",
    "Limits": "sandbox.limits",
}

__all__ = ["Grader", "Limits", "Policy", "Problem", "Verdict", "agrade", "grade", "load_problems"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
