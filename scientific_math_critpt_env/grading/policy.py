"""What a grader may choose; everything else about a verdict is fixed by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Choices of `scientific-v1` that change what an answer earns."""

    numeric_agreement: Literal["correct", "undecided"] = "correct"
    """Verdict where all probes agree and no proof was found."""
    undecided_score: float = 0.0
    """Reward of an undecided comparison, 0..1."""
    float_answers: Literal["accept", "reject"] = "accept"
    """Whether a float may answer an exact gold (at relative `float_rtol`)."""
    float_rtol: float = 1e-9
    rtol: float = 1e-6
    """Relative tolerance for golds that are floats, where the problem names none."""
