"""The verifiers environment `scientific-math-critpt`.

Exported on first use, so that a process which only needs the name does not import verifiers, and so that one
package serves verifiers 0.4 (the classes) and 0.2 (`load_environment`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_critpt.env import CritptEnv
    from scientific_math_critpt.harness import CritptHarness
    from scientific_math_critpt.taskset import CritptTaskset
    from scientific_math_critpt.v0 import load_environment as load_environment

# Not `load_environment`: verifiers 0.4 looks at every name of this list, and has not what it is made of.
__all__ = ["CritptEnv", "CritptHarness", "CritptTaskset"]

_HOMES = {
    "CritptTaskset": "taskset",
    "CritptEnv": "env",
    "CritptHarness": "harness",
    "load_environment": "v0",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
