"""Generates a run: in its folder, alone, from its beginning or from where it was left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends.tasks import Backend
from scientific_math_critpt_env.runs.folder import MANIFEST, RAW, locked
from scientific_math_critpt_env.runs.interruption import Interruption
from scientific_math_critpt_env.runs.manifest_shape import read_manifest
from scientific_math_critpt_env.runs.planning import Plan
from scientific_math_critpt_env.runs.session import Ending, Progress, Session
from scientific_math_critpt_env.runs.snapshots import check_snapshots


def generate(
    plan: Plan,
    make: Callable[[], Backend],
    *,
    resume: bool = False,
    accept_missing: bool = False,
    engine: str = "local",
    progress: Progress | None = None,
) -> Ending:
    """Run the plan in its folder with the backend that `make` gives, or go on with what is there.

    With `accept_missing` a run of which all has been asked is completed, without the samples that failed; its
    manifest names them. Raises RunError where the folder holds another run, or this one without `resume`, and
    where a file of it cannot be written.
    """
    plan.folder.mkdir(parents=True, exist_ok=True)
    with locked(plan.folder), Interruption() as interruption:
        before = _existing(plan, resume)
        session = Session(plan, before, engine, progress or Progress(), interruption, accept_missing)
        try:
            return session.run(make)
        except OSError as error:
            if error.filename is None:
                raise
            told = (error.strerror or str(error)).lower()
            raise RunError(f"{error.filename}: {told}; mend that, then go on with --resume") from None


def _existing(plan: Plan, resume: bool) -> dict[str, Any] | None:
    """The manifest to go on with, checked; None where the run begins."""
    path = plan.folder / MANIFEST
    if path.is_file():
        if not resume:
            raise RunError(
                f"{plan.folder}: the run exists; add --resume to go on with it, or change --run-id"
            )
        manifest = read_manifest(path, whole=True)
        check_snapshots(plan.folder, manifest)
        return manifest
    if (plan.folder / RAW).exists():
        raise RunError(f"{plan.folder}: holds {RAW}/ but no {MANIFEST}; restore it, or change --run-id")
    return None
