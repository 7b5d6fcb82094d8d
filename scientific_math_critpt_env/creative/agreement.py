"""How far judges agree with each other, and the jury with the grader."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from scientific_math_critpt_env.creative.evaluations import Evaluated
from scientific_math_critpt_env.creative.stages import STAGES
from scientific_math_critpt_env.statistics.agreement import (
    cohen_interval,
    cohen_kappa,
    fleiss_interval,
    percent_agreement,
    vote_counts,
)

VERDICTS = ("YES", "NO")


def agreement(samples: Sequence[Evaluated], *, seed: int = 0) -> dict[str, Any]:
    """By stage: judged items, votes by judge, share of agreeing pairs, Fleiss' kappa with its 95 % interval
    (bootstrap over problems), Cohen's kappa of each pair of judges. None where a measure is undefined."""
    report: dict[str, Any] = {}
    for stage in STAGES:
        judged = [sample for sample in samples if sample.votes[stage]]
        judges = list(dict.fromkeys(judge for sample in judged for judge in sample.votes[stage]))
        report[stage] = {
            "items": len(judged),
            "votes": {judge: _tally(judged, stage, judge) for judge in judges},
            **_fleiss(judged, stage, seed),
            "cohen": {
                f"{first} & {second}": _cohen(judged, stage, first, second)
                for first, second in combinations(judges, 2)
            },
        }
    return report


def grader_agreement(samples: Sequence[Evaluated], *, seed: int = 0) -> dict[str, Any] | None:
    """Grader against jury on correctness, over what both decided; None where the grader was not asked."""
    asked = [sample for sample in samples if sample.grader is not None]
    if not asked:
        return None
    both = [s for s in asked if s.grader in VERDICTS and s.jury in VERDICTS]
    pairs = {
        f"grader {left}, jury {right}": sum((s.grader, s.jury) == (left, right) for s in both)
        for left in VERDICTS
        for right in VERDICTS
    }
    kappa = None
    if both:
        left, right = [s.grader for s in both], [s.jury for s in both]
        kappa = cohen_interval(left, right, clusters=[s.place.problem_id for s in both], seed=seed)
    return {
        "graded": len(asked),
        "decided": sum(sample.grader in VERDICTS for sample in asked),
        "decided_by_both": len(both),
        "pairs": pairs,
        "agreement": sum(s.grader == s.jury for s in both) / len(both) if both else None,
        "cohen": None if kappa is None else kappa.row(),
    }


def _tally(judged: Sequence[Evaluated], stage: Any, judge: str) -> dict[str, int]:
    said = [sample.votes[stage].get(judge, "") for sample in judged]
    return {verdict: said.count(verdict) for verdict in ("YES", "NO", "ABSTAIN", "ERROR")}


def _fleiss(judged: Sequence[Evaluated], stage: Any, seed: int) -> dict[str, Any]:
    counts = vote_counts([list(sample.votes[stage].values()) for sample in judged], VERDICTS)
    if not any(sum(row) >= 2 for row in counts):
        return {"agreement": None, "fleiss": None}
    interval = fleiss_interval(counts, clusters=[s.place.problem_id for s in judged], seed=seed)
    return {
        "agreement": percent_agreement(counts),
        "fleiss": None if interval is None else interval.row(),
    }


def _cohen(judged: Sequence[Evaluated], stage: Any, first: str, second: str) -> dict[str, Any]:
    pairs = [(s.votes[stage].get(first), s.votes[stage].get(second)) for s in judged]
    both = [(left, right) for left, right in pairs if left in VERDICTS and right in VERDICTS]
    kappa = cohen_kappa([left for left, _ in both], [right for _, right in both]) if both else None
    return {"items": len(both), "kappa": kappa}
