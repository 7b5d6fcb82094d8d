"""Novelty among the solutions of one problem, as a reward.

    group_novelty(solutions, references, correct=[True, True, False, True])  ->  [0.5, 0.5, 0.0, 0.0]

Only correct solutions are looked at: a wrong one earns nothing, and makes no right one rare or common. They
are clustered by approach, together with the references. The novelty of a solution is its rarity (the share of
the other correct ones that took another approach), times its distance to the nearest reference; it is 0
where a reference shares its cluster. So a variation that stays within its approach earns nothing at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scientific_math_critpt_env.novelty.clusters import MOST_MEMBERS, THRESHOLD, clustered
from scientific_math_critpt_env.novelty.distances import Weights, distance
from scientific_math_critpt_env.novelty.embedding import Embedder
from scientific_math_critpt_env.novelty.profiles import Profile, Solution, profiled


@dataclass(frozen=True, slots=True)
class Novelty:
    """What was found out about one solution of a group."""

    score: float
    """0..1, not above the cap."""
    approach: int | None
    """Number of its cluster; None where it was not clustered. Code and prose are clustered apart."""
    rarity: float
    """Share of the other correct, measured solutions that took another approach."""
    nearest: float | None
    """Distance to the nearest reference; None without references that can be compared."""
    reason: str
    """Why nothing could be measured, or ""."""


def group_novelty(
    solutions: Sequence[Solution],
    references: Sequence[Solution] = (),
    *,
    correct: Sequence[bool] | None = None,
    entry_point: str = "model_answer",
    threshold: float = THRESHOLD,
    cap: float = 1.0,
    weights: Weights | None = None,
    derivations: bool = False,
    embed: Embedder | None = None,
) -> list[float]:
    """The novelty of each solution, 0..`cap`; see `measure_group`."""
    found = measure_group(
        solutions,
        references,
        correct=correct,
        entry_point=entry_point,
        threshold=threshold,
        cap=cap,
        weights=weights,
        derivations=derivations,
        embed=embed,
    )
    return [novelty.score for novelty in found]


def measure_group(
    solutions: Sequence[Solution],
    references: Sequence[Solution] = (),
    *,
    correct: Sequence[bool] | None = None,
    entry_point: str = "model_answer",
    threshold: float = THRESHOLD,
    cap: float = 1.0,
    weights: Weights | None = None,
    derivations: bool = False,
    embed: Embedder | None = None,
) -> list[Novelty]:
    """Measure the solutions (completions or code) of one problem against each other and `references`.

    With `derivations`, answers whose code only states a value are compared by their prose, as prose is.
    `correct` says which are right; None means all are. Never raises for what a solution holds; ValueError for
    `correct` of another length, a cap or threshold outside 0..1, or more than `MOST_MEMBERS` texts.
    """
    right = [True] * len(solutions) if correct is None else list(correct)
    if len(right) != len(solutions):
        raise ValueError(f"{len(solutions)} solutions, but `correct` has {len(right)} entries")
    if not (0 <= cap <= 1 and 0 <= threshold <= 1):
        raise ValueError("cap and threshold must be between 0 and 1")
    if len(solutions) + len(references) > MOST_MEMBERS:
        raise ValueError(f"at most {MOST_MEMBERS} solutions and references can be compared at once")
    found = [Novelty(0.0, None, 0.0, None, "it is not correct") for _ in solutions]
    asked = [place for place, is_right in enumerate(right) if is_right]
    texts = [solutions[place] for place in asked] + list(references)
    profiles = profiled(texts, entry_point=entry_point, derivations=derivations, embed=embed)
    for place, original in enumerate(asked):
        if not profiles[place].measured:
            reason = profiles[place].unmeasured or "it only states a value"
            found[original] = Novelty(0.0, None, 0.0, None, reason)
    clusters = 0
    for has_code in (True, False):
        # Code is compared with code and prose with prose; a reference of the other kind says nothing.
        kind = [at for at, p in enumerate(profiles) if p.measured and p.has_code == has_code]
        mine, known = [at for at in kind if at < len(asked)], [at for at in kind if at >= len(asked)]
        between = _distances([profiles[at] for at in kind], weights)
        numbers = clustered(between, [str(texts[at]) for at in kind], threshold)
        for row, at in enumerate(mine):
            nearest = min(between[row][len(mine) :], default=None)
            others = [number for other, number in enumerate(numbers[: len(mine)]) if other != row]
            rarity = _rarity(numbers[row], others, bool(known))
            score = rarity * (1.0 if nearest is None else nearest)
            if numbers[row] in numbers[len(mine) :]:
                score = 0.0
            found[asked[at]] = Novelty(min(score, cap), clusters + numbers[row], rarity, nearest, "")
        clusters += max(numbers, default=-1) + 1
    return found


def _rarity(own: int, others: list[int], has_references: bool) -> float:
    """Alone, a solution is as new as its distance to the references says; without any, not at all."""
    if not others:
        return float(has_references)
    return sum(number != own for number in others) / len(others)


def _distances(profiles: Sequence[Profile], weights: Weights | None) -> list[list[float]]:
    """All distances; 0 for what cannot be compared, since nothing shows it to be different."""
    table = [[0.0] * len(profiles) for _ in profiles]
    for row, first in enumerate(profiles):
        for column in range(row):
            found = distance(first, profiles[column], weights)
            table[row][column] = table[column][row] = 0.0 if found is None else found
    return table
