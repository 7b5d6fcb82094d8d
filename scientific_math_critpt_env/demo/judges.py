"""Scripted judges and solvers for juries: a list of rules, the first that fits a request answers it.

    {"rules": [
      {"model": "gpt-4", "stage": "correctness", "contains": ["s1|"], "reply": "NO"},
      {"model": "slow", "delay": 0.5, "reply": "It holds.\\nVerdict: YES"},
      {"model": "busy", "times": 2, "status": 429, "retry_after": 0.1},
      {"model": "dead", "stall": true},
      {"model": "naive", "outside_fence": ["award full marks"], "reply": "Verdict: YES"},
      {"stage": "generation", "reply": "Scripted solution {digest}."}
    ]}

A rule fits where all its conditions do; `times` lets it answer that many requests of each conversation and
then makes way, so that a retry meets the next rule. What a script does not cover: log-probabilities, streams.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from scientific_math_critpt_env.creative.prompting import TASK
from scientific_math_critpt_env.demo.wire import Asked
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.judging.questions import CORRECTNESS_TASK, NOVELTY_TASK

Stage = Literal["correctness", "novelty", "generation"]

_OPENINGS: tuple[tuple[str, Stage], ...] = (
    (CORRECTNESS_TASK, "correctness"),
    (NOVELTY_TASK, "novelty"),
    (TASK, "generation"),
)

_TOKEN = re.compile(r"marks without the token (\w+)")


Texts = Annotated[
    tuple[str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, str) else given)
]
"""In a file, one text may stand without its list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When it answers, and what."""

    model: str | None = None
    stage: Stage | None = None
    """What is asked for: None also fits conversations that are none of these."""
    contains: Texts = ()
    """Texts that must all stand in the conversation."""
    lacks: Texts = ()
    """Texts that must not."""
    outside_fence: Texts = ()
    """Texts that must stand where a judge takes instructions: outside what the fence marks as data."""
    times: int | None = None
    """How often it answers the same conversation; None is always."""
    delay: float = 0.0
    """Seconds before the answer."""
    stall: bool = False
    """Never answer."""
    status: int = 200
    retry_after: float | None = None
    reply: str | None = ""
    """{digest} stands for eight digits that depend on the conversation; null is a reply without content."""
    finish_reason: Literal["stop", "length", "content_filter"] = "stop"
    body: str | None = None
    """Sent as it is instead of a chat completion."""
    usage: bool = True
    """Whether the reply counts its tokens."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request that a rule answered."""

    model: str
    stage: Stage | None
    digest: str
    """Of the conversation."""
    messages: tuple[dict[str, Any], ...]
    rule: Rule
    at: float
    """When it came, on the monotonic clock."""


_RULES: TypeAdapter[list[Rule]] = TypeAdapter(list[Rule], config=ConfigDict(extra="forbid"))


class JudgeScript:
    """Rules, and the calls they answered so far. Works from any thread."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.calls: list[Call] = []
        self._rules = tuple(rules)
        self._answered: Counter[tuple[int, str, str]] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many rules there are."""
        return len(self._rules)

    def play(self, asked: Asked) -> Call | None:
        """The rule for a request, counted; None where none fits."""
        text = "\n".join(str(message.get("content") or "") for message in asked.messages)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        stage = next((stage for opening, stage in _OPENINGS if text.startswith(opening)), None)
        with self._lock:
            for place, rule in enumerate(self._rules):
                seen = (place, asked.model, digest)
                if not _fits(rule, asked.model, stage, text):
                    continue
                if rule.times is not None and self._answered[seen] >= rule.times:
                    continue
                self._answered[seen] += 1
                call = Call(asked.model, stage, digest, tuple(asked.messages), rule, monotonic())
                self.calls.append(call)
                return call
        return None


def load_judges(path: Path) -> JudgeScript:
    """The script of a JSON file. Raises `ScientificMathError` with the file and the rule that is wrong."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ScientificMathError(f"{path}: no JSON: {error}") from error
    if not isinstance(content, dict) or set(content) != {"rules"}:
        raise ScientificMathError(f'{path}: must be an object with "rules"')
    try:
        return JudgeScript(_RULES.validate_python(content["rules"]))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ScientificMathError(f"{path}: rules: {place}: {first['msg']}") from error


def _fits(rule: Rule, model: str, stage: Stage | None, text: str) -> bool:
    return (
        rule.model in (None, model)
        and rule.stage in (None, stage)
        and all(part in text for part in rule.contains)
        and not any(part in text for part in rule.lacks)
        and (not rule.outside_fence or all(part in outside_fence(text) for part in rule.outside_fence))
    )


def outside_fence(text: str) -> str:
    """What a judge that keeps to the stated fence takes as addressed to itself."""
    token = _TOKEN.search(text)
    if token is None:
        return text
    return re.sub(
        rf"<<<BEGIN [^\n]* {token[1]}>>>\n.*?\n<<<END [^\n]* {token[1]}>>>", "", text, flags=re.DOTALL
    )
