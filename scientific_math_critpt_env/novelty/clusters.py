"""Clusters by approach: agglomerative, by average distance, up to a threshold.

The two nearest clusters are joined until the nearest are further apart than the threshold. The result does
not depend on the order in which solutions are given: ties are broken by what the solutions are.
"""

from __future__ import annotations

from collections.abc import Sequence

THRESHOLD = 0.5
"""Average distance at which two groups of solutions are two approaches; docs/novelty.md says how well that
parts pairs of programs of which it is known."""

MOST_MEMBERS = 128
"""Solutions clustered at once: joining costs their third power, a quarter of a second for this many."""


def clustered(
    distances: Sequence[Sequence[float]], keys: Sequence[str], threshold: float = THRESHOLD
) -> list[int]:
    """The number of the cluster of each solution, counted in order of first appearance.

    `distances` is square and symmetric; `keys` say what the solutions are, equal for equal ones.
    Raises ValueError for more than `MOST_MEMBERS`.
    """
    count = len(keys)
    if count > MOST_MEMBERS:
        raise ValueError(f"{count} solutions to cluster; at most {MOST_MEMBERS} can be")
    members = [[place] for place in sorted(range(count), key=lambda place: keys[place])]
    between = {
        (a, b): distances[members[a][0]][members[b][0]] for a in range(count) for b in range(a + 1, count)
    }
    alive = set(range(count))
    while between:
        (a, b), nearest = min(between.items(), key=lambda entry: (entry[1], entry[0]))
        if nearest > threshold:
            break
        alive.discard(b)
        for other in alive - {a}:
            first, second = _ordered(a, other), _ordered(b, other)
            sizes = len(members[a]), len(members[b])
            between[first] = (sizes[0] * between[first] + sizes[1] * between[second]) / sum(sizes)
        members[a] += members[b]
        between = {pair: apart for pair, apart in between.items() if b not in pair}
    numbers = [0] * count
    for cluster in alive:
        for place in members[cluster]:
            numbers[place] = cluster
    order = {cluster: number for number, cluster in enumerate(dict.fromkeys(numbers))}
    return [order[cluster] for cluster in numbers]


def _ordered(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)
