"""Strings: equal after Unicode composition, case folding and white-space folding; nothing is parsed.

'Non-trivial ' is 'non-trivial'; 'x^2' is not 'x**2', '1/2' is not '0.5', and a string is never a number.
Compatibility forms stay apart: a superscript two is not the digit 2.
"""

from __future__ import annotations

import unicodedata

from scientific_math_critpt_env.grading.finding import Finding, different, equal
from scientific_math_critpt_env.grading.structures.composites import short

METHOD = "string"


def compare_strings(gold: str, answer: str) -> Finding:
    """Whether the two texts fold to the same."""
    if folded(gold) == folded(answer):
        return equal(METHOD, "the same text" if gold == answer else "the same text up to case and spaces")
    return different(METHOD, f"{short(answer)} where the gold says {short(gold)}")


def folded(text: str) -> str:
    """NFC, case folded, runs of white space as one space, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())
