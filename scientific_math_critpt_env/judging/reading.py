"""Reads YES, NO or ABSTAIN out of a judge's reply.

A verdict counts where it is anchored: a line or sentence of its own that ends the reply ("... so it holds.
YES", "Verdict: NO"), a structured reply ({"verdict": "NO"}), or the opening word of a reply of one line
("NO. It repeats reference 2."). A verdict inside prose, two that contradict each other and a reply that was
cut off are ABSTAIN, with the reason. `substring` is the original's reading ("YES" anywhere), kept so that old
evaluations can be reproduced.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, cast

from scientific_math_critpt_env.prompting.reasoning import without_reasoning

Reading = Literal["strict", "substring"]

READINGS: tuple[Reading, ...] = ("strict", "substring")

Read = Literal["YES", "NO", "ABSTAIN"]

_WORD = r"(YES|NO|ABSTAIN)"
_LABEL = r"(?:final\s+)?(?:verdict|output|answer|decision|judge?ment|conclusion)\s*[:=–—-]\s*"
_BARE = re.compile(_WORD, re.IGNORECASE)
_LABELLED = re.compile(_LABEL + _WORD, re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_DRESS = re.compile(r"[*_`#>$\"'“”‘’()\[\]{}​‌﻿]|</?\w+>|\\(?:boxed|text|textbf|mathrm)\b|\\[\[\]()]")
_JSON_FENCE = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and how it was read, or why there is none."""

    verdict: Read
    reason: str


def read_verdict(reply: str | None, *, truncated: bool = False, reading: Reading = "strict") -> Finding:
    """The verdict of a reply; `truncated` says that the endpoint cut it off. Never raises."""
    if reading == "substring":
        return Finding("YES" if "YES" in (reply or "") else "NO", "the letters YES, anywhere or nowhere")
    if truncated:
        return Finding("ABSTAIN", "the reply was cut off before its verdict")
    text = without_reasoning(reply or "")[0].strip()
    if not text:
        return Finding("ABSTAIN", "the reply is empty")
    lines = [line for line in text.splitlines() if _undressed(line)]
    structured = _structured(text, lines)
    if structured is not None:
        return structured
    if not lines:
        return Finding("ABSTAIN", "the reply holds no words")
    return _anchored(lines)


def _structured(text: str, lines: list[str]) -> Finding | None:
    """The verdict of a JSON object: the whole reply, its fenced block, or its last line."""
    fenced = _JSON_FENCE.fullmatch(text)
    for place in (fenced[1] if fenced else text, lines[-1] if lines else ""):
        if not place.strip().startswith("{"):
            continue
        try:
            value = json.loads(place, object_pairs_hook=_each_once)
        except (ValueError, RecursionError):  # prose that opens with a brace, or one verdict said twice
            continue
        if isinstance(value, dict):
            said = value.get("verdict")
            if isinstance(said, str) and _BARE.fullmatch(said.strip()):
                return Finding(_verdict(said.strip()), "structured")
            return Finding("ABSTAIN", "the JSON reply holds no verdict")
    return None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def _anchored(lines: list[str]) -> Finding:
    if lines[-1].lstrip().startswith(">"):
        return Finding("ABSTAIN", "the last line is a quotation")
    sentences = [part for part in _SENTENCES.split(_undressed(lines[-1])) if part]
    said = {verdict for sentence in sentences if (verdict := _sentence(sentence)) is not None}
    if len(said) > 1:
        return Finding("ABSTAIN", "the last line gives verdicts that contradict each other")
    last = _sentence(sentences[-1])
    if last is not None:
        return Finding(last, "last sentence")
    if _LABELLED.fullmatch(_unpunctuated(sentences[0])):
        return Finding(said.pop(), "labelled verdict, with a remark after it")
    opening = _unpunctuated(sentences[0])
    # Capitals and a word after them, not "No. 3": a reply of one line that explains itself after its verdict.
    if len(lines) == 1 and opening in ("YES", "NO") and not sentences[1][0].isdigit():
        return Finding(cast(Read, opening), "verdict first, in a reply of one line")
    return Finding("ABSTAIN", "no verdict stands alone at the end")


def _sentence(sentence: str) -> Read | None:
    words = _unpunctuated(sentence)
    match = _BARE.fullmatch(words) or _LABELLED.fullmatch(words)
    return _verdict(match[1]) if match else None


def _verdict(word: str) -> Read:
    return cast(Read, word.upper())


def _undressed(text: str) -> str:
    """The line without emphasis, quotes, brackets and tags."""
    return " ".join(_DRESS.sub(" ", text).split())


def _unpunctuated(text: str) -> str:
    return text.strip().rstrip(".!").strip()
