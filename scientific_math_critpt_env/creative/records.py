"""What became of a sample: by stage the state, the decision and every vote with its raw reply.

As a row of `<dir>/<model>.run/record.jsonl`:

    {"problem_id": 0, "k": 1, "n": 2, "removed": [], "suspicions": [], "answer": null, "stages": {
       "correctness": {"state": "judged", "decision": "YES", "by": "jury", "references": [1, 2], "why": "",
                       "votes": [{"judge": "a", "verdict": "YES", "reply": "...", "reason": "...", ...}]},
       "coarse_grained_novelty": {...}, "fine_grained_novelty": {"state": "skipped", "decision": "NO", ...}}}

Nothing in it depends on time or on what was cached, so a resumed run writes the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from scientific_math_critpt_env.creative.grading import GradedAnswer
from scientific_math_critpt_env.creative.samples import Sample
from scientific_math_critpt_env.creative.stages import StageName
from scientific_math_critpt_env.judging import Decision, Vote

State = Literal["judged", "skipped", "abstained", "failed"]
"""judged: YES or NO. skipped: not asked. Undecided is abstained, or failed where a judge could not be had."""


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage of one sample."""

    state: State
    decision: Decision
    """Of a skipped stage NO, or UNDECIDED where the stage before it is."""
    by: Literal["jury", "grader", "rule"]
    references: tuple[int, ...]
    votes: tuple[Vote, ...] = ()
    """Also where the grader decided and the jury was asked beside it."""
    why: str = ""
    """Why it was skipped, or what the grader found."""
    jury: Decision | None = None
    """What the jury alone comes to; None where it was not asked."""

    def row(self) -> dict[str, Any]:
        """As written to the record."""
        votes = [
            {name: value for name, value in asdict(vote).items() if name != "cached"} for vote in self.votes
        ]
        return {**asdict(self), "references": list(self.references), "votes": votes}


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One sample through all stages."""

    sample: Sample
    removed: tuple[str, ...]
    """Transition sentences that the jury did not see."""
    suspicions: tuple[str, ...]
    """Signs that the response addresses its judges."""
    answer: GradedAnswer | None
    """What the grader found, where it was asked."""
    stages: Mapping[StageName, StageRecord]

    def row(self) -> dict[str, Any]:
        """As written to the record."""
        return {
            **asdict(self.sample.place),
            "removed": list(self.removed),
            "suspicions": list(self.suspicions),
            "answer": None if self.answer is None else asdict(self.answer),
            "stages": {name: stage.row() for name, stage in self.stages.items()},
        }
