"""Recognises the problem in a conversation and picks the replies.

`ProblemScript` is one kind of script; the server asks each of its scripts in turn, so that a scripted judge
can stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from scientific_math_critpt_env.demo.mixture import Mixture
from scientific_math_critpt_env.demo.replies import Reply, Stage, reply, tagged_variant
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.texts import first_turn, one_turn

Messages = Sequence[dict[str, Any]]


class Script(Protocol):
    """Something that knows some conversations by heart."""

    def replies(self, messages: Messages, *, n: int, seed: int | None) -> list[Reply] | None:
        """`n` replies to a conversation, or None if it is not one of this script's."""


class ProblemScript:
    """Answers the given problems, in both protocols."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.mixture = Mixture(problems)
        self._texts: list[tuple[str, Stage, Problem]] = []
        for problem in problems:
            self._texts.append((one_turn(problem), "one_turn", problem))
            self._texts.append((first_turn(problem), "first_turn", problem))
            self._texts.append((problem.prompt.strip(), "one_turn", problem))
        self._exact = {text: (stage, problem) for text, stage, problem in reversed(self._texts)}
        # A text can hold a shorter one (a prompt inside its own one-turn text): the longest is meant.
        self._texts.sort(key=lambda entry: -len(entry[0]))

    def replies(self, messages: Messages, *, n: int, seed: int | None) -> list[Reply] | None:
        """As `Script.replies`; with a seed the same request always gets the same replies."""
        turns = [(str(m.get("role")), _text(m.get("content"))) for m in messages]
        users = [place for place, (role, _) in enumerate(turns) if role == "user"]
        if not users:
            return None
        found = self._recognised(turns[users[0]][1])
        if found is None:
            return None
        stage, problem = found
        if len(users) == 1:
            variants = [self._variant(problem, seed, choice) for choice in range(n)]
        else:
            stage = "second_turn"
            said = "\n".join(text for role, text in turns if role == "assistant")
            tagged = tagged_variant(said, problem)
            variants = [self._variant(problem, seed, 0) if tagged is None else tagged] * n
        return [reply(problem, self.mixture.kind(problem.id, v), v, stage) for v in variants]

    def _recognised(self, text: str) -> tuple[Stage, Problem] | None:
        if text in self._exact:
            return self._exact[text]
        return next(((stage, problem) for known, stage, problem in self._texts if known in text), None)

    def _variant(self, problem: Problem, seed: int | None, choice: int) -> int:
        return self.mixture.next_variant(problem.id) if seed is None else abs(seed) + choice


def _text(content: object) -> str:
    """The text of a message, also where it comes in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
