"""Voting rules by name.

    unanimous     YES where every vote counted is YES
    majority      YES where there are more YES than NO; a tie is what `ties` says (NO, as CreativeMath has it)
    at-least-K    YES where K say YES; NO where the votes that are missing could not make K either

Abstentions and errors are missing votes, never NO. Fewer counted votes than the quorum decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.votes import Decision, Verdict

RULES = ("unanimous", "majority", "at-least-K")

_AT_LEAST = re.compile(r"at-least-([1-9]\d{0,5})")


def decide(
    verdicts: Sequence[Verdict], rule: str = "majority", *, quorum: int | None = None, ties: Decision = "NO"
) -> Decision:
    """What the verdicts come to; `quorum` None is more than half of those asked.

    No votes at all decide nothing. Raises `JudgingError` for a rule that does not exist.
    """
    needed = known_rule(rule)
    yes, no = verdicts.count("YES"), verdicts.count("NO")
    if yes + no < max(1, len(verdicts) // 2 + 1 if quorum is None else quorum):
        return "UNDECIDED"
    if rule == "unanimous":
        return "NO" if no else "YES"
    if rule == "majority":
        return ties if yes == no else ("YES" if yes > no else "NO")
    if yes >= needed:
        return "YES"
    return "NO" if len(verdicts) - no < needed else "UNDECIDED"


def known_rule(rule: str) -> int:
    """The K of `at-least-K`, 0 for the other rules. Raises `JudgingError` where there is no such rule."""
    match = _AT_LEAST.fullmatch(rule)
    if match:
        return int(match[1])
    if rule not in RULES[:2]:
        raise JudgingError(
            f"unknown voting rule {rule[:40]!r}; there are {', '.join(RULES)} (such as at-least-2)"
        )
    return 0
