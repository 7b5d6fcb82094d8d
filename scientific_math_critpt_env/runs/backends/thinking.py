"""Reasoning apart from the text that is scored."""

from __future__ import annotations

from scientific_math_critpt_env.prompting.reasoning import without_reasoning
from scientific_math_critpt_env.runs.samples import ThinkingStatus


def separated(text: str, reasoning: str) -> tuple[str, str, ThinkingStatus]:
    """(reasoning, final text, status) of a message and the reasoning that came in a field of its own.

    Inline reasoning keeps its tags. Where it was never closed, nothing after its opening tag is final.
    """
    if reasoning:
        return reasoning, text, "separate"
    final, cut = without_reasoning(text)
    if final == text:
        return "", text, "none"
    final = final.lstrip("\n")
    before = text[: len(text) - len(final)] if text.endswith(final) else text.replace(final, "", 1)
    return before, final, "unclosed" if cut else "closed"
