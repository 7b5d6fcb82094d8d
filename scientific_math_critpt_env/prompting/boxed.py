r"""The content of the last complete `\boxed{...}` of a reply, as the contract math-v5.2-dual wants it.

Braces are counted where they are not escaped (`\{` is not one, `\\{` is). A box that never closes is none,
and `\fbox`, `\boxed 7` are none. Of a box inside a box the inner one is the last.
Not covered: verbatim text and comments of LaTeX; a box written there counts.
"""

from __future__ import annotations

import re

_MARKS = re.compile(r"(?P<box>\\{1,3}boxed\s*\{)|\\.|[{}]", re.DOTALL)
r"""A box, an escaped character, a brace. Up to three backslashes: `\\\boxed{7}` is a box after a line break,
and `\\boxed{7}` is what a model writes that escapes for JSON."""


def last_boxed(text: str) -> str | None:
    """The content, as it stands; None where no box is complete. Linear in the length of `text`."""
    last, last_start = None, -1
    open_braces: list[int] = []  # where the content of an open box starts; -1 for any other brace
    for mark in _MARKS.finditer(text):
        if mark["box"]:
            open_braces.append(mark.end())
        elif mark[0] == "{":
            open_braces.append(-1)
        elif mark[0] == "}" and open_braces:
            start = open_braces.pop()
            if start > last_start:
                last, last_start = text[start : mark.start()], start
    return last
