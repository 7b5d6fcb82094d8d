"""What one comparison found out, before it becomes a `Verdict`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Relation = Literal["equal", "different", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The relation of an answer to the gold, and how it was established."""

    relation: Relation
    method: str
    """What decided: structural, exact, symbolic:<step>, numeric, numeric:float, string, elementwise."""
    reason: str = ""
    """One sentence: the witness point, the component, the step that proved it."""
    partial: float = 0.0
    """Fraction of right components, 0..1; 0 or 1 for a single value."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """CPU seconds by stage of the comparison."""

    def with_costs(self, costs: Mapping[str, float]) -> Finding:
        """The same finding with these stages added to its costs."""
        total = dict(self.costs)
        for stage, seconds in costs.items():
            total[stage] = total.get(stage, 0.0) + seconds
        return replace(self, costs=total)


def equal(method: str, reason: str = "") -> Finding:
    """Both sides are the same; `method` says how it was shown."""
    return Finding(relation="equal", method=method, reason=reason, partial=1.0)


def different(method: str, reason: str) -> Finding:
    """The sides differ; `reason` names the witness."""
    return Finding(relation="different", method=method, reason=reason)


def undecided(reason: str, method: str = "") -> Finding:
    """Neither shown within the budget."""
    return Finding(relation="undecided", method=method, reason=reason)
