"""Methods of mathematics and physics: which ones a text names, and which ones a program uses.

`methods.json` is the table, a row a method: the phrases that name it, and functions of SymPy, SciPy, NumPy
and mpmath that are it, by any of their names (`calls.canonical`). Anybody can add a row.
Not covered: whether a method that is named carries the solution, which takes a judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from scientific_math_critpt_env.novelty.calls import canonical

MOST_NAMED = 8
"""A text that names more methods than this is a list of methods, and shows none."""


def named_methods(text: str) -> frozenset[str]:
    """Methods that the text (as `prose.plain` gives it) names; none where it names too many to mean them."""
    pattern, methods = _phrases()
    found = frozenset(methods[match[1]] for match in pattern.finditer(text))
    return found if len(found) <= MOST_NAMED else frozenset()


def used_methods(functions: Iterable[str]) -> frozenset[str]:
    """Methods that these library functions are."""
    known = _functions()
    return frozenset(known[name] for name in functions if name in known)


def method_names() -> list[str]:
    """All methods of the table, in its order."""
    return [row["method"] for row in _table()]


@cache
def _table() -> list[dict]:
    return json.loads(files(__package__).joinpath("methods.json").read_text(encoding="utf-8"))


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    spellings = {name.casefold(): row["method"] for row in _table() for name in row["names"]}
    longest_first = sorted(spellings, key=lambda name: (-len(name), name))
    # Overlaps may not hide a method: each place is tried, and a plural is the same word.
    return re.compile(rf"(?<!\w)(?=({'|'.join(map(re.escape, longest_first))})(?:s|es)?(?!\w))"), spellings


@cache
def _functions() -> dict[str, str]:
    """By the names that programs show; of functions that are alike, the first row counts."""
    named = [(name, row["method"]) for row in _table() for name in row["functions"]]
    alike = {canonical(name): method for name, method in reversed(named)}
    return alike | {name: method for name, method in named if canonical(name) == name}
