"""A run, read: its manifest, its samples in order, its verdicts.

Nothing here writes. `open_run` takes a folder of ours, or one that verifiers' `vf-eval` left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.folder import MANIFEST, PARSED, RAW
from scientific_math_critpt_env.runs.hashing import ContentHash
from scientific_math_critpt_env.runs.manifest_shape import read_manifest
from scientific_math_critpt_env.runs.rows import read_lines
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.runs.shards import sorted_rows
from scientific_math_critpt_env.runs.snapshots import check_snapshots, problem_order

TRACES = "traces.jsonl"
"""What verifiers writes where we write `manifest.json`."""

_KEY = ("dataset", "problem_id", "sample_idx")


def open_run(path: str | Path) -> Run:
    """The run at `path`. Raises RunError where there is none, or its manifest cannot be read."""
    folder = Path(path)
    if (folder / MANIFEST).is_file():
        return Run(folder, read_manifest(folder / MANIFEST))
    if (folder / TRACES).is_file():
        # Verifiers' rows are translated only where such a folder is read.
        from importlib import import_module

        run: Run = import_module("scientific_math_critpt_env.runs.traces").open_traces(folder)
        return run
    if not folder.is_dir():
        raise RunError(f"{folder}: no such folder; give the folder of a run")
    raise RunError(f"{folder}: no run; it holds neither {MANIFEST} nor {TRACES}")


class Run:
    """A run folder of ours. Other kinds override `samples` and `verify`."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest

    @property
    def name(self) -> str:
        """The run's id."""
        return str(self.manifest["run_id"])

    def samples(self) -> Iterator[Sample]:
        """All samples, by data set and problem in their order, then by index.

        Memory grows with their number, not with their texts. Raises RunError for a row that is no sample.
        """
        order = problem_order(self.path, self.manifest)
        for where, row in sorted_rows(self.path / RAW, order):
            yield Sample.from_row(row, where)

    def verify(self) -> None:
        """Check that the run is complete, with what went in and what came as then; raises RunError."""
        status = self.manifest.get("status")
        if status != "completed":
            raise RunError(
                f"{self.path}: the run is {status!r}, not completed; finish it with generate --resume"
            )
        check_snapshots(self.path, self.manifest)
        seen = ContentHash()
        for sample in self.samples():
            if not seen.add(sample.row()):
                raise RunError(f"{self.path}: the sample {sample.key} is there twice")
        if seen.raw != self.manifest["hashes"]["raw"]:
            raise RunError(
                f"{self.path}: the samples in {RAW}/ are not those the run was completed with "
                "(the hash of their content differs); restore the folder, or generate the run again"
            )

    def contracts(self) -> list[str]:
        """Contracts under which the run has been replayed."""
        folder = self.path / PARSED
        return sorted(rows.parent.name for rows in folder.glob("*/rows.jsonl"))

    def verdicts(self, contract: str) -> Iterator[dict[str, Any]]:
        """The verdict rows of one contract, in the order of the samples. Raises RunError without."""
        path = self.path / PARSED / contract / "rows.jsonl"
        if not path.is_file():
            there = ", ".join(self.contracts()) or "none"
            raise RunError(
                f"{self.path}: no verdicts under {contract!r} (there: {there}); make them with "
                f"`scientific-math replay {self.path} --contract {contract}`"
            )
        for _, row in read_lines(path):
            yield row

    def judged(self, contract: str) -> Iterator[tuple[Sample, dict[str, Any]]]:
        """Each sample with its verdict row, in the order of the samples; memory holds all verdicts.

        Raises RunError where the two do not belong together, as in a run that went on after its replay.
        """
        try:
            rows = {tuple(row[name] for name in _KEY): row for row in self.verdicts(contract)}
        except (KeyError, TypeError) as error:
            told = f"a verdict under {contract} is damaged ({error!r})"
            raise RunError(f"{self.path}: {told}; replay the run again") from None
        for sample in self.samples():
            row = rows.pop(sample.key, None)
            if row is None:
                told = f"no verdict under {contract} on {sample.key}"
                raise RunError(f"{self.path}: {told}; replay the run again")
            yield sample, row
        if rows:
            told = f"a verdict under {contract} on {next(iter(rows))}, which is no sample"
            raise RunError(f"{self.path}: {told}; replay the run again")
