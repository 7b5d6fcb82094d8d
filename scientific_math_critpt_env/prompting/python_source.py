"""Reads Python source without running it, within limits that hold for hostile text.

`ast.parse` raises, rather than crashes, on everything we found once the source is short and its brackets are
not deep: CPython bounds its own stack (measured on 3.11 to 3.13, in threads of 1 MiB).
"""

from __future__ import annotations

import ast
import re
import warnings

MAX_CODE = 64 * 1024
"""Characters: real answers have under 8,000; the worst text of this length takes 0.15 s to parse."""

MAX_NESTING = 100
"""Brackets open at once: CPython itself stops at 200, and each level takes C stack."""

_FILENAME = "<completion>"

_LEXEME = re.compile(
    r"""\#[^\n]*
    |(?P<quote>'{3}|"{3})
    |'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?
    |(?P<opening>[(\[{])
    |(?P<closing>[)\]}])""",
    re.VERBOSE | re.DOTALL,
)
_LONG_END = {quote: re.compile(rf"\\.|(?P<end>{quote})", re.DOTALL) for quote in ("'''", '"""')}


class UnreadableCode(Exception):
    """Source that is no Python, or beyond the limits; its text is the reason, in one line."""

    def __init__(self, reason: str, *, syntax: bool = False) -> None:
        super().__init__("".join(character if character.isprintable() else "?" for character in reason))
        self.syntax = syntax
        """Whether it is an ordinary syntax error."""


def parse(code: str) -> ast.Module:
    """The syntax tree of `code`; raises UnreadableCode."""
    if len(code) > MAX_CODE:
        raise UnreadableCode(f"it has more than {MAX_CODE} characters")
    if skim(code)[1] > MAX_NESTING:
        raise UnreadableCode(f"its brackets are nested more than {MAX_NESTING} deep")
    if "\0" in code:
        raise UnreadableCode("it contains a null byte")
    _keep_quiet()
    try:
        return ast.parse(code, _FILENAME)
    except SyntaxError as error:
        line = f" in line {error.lineno}" if error.lineno else ""
        raise UnreadableCode(f"{error.msg}{line}", syntax=True) from None
    except (ValueError, RecursionError, MemoryError) as error:
        # Halves of surrogate pairs; expressions too deep for the parser or for its tree.
        raise UnreadableCode(f"it cannot be parsed ({type(error).__name__})") from None


def skim(text: str, quote: str = "") -> tuple[str, int]:
    """What is open at the end of `text`: the quote of a triple-quoted string ("" for none); and the deepest
    nesting of brackets on the way. `quote` is what is open at its beginning. Never fails; linear."""
    position = nesting = deepest = 0
    while True:
        if quote:
            end = next((match for match in _LONG_END[quote].finditer(text, position) if match["end"]), None)
            if end is None:
                return quote, deepest
            position = end.end()
            quote = ""
        for lexeme in _LEXEME.finditer(text, position):
            if lexeme["quote"]:
                position, quote = lexeme.end(), lexeme["quote"]
                break
            if lexeme["opening"]:
                nesting += 1
                deepest = max(deepest, nesting)
            elif lexeme["closing"]:
                nesting -= 1
        else:
            return "", deepest


def _keep_quiet() -> None:
    """Keep the parser from warning of things like "\\s" in a docstring, which is the model's business.

    The filters are for our file name only, and stay: those set for the time of a call are not thread-safe.
    """
    for category in (SyntaxWarning, DeprecationWarning):
        if ("ignore", None, category, re.compile(_FILENAME), 0) not in warnings.filters:
            warnings.filterwarnings("ignore", category=category, module=_FILENAME)
