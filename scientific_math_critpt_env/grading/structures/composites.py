"""Findings about components, put together into one about the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, undecided
from scientific_math_critpt_env.grading.printing import printed

Compare = Callable[[object, object, Context], Finding]
"""The recursion: gold and answer of any kind, finding out."""

Part = tuple[str, Finding]
"""A component's name for people ("component 2 of the tuple") and what was found about it."""

METHOD = "elementwise"

PRINTED_CHARACTERS = 60
"""Of a value quoted in a reason: enough to recognise it, and a reason stays one line."""

_WEAKNESS = ("structural", "exact", "string", "symbolic", "numeric", "numeric:float")
"""Methods from proof to agreement within a float's digits."""


def whole(parts: Sequence[Part], noun: str) -> Finding:
    """Equal if all parts are, different if one is, else undecided; with the fraction of right ones."""
    partial = fraction_right(parts, len(parts))
    for relation in ("different", "undecided"):
        for label, finding in parts:
            if finding.relation == relation:
                return Finding(
                    relation=finding.relation,
                    method=METHOD,
                    reason=f"{label}: {finding.reason}",
                    partial=partial,
                )
    weakest = weakest_method([finding for _, finding in parts])
    return Finding(relation="equal", method=METHOD, reason=_all_equal(len(parts), noun, weakest), partial=1.0)


def fraction_right(parts: Sequence[Part], total: int) -> float:
    """Right components among `total`, which counts those that are in no part (an answer with too few)."""
    return sum(finding.relation == "equal" for _, finding in parts) / max(total, 1)


def weakest_method(findings: Sequence[Finding]) -> str:
    """The least certain method among equal components, looking into composites."""
    methods = [_leaf_method(finding) for finding in findings]
    return max(methods, key=_weakness, default="structural")


def shape_mismatch(reason: str, partial: float = 0.0) -> Finding:
    """Different because the outer form is: a length, a shape, a key."""
    return Finding(relation="different", method="structural", reason=reason, partial=partial)


def agreement(reason: str, context: Context, method: str = "numeric") -> Finding:
    """All probes agree and nothing was proved: equal or undecided, as the policy has it."""
    if context.policy.numeric_agreement == "correct":
        return Finding(relation="equal", method=method, reason=reason, partial=1.0)
    return undecided(f"{reason}; the policy asks for a proof", method)


def short(value: object) -> str:
    """A value as quoted in a reason."""
    text = " ".join((repr(value) if isinstance(value, str) else printed(value)).split())
    return text if len(text) <= PRINTED_CHARACTERS else text[: PRINTED_CHARACTERS - 3] + "..."


_WEAKEST = " (weakest: "


def _all_equal(count: int, noun: str, weakest: str) -> str:
    return f"all {count} {noun} are equal{_WEAKEST}{weakest})"


def _leaf_method(finding: Finding) -> str:
    if finding.method == METHOD and _WEAKEST in finding.reason:
        return finding.reason.rsplit(_WEAKEST, 1)[1].rstrip(")")
    return finding.method


def _weakness(method: str) -> int:
    if method in _WEAKNESS:
        return _WEAKNESS.index(method)
    return _WEAKNESS.index(method.split(":")[0]) if method.split(":")[0] in _WEAKNESS else 0
