"""All families by name: every module of `families/` is imported, and its class registers itself."""

from __future__ import annotations

import difflib
import pkgutil
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.generated.family import Family

F = TypeVar("F", bound=type[Family[Any]])

_REGISTERED: dict[str, Family[Any]] = {}


def register(family: F) -> F:
    """Class decorator: the family can be drawn from. Raises ValueError for a name that is taken."""
    known = _REGISTERED.setdefault(family.name, family())
    if type(known) is not family:
        raise ValueError(f"two families are named {family.name!r}: {type(known)} and {family}; rename one")
    return family


@cache
def all_families() -> dict[str, Family[Any]]:
    """All families, in the order of their names."""
    package = import_module(f"{__package__}.families")
    for module in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
        import_module(f"{package.__name__}.{module}")
    return dict(sorted(_REGISTERED.items()))


def family_named(name: str) -> Family[Any]:
    """The family of that name; raises ProblemError naming those nearest to it."""
    known = all_families()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3) or list(known)
        raise ProblemError(f"no family is named {name!r}; there are {', '.join(near)}")
    return known[name]
