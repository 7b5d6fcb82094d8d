"""Judge the samples of a run again, under a contract; the same samples give the same bytes.

    RUN/parsed/math-v5.2-dual/rows.jsonl       a verdict row per sample, in the order of the samples
                             /contract.json    the contract's id, hash and payload, and what carried it out
                             /metrics.json     the figures of `statistics.summarise`

The hash of the raw samples is checked before anything is judged, and `raw/` is never written. What is made
goes to a folder beside, which takes its place when it is complete, so that readers see the old verdicts or
the new; a replay that was killed goes on where it stopped.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.grading.driving import run_to_end
from scientific_math_critpt_env.runs.contracts import Contract, described
from scientific_math_critpt_env.runs.folder import PARSED, write_json
from scientific_math_critpt_env.runs.reading import Run
from scientific_math_critpt_env.runs.rows import line_of, read_lines
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.runs.verdicts import Write, judge_in_order
from scientific_math_critpt_env.statistics.summary import summarise

ROWS, CONTRACT, METRICS = "rows.jsonl", "contract.json", "metrics.json"

_STATE = "replaying.json"
"""In a folder that is not complete: what its rows are made of."""

MOST_REFUSALS = 10
"""Problems named that a contract cannot judge; the others are most likely the same."""

Engine = Callable[[Contract, Iterator[Sample], Write], None]
"""Judges the samples and writes their rows in order."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A finished replay."""

    folder: Path
    samples: int
    metrics: dict[str, Any]


def here(contract: Contract, samples: Iterator[Sample], write: Write) -> None:
    """The engine of this machine."""
    run_to_end(judge_in_order(contract, samples, write))


def replay(
    run: Run, contract: Contract, *, ks: Sequence[int] | None = None, engine: Engine = here
) -> Replayed:
    """Judge every sample of `run`, showing a progress bar on a terminal.

    Raises RunError where the run is not intact or does not suit the contract, before anything is judged;
    InfrastructureError where judging failed.
    """
    if engine is here:
        contract.start()  # it comes up while the hash is taken
    run.verify()
    total = _count_suited(run, contract)
    target = run.path / PARSED / contract.id
    with _workshop(run, contract) as workshop:
        done = _rows_done(workshop, run, contract)
        with (
            (workshop / ROWS).open("ab") as output,
            tqdm(total=total, initial=done, unit="sample", disable=None) as bar,
        ):

            def write(row: dict[str, Any]) -> None:
                output.write(line_of(row))
                bar.update()

            engine(contract, islice(run.samples(), done, None), write)
        metrics = summarise(
            (row for _, row in read_lines(workshop / ROWS)),
            ks=ks,
            cluster=contract.clustering(run.samples()),
            prices=_prices(run),
        )
        write_json(workshop / METRICS, metrics)
        write_json(workshop / CONTRACT, described(contract))
        _put_in_place(workshop, target)
    return Replayed(target, total, metrics)


def _count_suited(run: Run, contract: Contract) -> int:
    """The number of samples. Raises RunError, a line for each problem whose samples cannot be judged."""
    reasons: dict[str, str] = {}
    total = 0
    for sample in run.samples():
        total += 1
        if sample.problem_uid not in reasons:
            reasons[sample.problem_uid] = contract.refusal(sample)
    lines = [f"{run.path}: {uid}: {reason}" for uid, reason in reasons.items() if reason]
    if lines:
        more = [f"... and {len(lines) - MOST_REFUSALS} more problems"] if len(lines) > MOST_REFUSALS else []
        raise RunError("\n".join(lines[:MOST_REFUSALS] + more))
    return total


@contextmanager
def _workshop(run: Run, contract: Contract) -> Iterator[Path]:
    """The folder in which the verdicts are made, for one process at a time."""
    folder = run.path / f".replay-{contract.id}"
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"{run.path}: another process is replaying it under {contract.id}; wait for it to end"
            ) from None
        yield folder
    finally:
        os.close(descriptor)


def _rows_done(workshop: Path, run: Run, contract: Contract) -> int:
    """Rows that an earlier, killed replay of the same samples left; a torn last line is cut off."""
    state = {**described(contract), "raw": run.manifest["hashes"]["raw"]}
    rows = workshop / ROWS
    if rows.exists() and _same(workshop / _STATE, state):
        content = rows.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        os.truncate(rows, len(whole))
        return whole.count(b"\n")
    rows.unlink(missing_ok=True)
    write_json(workshop / _STATE, state)
    return 0


def _same(path: Path, state: dict[str, Any]) -> bool:
    try:
        return bool(json.loads(path.read_bytes()) == json.loads(json.dumps(state)))
    except (FileNotFoundError, ValueError):  # killed before it was written: begin anew
        return False


def _put_in_place(workshop: Path, target: Path) -> None:
    (workshop / _STATE).unlink()
    target.parent.mkdir(exist_ok=True)
    replaced = workshop.with_name(f"{workshop.name}.replaced")
    shutil.rmtree(replaced, ignore_errors=True)
    if target.exists():
        target.rename(replaced)
    workshop.rename(target)
    shutil.rmtree(replaced, ignore_errors=True)


def _prices(run: Run) -> dict[str, float] | None:
    """Prices per million tokens, where the run's configuration has them."""
    settings = run.manifest.get("model_settings", {})
    named = {"prompt": "prompt_price", "output": "completion_price"}
    prices = {kind: settings.get(name) for kind, name in named.items()}
    return {kind: price for kind, price in prices.items() if price is not None} or None
