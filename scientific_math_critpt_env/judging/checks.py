"""Defects of a jury, found before anything is asked."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from scientific_math_critpt_env.judging.addresses import address_defect
from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.requesting import RESERVED
from scientific_math_critpt_env.judging.rules import known_rule
from scientific_math_critpt_env.judging.votes import Decision

NOT_NAMES = ("final_decision",)
"""Names that mean something else in the files that votes are written to."""

HIGHEST_PRICE = 1e9
"""Of a million tokens, in whatever currency: more is a slip, and sums of it would not be numbers."""

SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 1e-3, 86_400.0
"""Seconds: what a timer can wait, up to a day."""

SLOWEST_RATE, FASTEST_RATE = 1e-3, 1e9
"""Requests a minute: from one in ten days, so that pauses stay numbers of seconds that a clock knows."""


def refuse_defects(
    judges: Sequence[Judge],
    *,
    rule: str = "majority",
    quorum: int | None = None,
    ties: Decision = "NO",
    budget: float | None = None,
    max_calls: int | None = None,
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
    if budget is not None and not (math.isfinite(budget) and budget >= 0):
        raise JudgingError("budget must be a finite amount of at least 0")
    if max_calls is not None and max_calls < 1:
        raise JudgingError("max_calls must be at least 1")
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
    if defect := address_defect(judge.base_url):
        refuse(defect)
    if reserved := [name for name in RESERVED if name in judge.sampling]:
        refuse(f"sampling may not set {', '.join(reserved)}")
    try:
        json.dumps(dict(judge.sampling), allow_nan=False)
    except (TypeError, ValueError) as error:
        refuse(f"sampling is no JSON: {error}")
    if not (0 <= judge.prompt_price <= HIGHEST_PRICE and 0 <= judge.completion_price <= HIGHEST_PRICE):
        refuse(f"a price must be from 0 to {HIGHEST_PRICE:g}")
    if not SHORTEST_TIMEOUT <= judge.timeout <= LONGEST_TIMEOUT:
        refuse(f"timeout must be from {SHORTEST_TIMEOUT:g} to {LONGEST_TIMEOUT:g} seconds")
    if judge.retries < 0 or judge.concurrency < 1:
        refuse("concurrency must be above 0, and retries at least 0")
    rate = judge.requests_per_minute
    if rate is not None and not SLOWEST_RATE <= rate <= FASTEST_RATE:
        refuse(f"requests_per_minute must be from {SLOWEST_RATE:g} to {FASTEST_RATE:g}")


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
