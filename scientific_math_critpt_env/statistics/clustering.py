"""Which answers to one problem are the same answer, for maj@k.

Correct answers are one: each of them equals the gold. Wrong ones are told apart by what was written, plain
numbers by their value, so that 0.5 and 1/2 are one; `equivalence.py` asks the grader's equality instead.
A clustering takes the rows of one problem and returns a label for each, None where there is no answer. One
that has `prepare(groups)` is given the rows of all problems before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

Row = Mapping[str, Any]
Clustering = Callable[[Sequence[Row]], Sequence[Hashable | None]]

CORRECT = ("correct",)
"""The label of the answers that equal the gold; no text is a tuple."""

WITHOUT_VALUE = ("no_answer", "code_error", "invalid_answer", "timeout", "resource_limit")
"""Statuses of code that returned nothing to compare: what it says is no answer."""

NUMBER_CHARACTERS = 60
"""A longer number is compared as text: reading 10^999999 exactly is work without end."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3}|\s*/\s*\d*[1-9]\d*)?")


def by_text(rows: Sequence[Row]) -> list[Hashable | None]:
    """Labels by correctness, then by the normalised prediction, or the candidate where there is none."""
    return [label_of(row, answer_text(row)) for row in rows]


def label_of(row: Row, text: str | None) -> Hashable | None:
    """The label of one row whose answer reads `text`."""
    if row.get("is_correct"):
        return CORRECT
    return None if text is None else text_key(text)


def answer_text(row: Row) -> str | None:
    """What the sample answered, as far as it was read; None where nothing was."""
    if row["status"] in WITHOUT_VALUE:
        return None
    for field in ("normalized_prediction", "candidate_text"):
        text = row.get(field)
        if isinstance(text, str) and text.strip():
            return text.strip()
    return None


def text_key(text: str) -> Hashable:
    """A plain number's value as a fraction, any other text without its spaces and dollar signs."""
    bare = text.strip().strip("$").strip().rstrip(".")
    if len(bare) <= NUMBER_CHARACTERS and NUMBER.fullmatch(bare):
        if "/" not in bare:
            return Fraction(bare)
        over, under = bare.split("/")
        return Fraction(over) / Fraction(under.strip())
    return "".join(bare.split())
