"""Which part of a conversation the rewards beside correctness look at."""

from __future__ import annotations

from collections.abc import Sequence

from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.prompting.reasoning import without_reasoning
from scientific_math_critpt_env.prompting.templates import code_template


def graded_answer(problem: Problem, reply: str, *, two_turn: bool) -> str:
    """A completion whose code is the code of `reply` that is graded: what novelty is measured of."""
    if not two_turn:
        return reply
    # In turn 2 it is the first block that counts, where a reader would take the last.
    found = extract(reply, problem.entry_point, which="first", template=code_template(problem))
    return f"```python\n{found.code}\n```\n" if found.code else ""


def told_to_jury(replies: Sequence[str]) -> str:
    """All that the model said, without what it only thought: what the jury reads."""
    return "\n\n".join(without_reasoning(reply)[0] for reply in replies)
