r"""The content of `\boxed{...}`."""

from __future__ import annotations

import re

from scientific_math_critpt_env.problems.latex.tokens import LatexError

_BOX = re.compile(r"\\boxed\s*\{")


def last_box(latex: str) -> str:
    """The content of the last box. Raises LatexError where there is none, or its braces do not close."""
    boxes = all_boxes(latex)
    if not boxes:
        raise LatexError("no box")
    return boxes[-1]


def all_boxes(latex: str) -> list[str]:
    """The contents of all boxes that stand in no other. Raises LatexError where one does not close."""
    found, start = [], 0
    while match := _BOX.search(latex, start):
        depth, at = 1, match.end()
        while depth:
            if at == len(latex):
                raise LatexError("unbalanced brackets", "the box does not close")
            escaped = latex[at - 1] == "\\"
            depth += (latex[at] == "{" and not escaped) - (latex[at] == "}" and not escaped)
            at += 1
        found.append(latex[match.end() : at - 1])
        start = at
    return found
