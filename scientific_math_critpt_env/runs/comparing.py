"""Two runs side by side: problems the second one acquired, retained and forgot, and by how much it differs.

A problem is solved at depth k where one of its first k samples is correct. Problems with fewer than k graded
samples in either run are left out of that k, and their number is given. Runs that do not answer the same
question are refused (see `comparable.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.comparable import Asked, asked_by, difference_reasons
from scientific_math_critpt_env.runs.reading import Run
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.statistics.intervals import LEVEL, RESAMPLES
from scientific_math_critpt_env.statistics.paired import mcnemar, paired_difference
from scientific_math_critpt_env.statistics.passes import avg_at_k, pass_at_k

COMPARISON_VERSION = 1

Problem = tuple[str, str]
"""(data set, problem id)."""

Flags = Mapping[Problem, Sequence[bool]]
"""Whether each graded sample of a problem is correct, in sample order."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One run under one contract, as far as a comparison needs it."""

    name: str
    asked: Asked
    flags: Flags


@dataclass(frozen=True, slots=True)
class Depth:
    """The comparison at one k."""

    k: int
    overlap: int
    """Problems with k graded samples in both runs."""
    left_out: int
    acquired: list[str]
    """Solved by the second run alone; as the next two, by "data set:problem id"."""
    retained: list[str]
    forgotten: list[str]
    unsolved: int
    mcnemar_p_value: float
    """Exact, of acquired against forgotten."""
    pass_at_k: dict[str, Any]
    """First and second run, and their difference with interval and p value; unbiased, over all samples."""
    avg_at_k: dict[str, Any]


def compare_runs(
    first: Scored,
    second: Scored,
    *,
    ks: Sequence[int] | None = None,
    allow: Sequence[str] = (),
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> dict[str, Any]:
    """The comparison as one JSON object. `allow` may hold "problems" and "decode": what may differ.

    `ks`: by default 1 and the depth that every problem has in both runs. Raises RunError with a line per
    reason for runs that are not comparable, and for a k that no problem reaches.
    """
    differences = difference_reasons(first.asked, second.asked)
    refused = [reason for kind, reason in differences if kind not in allow]
    if refused:
        raise RunError("\n".join([f"{first.name} and {second.name} cannot be compared:", *refused]))
    shared = [problem for problem in first.flags if problem in second.flags]
    depths = [
        _depth(first.flags, second.flags, shared, k, {"seed": seed, "resamples": resamples, "level": level})
        for k in (sorted(set(ks)) if ks else _default_ks(first.flags, second.flags, shared))
    ]
    return {
        "schema_version": COMPARISON_VERSION,
        "first": first.name,
        "second": second.name,
        "seed": seed,
        "resamples": resamples,
        "level": level,
        "differences": [reason for _, reason in differences],
        "k": {str(depth.k): asdict(depth) for depth in depths},
    }


def scored(run: Run, contract: str) -> Scored:
    """The run with its verdicts under the contract. Raises RunError where they are not of its samples."""
    flags: dict[Problem, list[bool]] = {}

    def samples() -> Iterator[Sample]:
        for sample, row in run.judged(contract):
            correct = flags.setdefault((sample.dataset, sample.problem_id), [])
            if row["is_correct"] is not None:
                correct.append(bool(row["is_correct"]))
            yield sample

    return Scored(run.name, asked_by(run, contract, samples()), flags)


def solved(flags: Flags, k: int) -> list[Problem]:
    """Problems of which one of the first k samples is correct, in order."""
    return [problem for problem, correct in flags.items() if any(correct[:k])]


def _default_ks(first: Flags, second: Flags, shared: Sequence[Problem]) -> list[int]:
    depth = min((min(len(first[name]), len(second[name])) for name in shared), default=0)
    return sorted({1, max(1, depth)})


def _depth(
    first: Flags, second: Flags, shared: Sequence[Problem], k: int, options: Mapping[str, Any]
) -> Depth:
    if k < 1:
        raise RunError(f"k is {k}; it must be at least 1")
    overlap = [name for name in shared if min(len(first[name]), len(second[name])) >= k]
    if not overlap:
        raise RunError(f"no problem has {k} graded samples in both runs; choose a smaller k")
    before, after = set(solved(first, k)), set(solved(second, k))
    acquired = [_uid(name) for name in overlap if name in after - before]
    forgotten = [_uid(name) for name in overlap if name in before - after]

    def paired(left: list[float], right: list[float]) -> dict[str, Any]:
        difference = paired_difference(left, right, **options)
        means = {"first": sum(left) / len(left), "second": sum(right) / len(right)}
        return {**means, "difference": difference.row()}

    return Depth(
        k=k,
        overlap=len(overlap),
        left_out=len(set(first) | set(second)) - len(overlap),
        acquired=acquired,
        retained=[_uid(name) for name in overlap if name in before & after],
        forgotten=forgotten,
        unsolved=sum(name not in before | after for name in overlap),
        mcnemar_p_value=mcnemar(len(acquired), len(forgotten)),
        pass_at_k=paired(
            [pass_at_k(len(first[name]), sum(first[name]), k) for name in overlap],
            [pass_at_k(len(second[name]), sum(second[name]), k) for name in overlap],
        ),
        avg_at_k=paired(
            [avg_at_k(first[name], k) for name in overlap], [avg_at_k(second[name], k) for name in overlap]
        ),
    )


def _uid(problem: Problem) -> str:
    return ":".join(problem)
