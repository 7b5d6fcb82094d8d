"""Runs untrusted Python in confined processes; values come back as data.

Names are loaded on first use: the modules of the confined side live in this package too, and their processes
are forked from one that should not have loaded the client's side, with its event loop and what comes with it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scientific_math_critpt_env.sandbox.limits import Limits
    from scientific_math_critpt_env.sandbox.outcome import Outcome, Program
    from scientific_math_critpt_env.sandbox.sandbox import Sandbox

_HOMES = {"Limits": "limits", "Outcome": "outcome", "Program": "outcome", "Sandbox": "sandbox"}

__all__ = ["Limits", "Outcome", "Program", "Sandbox"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
