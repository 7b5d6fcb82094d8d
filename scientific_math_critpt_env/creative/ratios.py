"""The five ratios of an evaluation, with counts and intervals, whole and by kind of sample.

    correctness            C / N                N  all samples
    novelty                coarse / N           C  samples whose correctness is YES
    novel_unknown          fine / N
    novelty_to_correctness coarse / C           coarse, fine  samples whose novelty of that grain is YES
    novel_unknown_to_novelty fine / coarse      a ratio of nothing is 0

Under the rule `repository` the fine decision is what the file says (NO where k == n, as CreativeMath's code
has it); under `paper` it is YES where k == n and coarse is YES: distinct from all known solutions. Undecided
samples are in N and not YES; `undecided` counts them, `without_undecided` are the ratios without them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scientific_math_critpt_env.creative.dataset import Dataset
from scientific_math_critpt_env.creative.evaluations import Evaluated
from scientific_math_critpt_env.creative.stages import STAGES
from scientific_math_critpt_env.statistics.intervals import bootstrap

Rule = Literal["repository", "paper"]

RULES: tuple[Rule, ...] = get_args(Rule)

RATIOS = ("correctness", "novelty", "novel_unknown", "novelty_to_correctness", "novel_unknown_to_novelty")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sample comes to under a rule."""

    problem_id: int
    correct: bool
    coarse: bool
    fine: bool
    undecided: bool


def ratios(samples: Sequence[Evaluated], rule: Rule = "repository", *, seed: int = 0) -> dict[str, Any]:
    """Counts, the five ratios and their 95 % intervals (bootstrap over problems), as data.

    An interval is None where its ratio is of nothing.
    """
    outcomes = [outcome(sample, rule) for sample in samples]
    report = _ratios(outcomes)
    report["intervals"] = {name: _interval(outcomes, name, seed) for name in RATIOS}
    report["undecided"] = {
        stage: sum(sample.decisions[stage] == "UNDECIDED" for sample in samples) for stage in STAGES
    }
    if any(one.undecided for one in outcomes):
        report["without_undecided"] = _ratios([one for one in outcomes if not one.undecided])
    return report


def breakdown(samples: Sequence[Evaluated], dataset: Dataset, rule: Rule, *, seed: int = 0) -> dict[str, Any]:
    """The same by k, n - k, competition and difficulty: {"k": {"1": {...}, ...}, ...}."""
    kinds: dict[str, Callable[[Evaluated], Hashable]] = {
        "k": lambda sample: sample.place.k,
        "n_minus_k": lambda sample: sample.place.n - sample.place.k,
        "competition": lambda sample: dataset.problems[sample.place.problem_id].competition,
        "difficulty": lambda sample: dataset.problems[sample.place.problem_id].difficulty,
    }
    report: dict[str, Any] = {}
    for kind, of in kinds.items():
        groups: dict[Hashable, list[Evaluated]] = {}
        for sample in samples:
            groups.setdefault(of(sample), []).append(sample)
        report[kind] = {
            "absent" if name is None else str(name): ratios(groups[name], rule, seed=seed)
            for name in sorted(groups, key=_numbers_first)
        }
    return report


def outcome(sample: Evaluated, rule: Rule) -> Outcome:
    """What a sample comes to."""
    correct, coarse, fine = (sample.decisions[stage] == "YES" for stage in STAGES)
    if rule == "paper" and sample.place.k == sample.place.n:
        fine = coarse
    undecided = "UNDECIDED" in sample.decisions.values()
    return Outcome(sample.place.problem_id, correct, coarse, fine, undecided)


def _ratios(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    total = len(outcomes)
    correct, coarse, fine = (
        sum(getattr(one, name) for one in outcomes) for name in ("correct", "coarse", "fine")
    )
    pairs = ((correct, total), (coarse, total), (fine, total), (coarse, correct), (fine, coarse))
    return {
        "N": total,
        "counts": {"correct": correct, "coarse": coarse, "fine": fine},
        "ratios": {
            name: over / under if under else 0 for name, (over, under) in zip(RATIOS, pairs, strict=True)
        },
    }


def _interval(outcomes: Sequence[Outcome], name: str, seed: int) -> dict[str, Any] | None:
    over = {"correctness": "correct", "novelty": "coarse", "novelty_to_correctness": "coarse"}.get(
        name, "fine"
    )
    among = {"novelty_to_correctness": "correct", "novel_unknown_to_novelty": "coarse"}.get(name)
    counted = [one for one in outcomes if among is None or getattr(one, among)]
    if not counted:
        return None
    values = [float(getattr(one, over)) for one in counted]
    return bootstrap(values, clusters=[one.problem_id for one in counted], seed=seed).row()


def _numbers_first(name: Hashable) -> tuple[int, float, str]:
    if name is None:
        return 2, 0.0, ""
    return (0, float(name), "") if isinstance(name, int | float) else (1, 0.0, str(name))
