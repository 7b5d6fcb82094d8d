"""Takes the reasoning out of a completion, so that code a model only thought about is never its answer.

Covered: `<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `<seed:think>`, `[THINK]`, `◁think▷` and the
analysis channel of harmony texts; parts that are never closed; a closing tag alone, whose opening stands in
the chat template. Not covered: reasoning without tags.
"""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|reasoning|seed:think"

# An opening tag starts its line: "I write between <think> tags" opens nothing. Between quotes a closing tag
# is a mention as well.
_TAGS = re.compile(
    rf"^[ \t]*(?P<opening><(?:{_NAMES})>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>)"
    rf"|(?P<closing></(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTES = frozenset("`'\"")


def without_reasoning(text: str) -> tuple[str, bool]:
    """`text` without its reasoning, and whether the reasoning was still open at the end (so: cut off).

    A closing tag without an opening one takes away everything before it. Linear in the length of `text`.
    """
    kept: list[str] = []
    start = 0
    inside = False
    for tag in _TAGS.finditer(text):
        if tag["opening"]:
            if not inside:
                kept.append(text[start : tag.start()])
            inside = True
        elif not _quoted(text, tag):
            if not inside:
                kept.clear()
            inside = False
            start = tag.end()
    if not inside:
        kept.append(text[start:])
    return "\n".join(filter(None, kept)), inside


def _quoted(text: str, tag: re.Match[str]) -> bool:
    return text[tag.start() - 1 : tag.start()] in _QUOTES and text[tag.end() : tag.end() + 1] in _QUOTES
