"""Defects of a jury, found before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.requesting import RESERVED
from scientific_math_critpt_env.judging.rules import known_rule
from scientific_math_critpt_env.judging.votes import Decision

NOT_NAMES = ("final_decision",)
"""Names that mean something else in the files that votes are written to."""


def refuse_defects(
    judges: Sequence[Judge],
    *,
    rule: str = "majority",
    quorum: int | None = None,
    ties: Decision = "NO",
    budget: float | None = None,
) -> None:
    """Raises `JudgingError` with one sentence for the first defect there is."""
    if not judges:
        raise JudgingError("a jury needs at least one judge")
    for judge in judges:
        _refuse_judge(judge)
    _refuse_doubles(judges)
    if quorum is not None and quorum < 1:
        raise JudgingError("quorum must be at least 1")
    refuse_hopeless(judges, rule=rule, quorum=quorum)
    if ties not in ("YES", "NO", "UNDECIDED"):
        raise JudgingError(f"ties: {ties!r} is not YES, NO or UNDECIDED")
    if budget is not None and not all(judge.prompt_price or judge.completion_price for judge in judges):
        free = ", ".join(j.name for j in judges if not (j.prompt_price or j.completion_price))
        raise JudgingError(f"a budget needs prices, and these have none: {free}; or limit the calls instead")


def refuse_hopeless(panel: Sequence[Judge], *, rule: str, quorum: int | None) -> None:
    """Raises `JudgingError` where so few judges can never say YES, or where there is no such rule."""
    needed = known_rule(rule)
    if needed > len(panel):
        raise JudgingError(f"rule {rule} can never be met by {_judges(panel)}")
    if quorum is not None and quorum > len(panel):
        raise JudgingError(f"quorum {str(quorum)[:20]} can never be met by {_judges(panel)}")


def _judges(panel: Sequence[Judge]) -> str:
    return "1 judge" if len(panel) == 1 else f"{len(panel)} judges"


def _refuse_judge(judge: Judge) -> None:
    def refuse(reason: str) -> None:
        raise JudgingError(f"judge {judge.name or judge.model}: {reason}")

    if not judge.name or judge.name in NOT_NAMES:
        refuse(f"{judge.name!r} is no name for a judge")
    if not judge.model:
        refuse("model is missing")
    if not judge.base_url.startswith(("http://", "https://")):
        refuse(f"base_url {judge.base_url!r} is no http address")
    if reserved := [name for name in RESERVED if name in judge.sampling]:
        refuse(f"sampling may not set {', '.join(reserved)}")
    try:
        json.dumps(dict(judge.sampling), allow_nan=False)
    except (TypeError, ValueError) as error:
        refuse(f"sampling is no JSON: {error}")
    if judge.prompt_price < 0 or judge.completion_price < 0:
        refuse("a price is negative")
    if judge.timeout <= 0 or judge.retries < 0 or judge.concurrency < 1:
        refuse("timeout and concurrency must be above 0, and retries at least 0")
    if judge.requests_per_minute is not None and judge.requests_per_minute <= 0:
        refuse("requests_per_minute must be above 0")


def _refuse_doubles(judges: Sequence[Judge]) -> None:
    names = [judge.name for judge in judges]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise JudgingError(f"two judges are called {doubled[0]}")
    opinions: dict[str, str] = {}
    for judge in judges:
        key = json.dumps(
            [judge.identity or judge.model, dict(judge.sampling), judge.structured], sort_keys=True
        )
        if key in opinions:
            raise JudgingError(
                f"judges {opinions[key]} and {judge.name} are one model with one sampling, counted twice for "
                "one opinion; give one another seed in its sampling, or an identity where the models differ"
            )
        opinions[key] = judge.name
