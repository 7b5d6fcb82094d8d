"""Which function checks which problem."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .comparing import Comparison
from .gold import Gold

CheckFunction = Callable[[Gold], Iterator[Comparison]]


@dataclass(frozen=True, slots=True)
class Check:
    """How one problem is verified."""

    problem_id: str
    route: str
    """The independent route in a few words; equals the row's `verified_by`."""
    function: CheckFunction


_checks: dict[str, Check] = {}


def check(problem_id: str, *, route: str) -> Callable[[CheckFunction], CheckFunction]:
    """Register the decorated function as the check of one problem.

    Raises:
        ValueError: the problem has a check already.
    """

    def register(function: CheckFunction) -> CheckFunction:
        if problem_id in _checks:
            raise ValueError(f"two checks for problem {problem_id}")
        _checks[problem_id] = Check(problem_id, route, function)
        return function

    return register


def registered() -> dict[str, Check]:
    """All checks by problem id; imports the topic modules on first use."""
    package = __name__.removesuffix(".framework.registry")
    for module in pkgutil.iter_modules([str(Path(__file__).parents[1])]):
        if not module.ispkg:
            importlib.import_module(f"{package}.{module.name}")
    return dict(_checks)
