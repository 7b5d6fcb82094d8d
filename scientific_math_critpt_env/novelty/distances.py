"""How far two solutions are from each other, between 0 and 1, without a judge.

Every part is 1 - |A & B| / min(|A|, |B|) of two sets (features of live code, methods, words): the share of
the smaller one that the other does without. So a solution that contains another whole is at distance 0 from
it, and whatever is added to A, its distance to B stays at most the share of B that A does without.
Of code, all that a program mentions counts as well, dead code included, where that makes the distance less:
code whose use cannot be seen can only bring a program nearer. Symmetric, and 0 for equal solutions; not a
metric (a small set can be near two that are far apart).
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from scientific_math_critpt_env.novelty.embedding import cosine_distance
from scientific_math_critpt_env.novelty.profiles import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the parts of a distance weigh; only those that both sides have are averaged."""

    program: float = 0.7
    """Features of code."""
    methods: float = 0.3
    """Methods: those used by the programs where there is code, else those named in the prose."""
    words: float = 0.3
    """Pieces of words (n-grams of characters) of the prose, where there is no code."""

    def __post_init__(self) -> None:
        if min(self.program, self.methods, self.words) < 0:
            raise ValueError("weights of distances must not be negative")


def distance(first: Profile, second: Profile, weights: Weights | None = None) -> float | None:
    """The distance of two solutions; None where they cannot be compared: code that is not measured, code
    with prose, prose without a word.

    Where there is code the prose is not looked at: it is free to say anything.
    """
    weights = weights or Weights()
    if not (first.measured and second.measured and first.has_code == second.has_code):
        return None
    if first.program is not None and second.program is not None:
        one, other = first.program, second.program
        parts = [
            (weights.program, _code(one.features, one.mentioned, other.features, other.mentioned)),
            (weights.methods, _code(first.used, first.mentioned, second.used, second.mentioned)),
        ]
    else:
        parts = [
            (weights.methods, apart(first.prose.methods, second.prose.methods)),
            (weights.words, _words(first, second)),
        ]
    known = [(weight, part) for weight, part in parts if part is not None and weight > 0]
    if not known:
        return None
    return sum(weight * part for weight, part in known) / sum(weight for weight, _ in known)


def apart(first: Set[object], second: Set[object]) -> float | None:
    """1 - |A & B| / min(|A|, |B|); None where one of them is empty."""
    least = min(len(first), len(second))
    return 1.0 - len(first & second) / least if least else None


def _code(
    first: Set[object], mentioned: Set[object], second: Set[object], also_mentioned: Set[object]
) -> float | None:
    found = (apart(first, second), apart(mentioned, second), apart(also_mentioned, first))
    return None if found[0] is None else min(part for part in found if part is not None)


def _words(first: Profile, second: Profile) -> float | None:
    words = apart(first.prose.ngrams, second.prose.ngrams)
    if words is None or not first.vector or not second.vector:
        return words
    return min(words, cosine_distance(first.vector, second.vector))
