"""The independent checks that stand beside problem files: a package `checks` in their folder.

It offers `run_checks(problems) -> [report]`, as `data/checks` does. Checks are code of whoever wrote the
problems, as trusted as the golds, and run in worker processes of their own because they compute for seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.schema import Problem

_MODULE = "scientific_math_checks"


def checks_of(where: Path) -> Path:
    """The checks' folder for a problem file or a folder of them; raises ProblemError where there is none."""
    folder = (where if where.is_dir() else where.parent) / "checks"
    if not (folder / "__init__.py").is_file():
        raise ProblemError(f"{folder}: no package of checks beside the problems; leave out --checks")
    return folder


def run_checks(folder: Path, problems: Iterable[Problem], workers: int) -> Iterator[dict[str, Any]]:
    """Reports of `folder`'s checks over `problems`, in order: the fields of `CheckReport` in data/checks."""
    rows = [problem.model_dump_json() for problem in problems]
    with ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_run, [str(folder)] * len(rows), rows)


def _run(folder: str, row: str) -> dict[str, Any]:
    (report,) = _loaded(folder).run_checks([Problem.model_validate_json(row)])
    return asdict(report)


@cache
def _loaded(folder: str) -> ModuleType:
    spec = spec_from_file_location(_MODULE, Path(folder) / "__init__.py", submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[_MODULE] = module
    spec.loader.exec_module(module)
    return module
