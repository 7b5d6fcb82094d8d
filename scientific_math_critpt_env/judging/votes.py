"""What is asked of a jury and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["YES", "NO", "ABSTAIN", "ERROR"]
"""ABSTAIN: the judge answered without a verdict. ERROR: no answer could be had. Neither ever counts as NO."""

Decision = Literal["YES", "NO", "UNDECIDED"]


@dataclass(frozen=True, slots=True)
class Question:
    """A yes-or-no question; equal messages are one question, whoever asks."""

    name: str
    """What is asked for, such as "correctness"; no part of what a judge sees."""
    messages: tuple[Mapping[str, str], ...]
    """Chat messages: {"role": ..., "content": ...}."""
    seed: int = 0
    """What the fences and the order of the references were drawn with."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One judge's answer."""

    judge: str
    verdict: Verdict
    reply: str
    """The reply as it came, lone surrogates escaped; "" where there was none."""
    reason: str
    """How the verdict was read, or why there is none."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    """Price of the reply, also where the cache had it."""
    cached: bool
    """Nothing was asked for this vote: the reply was known."""

    @property
    def counts(self) -> bool:
        """Whether it is a YES or a NO."""
        return self.verdict in ("YES", "NO")


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes on one question, in the order of the jury, and what they come to."""

    votes: tuple[Vote, ...]
    decision: Decision
