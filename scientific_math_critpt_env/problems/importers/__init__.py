"""Public problem sets as our rows: one module a set, each with `read(path) -> drafts` and what it is called.

A module reads its set's own files, maps them to fields of `Problem`, and leaves a row out where the mapping
would be a guess. What they share stands beside them: `draft`, `files`, `asking`, and `importing`, which
converts golds, checks them, and completes the prompts.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

IMPORTERS = (
    *("hardmath2", "hardmath", "theoremqa", "math-vault", "critpt", "phybench", "tpbench"),
    *("olympiadbench", "jsonl"),
)
"""Names of the sets; each is the module of that name, with underscores."""


def importer(name: str) -> ModuleType:
    """The module of a set: HELP, SOURCE, LICENSE and `read(path)`."""
    return import_module(f"{__name__}.{name.replace('-', '_')}")
