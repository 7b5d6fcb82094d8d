"""The environment `scientific-math-attempts`: n attempts at each task, rewarded beside each other.

It has no problems of its own: pair it with a taskset, `vf-eval scientific-math-critpt --env.id
scientific-math-attempts`. Exported on first use, so that a process which only needs the name does not import
verifiers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_attempts.env import AttemptsEnv

__all__ = ["AttemptsEnv"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.env"), name)
