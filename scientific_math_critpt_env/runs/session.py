"""One session on a run: takes stock, asks for what is missing, writes what comes, and says how it ended.

One failure never ends a run: a sample that cannot be had goes to `errors.jsonl` and is asked for again by
--resume. What ends it early: a signal, or `GIVE_UP_AFTER` failures on end.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Literal

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends.tasks import Backend, Failure, Reply, Task
from scientific_math_critpt_env.runs.folder import ERRORS, RAW, named
from scientific_math_critpt_env.runs.hashing import ContentHash
from scientific_math_critpt_env.runs.interruption import Interruption
from scientific_math_critpt_env.runs.manifest import (
    Totals,
    begun_session,
    new_manifest,
    now,
    resumed,
    save,
    snapshot_hashes,
    with_counts,
    write_snapshots,
)
from scientific_math_critpt_env.runs.planning import Plan
from scientific_math_critpt_env.runs.rows import line_of, read_lines
from scientific_math_critpt_env.runs.samples import Key, Sample
from scientific_math_critpt_env.runs.shards import all_shards, sealed_shards
from scientific_math_critpt_env.runs.writing import ShardWriter

GIVE_UP_AFTER = 100
"""Failures in a row after which the endpoint is taken to be gone, the key to be wrong, or the request to be
one it refuses: each has been retried already, and the rest would fail as well, only slower."""

Status = Literal["completed", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session on a run ended."""

    status: Status
    totals: Totals
    expected: int
    made: int
    """Samples of this session."""
    reason: str
    """Why it is not complete; "" where it is."""


class Progress:
    """What a session tells while it runs; all methods do nothing here."""

    def begin(self, totals: Totals, expected: int) -> None:
        """Before the first request, with what earlier sessions made."""

    def sample(self, totals: Totals) -> None:
        """After each sample, good or failed."""

    def finalizing(self) -> None:
        """Before the hashes are taken."""


class Session:
    """One start of the program on a run."""

    def __init__(
        self,
        plan: Plan,
        before: dict[str, Any] | None,
        engine: str,
        progress: Progress,
        interruption: Interruption,
        accept_missing: bool,
    ) -> None:
        self._plan = plan
        self._before = before
        self._manifest = resumed(before, plan) if before else new_manifest(plan)
        self._engine = engine
        self._progress = progress
        self._interruption = interruption
        self._accept_missing = accept_missing
        self._totals = Totals()
        self._content = ContentHash()
        self._done: set[Key] = set()
        self._made = 0
        self._failed: set[Key] = set()
        self._in_row = 0
        self._reason = ""

    def run(self, make: Callable[[], Backend]) -> Ending:
        plan, output = self._plan, self._plan.config.output
        backend = make()
        if self._before is None:
            # The manifest is there before the first shard is, so that a run killed in between goes on.
            self._begin(backend)
        self._interruption.rearm()
        writer = ShardWriter(
            plan.folder / RAW,
            shard_size=output.shard_size,
            compression=output.compression,
            fsync_every=output.fsync_every,
        )
        self._take_stock()
        if self._before is not None:
            self._begin(backend)
        try:
            self._interruption.run(lambda: self._ask(backend, writer))
        except BaseException as error:
            # Whatever it is, what has come is sealed before it goes on its way.
            self._reason = self._reason or f"{type(error).__name__}: {error}"
            with suppress(OSError):  # then the run looks killed, and is taken up as one; `error` says why
                writer.close()
                self._end("failed", known=not isinstance(error, OSError))
            raise
        writer.close()
        return self._ending()

    def _take_stock(self) -> None:
        """Read what earlier sessions left. Raises RunError where it is not theirs any more."""
        raw = self._plan.folder / RAW
        for where, row in (found for shard in all_shards(raw) for found in read_lines(shard)):
            sample = Sample.from_row(row, where)
            if sample.run_id != self._plan.run_id:
                raise RunError(f"{where}: a sample of run {sample.run_id!r}, not of {self._plan.run_id!r}")
            known = (sample.dataset, sample.problem_id) in self._plan.problems
            if not known or sample.sample_idx >= self._plan.config.decode.samples_per_problem:
                raise RunError(f"{where}: the sample {sample.key} is none of this run")
            if not self._content.add(row):
                raise RunError(f"{where}: the sample {sample.key} is there twice")
            self._done.add(sample.key)
            self._totals.add(row)
        sealed = self._before["hashes"]["raw"] if self._before else None
        if sealed is not None and sealed != self._content.raw:
            raise RunError(f"{raw}: the samples were changed after the last session; restore the folder")

    def _begin(self, backend: Backend) -> None:
        session = begun_session(self._engine, self._plan, backend.hardware())
        self._manifest["sessions"] = [*self._manifest["sessions"], session]
        self._manifest["snapshots"] = snapshot_hashes(self._plan)
        if self._before is not None:
            # A configuration may have changed in what it may: until all files are, both are right.
            self._manifest["snapshots_before"] = self._before["snapshots"]
            self._save("running")
        write_snapshots(self._plan)
        self._manifest.pop("snapshots_before", None)
        self._save("running")

    async def _ask(self, backend: Backend, writer: ShardWriter) -> None:
        missing = self._plan.expected - len(self._done)
        self._progress.begin(self._totals, self._plan.expected)
        try:
            if missing:
                async with aclosing(backend.outcomes(self._plan.tasks(self._done))) as outcomes:
                    async for task, outcome in outcomes:
                        self._take(task, outcome, writer)
                        if self._reason:
                            return
        finally:
            await backend.aclose()

    def _take(self, task: Task, outcome: Reply | Failure, writer: ShardWriter) -> None:
        if isinstance(outcome, Failure):
            self._note_failure(task, outcome)
        else:
            row = self._plan.sample(task, outcome).row()
            writer.write(row)
            self._content.add(row)
            self._totals.add(row)
            self._made += 1
            self._in_row = 0
        self._progress.sample(self._totals)

    def _note_failure(self, task: Task, failure: Failure) -> None:
        self._failed.add(task.key)
        self._totals.failed = len(self._failed)
        # A request that is refused says little of the next one, unless none has been taken at all.
        if failure.kind not in ("request", "reply") or not self._made:
            self._in_row += 1
        if self._in_row >= GIVE_UP_AFTER:
            self._reason = f"gave up after {self._in_row} failures in a row; the last: {failure.message}"
        entry = {
            "at": now(),
            "dataset": task.dataset,
            "problem_id": task.problem_id,
            "sample_idx": task.sample_idx,
            "kind": failure.kind,
            "status": failure.status,
            "attempts": failure.attempts,
            "message": failure.message,
        }
        errors = self._plan.folder / ERRORS
        with named(errors), errors.open("ab") as file:
            file.write(line_of(entry))

    def _ending(self) -> Ending:
        if self._totals.samples == self._plan.expected:
            return self._complete()
        if self._interruption.signalled:
            self._reason = "stopped by a signal"
            return self._end("stopped")
        if self._accept_missing and not self._reason:
            self._manifest["missing"] = sorted(self._failed)
            return self._complete()
        self._reason = self._reason or f"{len(self._failed)} samples failed; see {ERRORS}"
        return self._end("failed")

    def _complete(self) -> Ending:
        """Take the hashes from what is on disk, which must be what was written."""
        self._save("finalizing")
        self._progress.finalizing()
        self._interruption.sealing = False
        shards = sealed_shards(self._plan.folder / RAW)
        on_disk = ContentHash(row for shard in shards for _, row in read_lines(shard))
        if on_disk.raw != self._content.raw:
            self._reason = f"{RAW}/ does not hold what was written: the disk or another program changed it"
            return self._end("failed")
        self._interruption.sealing = True
        return self._end("completed")

    def _end(self, status: Status, *, known: bool = True) -> Ending:
        """`known`: what is on disk is what was written, which nobody can say where a write failed."""
        self._manifest["hashes"]["raw"] = self._content.raw if known else None
        self._manifest["hashes"]["content"] = self._content.content if known else None
        self._manifest["completed_at"] = now() if status == "completed" else None
        self._manifest["sessions"][-1]["ended_at"] = now()
        self._save(status)
        return Ending(status, self._totals, self._plan.expected, self._made, self._reason)

    def _save(self, status: str) -> None:
        self._manifest["status"] = status
        self._manifest["reason"] = self._reason
        session = self._manifest["sessions"][-1]
        session.update(status=status, samples=self._made, failed=len(self._failed))
        self._manifest = with_counts(self._manifest, self._plan, self._totals)
        save(self._plan, self._manifest)
