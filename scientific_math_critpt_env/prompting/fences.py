"""Fenced code blocks of Markdown, as models write them.

CommonMark, and lenient where models are not strict: a fence line inside a triple-quoted string of Python does
not close the block; a fence with an info string where none can stand opens the next block; in a list a fence
may be indented as far as the item's text, and its closing fence less far.
Not covered: block quotes, HTML, code blocks made by indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scientific_math_critpt_env.prompting.python_source import MAX_CODE, UnreadableCode, parse, skim

MAX_RESCAN = 4 * MAX_CODE
"""Characters that may be read in vain beyond a closing fence that seemed to stand in a string. After that the
rule is CommonMark's alone, which keeps hostile text linear."""

MIN_RESCAN = 1024
"""What the shortest such reading counts for, since parsing has a price of its own."""

MARGIN = 3
"""Columns by which a fence may be indented (CommonMark)."""

_NEWLINE = re.compile(r"\r\n|\n|\r")
_FENCE = re.compile(r"(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)", re.DOTALL)
_LIST = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+")
_PYTHON = re.compile(r"\{?\s*\.?(?:i?python|py)[\d.]*(?![\w+#-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; its code has "\\n" line ends and none after the last line."""

    code: str
    info: str
    closed: bool
    """False only for a block that the text ends in."""
    line: int
    """Of its opening fence, from 1."""

    @property
    def tagged(self) -> bool:
        """Whether the info string says Python: py, Python3, python title="...", {.python}."""
        return bool(_PYTHON.match(self.info))


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    info: str
    column: int

    @property
    def python(self) -> bool:
        return not self.info or bool(_PYTHON.match(self.info))


def lines_of(text: str) -> list[str]:
    """Lines without their ends: LF, CRLF or CR, and no other separator."""
    return _NEWLINE.split(text)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of `text` in order. Linear in its length; never fails."""
    return list(_Reader(lines_of(text)).blocks())


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.rescan = MAX_RESCAN
        self.last_quote = {'"""': -1, "'''": -1}
        for number, line in enumerate(lines):
            for quote in self.last_quote:
                if quote in line:
                    self.last_quote[quote] = number

    def blocks(self) -> Iterator[Block]:
        number = item = 0
        blank = True
        while number < len(self.lines):
            line = self.lines[number]
            fence = _opening(line, item)
            if fence is None:
                item = _item(line, item, blank)
                blank = not line.strip()
                number += 1
                continue
            end = self._end(number + 1, fence)
            closed = end < len(self.lines)
            yield Block(self._code(number + 1, end, fence.column), fence.info, closed, number + 1)
            # A line that opens the next block is read again; one that closes this block is done with.
            reopens = closed and not _closes(self.lines[end], fence)
            number = end if reopens else end + 1
            blank = False

    def _end(self, start: int, fence: _Fence) -> int:
        """The line that ends the block whose content starts at `start`; one past the last if none does."""
        quote = ""
        length = 0
        doubtful = -1
        for number in range(start, len(self.lines)):
            line = self.lines[number]
            if _closes(line, fence) or _reopens(line, fence):
                in_string = quote and self.last_quote[quote] >= number and self.rescan > 0
                if not in_string:
                    return self._checked(start, number, doubtful, fence)
                if doubtful < 0:
                    doubtful = number
            length += len(line) + 1
            if doubtful >= 0 and length > MAX_CODE:
                return self._checked(start, number, doubtful, fence)
            if fence.python and (quote or '"""' in line or "'''" in line):
                quote, _ = skim(line, quote)
        return self._checked(start, len(self.lines), doubtful, fence)

    def _checked(self, start: int, end: int, doubtful: int, fence: _Fence) -> int:
        """`end`, unless the code up to there is no Python though a closing fence was passed over."""
        if doubtful < 0:
            return end
        try:
            parse(self._code(start, end, fence.column))
        except UnreadableCode:
            self.rescan -= max(MIN_RESCAN, sum(len(line) + 1 for line in self.lines[start:end]))
            return doubtful
        return end

    def _code(self, start: int, end: int, column: int) -> str:
        lines = self.lines[start:end]
        if column:
            # The first line of code tells how far the code is indented: as the fence, more, or not at all.
            first = next((line for line in lines if line.strip()), "")
            lines = [_outdented(line, _width(_margin(first))) for line in lines]
        return "\n".join(lines)


def _opening(line: str, item: int) -> _Fence | None:
    """The fence that opens in `line`; `item` is the column of the text of the list item above."""
    if "```" not in line and "~~~" not in line:
        return None
    marker = _LIST.match(line)
    before = marker[0] if marker else _margin(line)
    if _width(_margin(before)) > item + MARGIN:
        return None
    match = _FENCE.match(line, len(before))
    return _Fence(match["mark"], match["info"].strip(), _width(before)) if match else None


def _closes(line: str, fence: _Fence) -> bool:
    if fence.mark not in line:
        return False
    mark = line.strip(" \t")
    return len(mark) >= len(fence.mark) and mark == fence.mark[0] * len(mark) and _within(line, fence.column)


def _reopens(line: str, fence: _Fence) -> bool:
    """Whether the block must have ended because `line` opens another: its closing fence was forgotten."""
    if fence.mark not in line:
        return False
    mark = line.lstrip(" \t")
    if not mark.startswith(fence.mark):
        return False
    match = _FENCE.match(mark)
    if match is None or not match["info"].strip() or not _within(line, fence.column):
        return False
    # No line of Python starts with backticks, while `~~~x` is an expression; other languages are not known.
    return bool(_PYTHON.match(match["info"].strip())) or (fence.python and fence.mark[0] == "`")


def _item(line: str, item: int, blank: bool) -> int:
    """The column of the text of the list item that `line` begins or belongs to; 0 outside lists."""
    marker = _LIST.match(line)
    if marker:
        return _width(marker[0])
    return 0 if blank and line[:1].strip() else item


def _within(line: str, column: int) -> bool:
    return _width(_margin(line)) <= column + MARGIN


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _width(space: str) -> int:
    return len(space.expandtabs(4))


def _outdented(line: str, column: int) -> str:
    """`line` without its first `column` columns of white space, or as much of it as there is."""
    if not column:
        return line
    margin = _margin(line)
    return " " * (_width(margin) - column) + line[len(margin) :]
