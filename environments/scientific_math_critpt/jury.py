"""The process's juries: one for each file, shared by all tasks, closed when the process ends."""

from __future__ import annotations

import atexit
import os
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.judging import Ballot, Jury, load_jury
from scientific_math_critpt_env.judging.errors import JudgingError


@cache
def shared_jury(file: Path) -> Jury:
    """This process's jury of the file; nothing is asked or opened yet. Raises `JudgingError`."""
    jury = load_jury(file)
    missing = sorted(
        {j.key_variable for j in jury.judges if j.key_variable and j.key_variable not in os.environ}
    )
    if missing:
        raise JudgingError(f"{file}: set {', '.join(missing)}, the keys of the judges")
    atexit.register(jury.close)
    return jury


def settled(ballot: Ballot, asked: str) -> bool:
    """Whether the jury says YES. Judges that answered without coming to a verdict do not say so.

    Raises `InfrastructureError` where nothing was decided because judges could not be had: the rollout is an
    error then, and never a 0.
    """
    failed = [vote for vote in ballot.votes if vote.verdict == "ERROR"]
    if ballot.decision == "UNDECIDED" and failed:
        reasons = "; ".join(f"{vote.judge}: {vote.reason}" for vote in failed)
        raise InfrastructureError(f"the jury could not decide on {asked}: {reasons}")
    if not ballot.votes:
        raise InfrastructureError(f"no judge is left to decide on {asked}")
    return ballot.decision == "YES"


def told(ballot: Ballot) -> dict[str, Any]:
    """A ballot as it is kept in a trace: the decision, and every vote with its raw reply."""
    return {"decision": ballot.decision, "votes": [asdict(vote) for vote in ballot.votes]}


def cost_of(ballot: Ballot) -> float:
    """Price of the replies."""
    return sum(vote.cost for vote in ballot.votes)
