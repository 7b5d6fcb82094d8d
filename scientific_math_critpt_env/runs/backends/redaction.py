"""Takes a key out of what an endpoint sends back, however it is escaped there."""

from __future__ import annotations

import functools
import re

MIN_SECRET = 6
"""A shorter key (`x`, `EMPTY`) is a placeholder; taking it out of texts would only spoil them."""

MAX_BACKSLASHES = 4
"""Before a character: JSON in JSON escapes twice, and Python's notation of that once more. Bounded, so that a
reply of nothing but backslashes costs no more than any other."""


def without(text: str, secret: str) -> str:
    """`text` with `[key]` for `secret`, also where characters of it stand as JSON may write them.

    That is with backslashes before them (`\\/`) or as `\\u002f`; apply it to what has been decoded.
    """
    return _spellings(secret).sub("[key]", text) if len(secret) >= MIN_SECRET else text


@functools.lru_cache(maxsize=8)
def _spellings(secret: str) -> re.Pattern[str]:
    return re.compile("".join(_spelling(part[0]) for part in re.finditer(r"\\+|.", secret, re.DOTALL)))


def _spelling(part: str) -> str:
    code = rf"(?:\\{{1,{MAX_BACKSLASHES}}}+u(?i:{ord(part[0]):04x}))"
    if part[0] != "\\":
        return rf"(?:\\{{0,{MAX_BACKSLASHES}}}+{re.escape(part)}|{code})"
    count = len(part)
    return rf"(?:\\{{{count},{count * MAX_BACKSLASHES}}}+|{code}{{{count}}})"
