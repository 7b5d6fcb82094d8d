"""Removes the sentences in which a solution compares itself with the given ones.

"Unlike the given solutions, we count by size." tells a judge of novelty what to find. A sentence that only
compares goes; one that goes on after its comparison loses the comparison alone. Displayed formulas and code
are left alone, and so is a comparison that cannot be taken out of a step of the proof. Covered: English,
in the wordings listed below; not covered: a comparison spread over several sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARK = (
    r"(?:given|provided|previous|prior|earlier|above|reference|existing|listed|presented|preceding|other"
    r"|known)"
)
_THING = r"(?:(?:solution|approach|method|proof|technique|argument|answer)(?:e?s)?|ones)"
_ARTICLES = (
    r"(?:(?:the|all|both|any|each|every|of|those|these|one|two|three|four|five|first|second|third|standard"
    rf"|original|{_MARK})\s+){{0,6}}"
)
_THEM = (
    rf"{_ARTICLES}(?:{_MARK}\s+(?:\w+\s+)?{_THING}|{_THING}\s+(?:{_MARK}|shown|seen))"
    r"(?:\s+(?:above|here|so far|provided|given))?"
)
_COMPARED = (
    r"(?:unlike|in contrast (?:to|with)|as opposed to|contrary to|(?:as )?distinct from|different(?:ly)? from"
    r"|differs (?:\w+ )?from|differing from|diverges from|departs from|compared (?:to|with)"
    r"|not (?:used|found|seen) in|instead of|rather than|other than|does not (?:follow|use|rely on))"
)
_COMPARISON = re.compile(rf"\b{_COMPARED}\b[^.!?:]{{0,80}}?\b{_THEM}\b", re.IGNORECASE)
_ANNOUNCED = re.compile(
    rf"\b(?:novel|new|distinct|alternative|different|creative|unique|fresh)\b[^.!?]{{0,60}}\b{_THING}\b"
    rf"[^.!?]{{0,60}}\b(?:{_THEM})",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"\s*{_COMPARED}\b[^,.!?:]{{0,120}}?\b{_THEM}\b[^,.!?:]{{0,60}},\s*", re.IGNORECASE)
_CLOSING = re.compile(
    rf",\s*(?:which is |thus |and is )?{_COMPARED}\b[^.!?:]{{0,80}}?\b{_THEM}\b[^.!?:,$\\=\d]{{0,80}}"
    r"(?=[.!?]*\s*$)",
    re.IGNORECASE,
)
_STEP = re.compile(r"[$\\=\d^<>]|\b(?:let|suppose|consider|define|denote|apply)\b", re.IGNORECASE)
"""Marks of a step of the proof."""

MISSING_CLOSERS = 100
"""Displays that never end, after which no others are looked for: no text that is meant has so many."""

LONGEST_SENTENCE = 4_000
"""Characters of a sentence that are looked at; a longer one only loses a comparison that opens it."""

REST_WORDS = 2
"""A clause that is left over must be a sentence."""

_OPENER = re.compile(r"\$\$|\\\[|\\begin\{(\w+\*?)\}|```")
_SENTENCE = re.compile(r".+?(?:[.!?:](?=\s|$)|$)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text without its transitions, and what was taken out."""

    text: str
    removed: tuple[str, ...]


def without_transitions(text: str) -> Cleaned:
    """`text` without comparisons with given solutions; unchanged, to the last space, where there are none."""
    removed: list[str] = []
    parts: list[str] = []
    end = 0
    for start, stop in _displays(text):
        parts += [_cleaned(text[end:start], removed), text[start:stop]]
        end = stop
    parts.append(_cleaned(text[end:], removed))
    if not removed:
        return Cleaned(text, ())
    return Cleaned("".join(parts).strip(), tuple(removed))


def _displays(text: str) -> Iterator[tuple[int, int]]:
    """Where displayed formulas and code blocks stand; those that never end are prose."""
    place = 0
    missing: set[str] = set()
    while (opener := _OPENER.search(text, place)) is not None and len(missing) <= MISSING_CLOSERS:
        closer = {"$$": "$$", "\\[": "\\]", "```": "```"}.get(opener[0], f"\\end{{{opener[1]}}}")
        found = -1 if closer in missing else text.find(closer, opener.end())
        place = opener.end()
        if found < 0:
            missing.add(closer)
            continue
        place = found + len(closer)
        yield opener.start(), place


def _cleaned(prose: str, removed: list[str]) -> str:
    paragraphs = re.split(r"(\n+)", prose)
    return "".join(
        part if place % 2 else "".join(_sentence(sentence, removed) for sentence in _SENTENCE.findall(part))
        for place, part in enumerate(paragraphs)
    )


def _sentence(sentence: str, removed: list[str]) -> str:
    head, tail = sentence[:LONGEST_SENTENCE], sentence[LONGEST_SENTENCE:]
    if not (_COMPARISON.search(head) or _ANNOUNCED.search(head)):
        return sentence
    for clause, replaced in ((_OPENING, _capital), (_CLOSING, str)):
        match = clause.match(head) if clause is _OPENING else clause.search(head)
        if match is None or (tail and clause is _CLOSING):
            continue
        rest = head[: match.start()] + head[match.end() :]
        if len(rest.split()) >= REST_WORDS and not (_COMPARISON.search(rest) or _ANNOUNCED.search(rest)):
            removed.append(match[0].strip(" ,"))
            return replaced(rest) + tail
    if tail or _STEP.search(head):
        return sentence
    removed.append(sentence.strip())
    return ""


def _capital(rest: str) -> str:
    return rest[:1].upper() + rest[1:]
