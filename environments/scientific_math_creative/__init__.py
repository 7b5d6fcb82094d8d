"""The verifiers environment `scientific-math-creative`: new solutions to problems with known ones.

Exported on first use, so that a process which only needs the name does not import verifiers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_critpt.harness import CritptHarness

    from scientific_math_creative.env import CreativeEnv
    from scientific_math_creative.taskset import CreativeTaskset

__all__ = ["CreativeEnv", "CreativeTaskset", "CritptHarness"]

_HOMES = {
    "CreativeTaskset": "scientific_math_creative.taskset",
    "CreativeEnv": "scientific_math_creative.env",
    "CritptHarness": "scientific_math_critpt.harness",  # asks in this process; nothing in it is CritPt's
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
