"""Whether two runs answer the same question: the same problems, golds, contract, and way of sampling.

Compared is what the samples themselves say, not names of files: a run of ours and one of vf-eval can be
compared where they agree. The model, its prompt format and the number of samples may differ; that is what
one compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.folder import PARSED
from scientific_math_critpt_env.runs.hashing import stable_hash
from scientific_math_critpt_env.runs.reading import Run
from scientific_math_critpt_env.runs.samples import Sample

ALLOWABLE = ("problems", "decode")
"""What the caller may let differ: figures are then of the shared problems. Golds and contracts never."""

NAMED = 5
"""Problems that a reason names; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run asked, and how it was judged."""

    contract: str
    contract_hash: str
    problems: Mapping[tuple[str, str], str]
    """(data set, id) -> hash of the problem's text."""
    golds: Mapping[tuple[str, str], str]
    decode: Mapping[str, Any] = field(default_factory=dict)


def asked_by(run: Run, contract: str, samples: Iterable[Sample]) -> Asked:
    """What the run's samples say of its question. Raises RunError for a run sampled in more than one way."""
    problems: dict[tuple[str, str], str] = {}
    golds: dict[tuple[str, str], str] = {}
    decode: dict[str, Any] | None = None
    for sample in samples:
        name = (sample.dataset, sample.problem_id)
        if name not in problems:
            problems[name] = stable_hash(sample.problem)
            golds[name] = sample.gold_hash
        if decode is None:
            decode = dict(sample.decode)
        elif decode != sample.decode:
            raise RunError(f"{run.path}: its samples were not all decoded alike; generate it again")
    return Asked(contract, contract_hash(run, contract), problems, golds, decode or {})


def contract_of(runs: Sequence[Run], wanted: str | None = None) -> str:
    """The contract all runs were replayed under: the wanted one, or the only one. Else raises RunError."""
    shared = [name for name in runs[0].contracts() if all(name in run.contracts() for run in runs[1:])]
    if wanted is not None and wanted in shared:
        return wanted
    for run in runs:
        if not run.contracts():
            raise RunError(f"{run.path}: has no verdicts; make them with `scientific-math replay {run.path}`")
    there = "; ".join(f"{run.path}: {', '.join(run.contracts())}" for run in runs)
    if wanted is not None:
        raise RunError(f"no verdicts under {wanted} ({there})")
    if not shared:
        raise RunError(f"the runs were replayed under no contract in common ({there}); replay one again")
    if len(shared) > 1:
        raise RunError(f"there are verdicts under {', '.join(shared)}; choose with --contract")
    return shared[0]


def contract_hash(run: Run, contract: str) -> str:
    """The hash of the contract that the verdicts were made under; "" where the run keeps none (vf-eval)."""
    path = run.path / PARSED / contract / "contract.json"
    if not path.is_file():
        return ""
    try:
        recorded = json.loads(path.read_bytes())
        return str(recorded["hash"])
    except (ValueError, TypeError, KeyError):
        raise RunError(f"{path}: holds no hash of the contract; replay the run again") from None


def difference_reasons(first: Asked, second: Asked) -> list[tuple[str, str]]:
    """(kind, sentence) for everything that differs; kinds: problems, golds, contract, decode."""
    reasons = []
    for one, other, place in ((first, second, "first"), (second, first, "second")):
        alone = [name for name in one.problems if name not in other.problems]
        if alone:
            reasons.append(("problems", f"only the {place} run asked {_named(alone)}"))
    both = [name for name in first.problems if name in second.problems]
    if not both:
        reasons.append(("overlap", "no problem was asked in both runs"))
    reworded = [name for name in both if first.problems[name] != second.problems[name]]
    if reworded:
        reasons.append(("texts", f"the texts of {_named(reworded)} differ"))
    changed = [name for name in both if first.golds[name] != second.golds[name]]
    if changed:
        reasons.append(("golds", f"the golds of {_named(changed)} differ"))
    if (first.contract, first.contract_hash) != (second.contract, second.contract_hash):
        reasons.append(("contract", _contracts(first, second)))
    fields = [
        f"{name} is {first.decode.get(name)!r} and {second.decode.get(name)!r}"
        for name in sorted({*first.decode, *second.decode})
        if first.decode.get(name) != second.decode.get(name)
    ]
    if fields:
        reasons.append(("decode", f"they were sampled differently: {'; '.join(fields)}"))
    return reasons


def _named(problems: list[tuple[str, str]]) -> str:
    names = ", ".join(":".join(name) for name in problems[:NAMED])
    more = f" and {len(problems) - NAMED} more" if len(problems) > NAMED else ""
    return f"{len(problems)} problem{'s' if len(problems) > 1 else ''} ({names}{more})"


def _contracts(first: Asked, second: Asked) -> str:
    if first.contract != second.contract:
        return f"the contracts differ: {first.contract} and {second.contract}"
    return f"the contract {first.contract} was not the same (its hash differs); replay one of the runs again"
