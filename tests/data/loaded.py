"""The data folder's problems and its checks package, loaded by path as an installed copy would be."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem

DATA = Path(__file__).resolve().parents[2] / "data"


@cache
def checks() -> ModuleType:
    """The package data/checks under a name of its own."""
    name = "data_checks_under_test"
    folder = DATA / "checks"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def problems() -> list[Problem]:
    """All rows of data/*.jsonl, in the order of the files."""
    return load_problems(DATA)
