"""Signs that a text addresses its judge. They are reported and decide nothing: the fence is what protects.

Covered: English phrases that demand a verdict or void the judge's rules, and imitations of the fence and of
chat markup. Not covered: other languages, and whatever is said politely enough.
"""

from __future__ import annotations

import re

LOOKED_AT = 100_000
"""Characters at each end of a text; the signs are cheap to look for, but not in a text without end."""

_SIGNS = {
    "demands a verdict": re.compile(
        r"award\b.{0,20}\b(?:full|maximum|all)\b.{0,10}\b(?:marks?|points?|credit|score)"
        r"|(?:output|answer|reply|respond|return|write|say|vote)(?: with)?:? [\"'`*]*(?:YES|NO|ABSTAIN)\b"
        r"|\bverdict\s*[:=]\s*[\"'*]*(?:YES|NO|ABSTAIN)\b"
        r"|(?:mark|grade|judge|rate|accept) (?:this|it|the (?:solution|answer|candidate)) as "
        r"(?:correct|novel|new|right|valid)",
        re.IGNORECASE,
    ),
    "voids the rules": re.compile(
        r"\b(?:ignore|disregard|forget|override)\b.{0,40}"
        r"\b(?:instructions?|rules?|prompts?|criteria|everything above)"
        r"|\b(?:new|updated|real) (?:instructions?|system prompt)\b",
        re.IGNORECASE,
    ),
    "addresses the judge": re.compile(
        r"\b(?:dear |to the |note to )(?:judge|grader|referee|evaluator|reviewer)s?\b"
        r"|\bas an? (?:AI|language model|judge|grader)\b",
        re.IGNORECASE,
    ),
    "imitates the fence": re.compile(r"<<<\s*(?:BEGIN|END)\b", re.IGNORECASE),
    "imitates chat markup": re.compile(
        r"<\|\w+\|>|\[/?INST\]|^(?:system|assistant|user)\s*:", re.IGNORECASE | re.M
    ),
}


def suspicions(text: str) -> tuple[str, ...]:
    """The names of the signs found, in a fixed order."""
    if len(text) > 2 * LOOKED_AT:
        text = f"{text[:LOOKED_AT]}\n{text[-LOOKED_AT:]}"
    return tuple(name for name, sign in _SIGNS.items() if sign.search(text))
