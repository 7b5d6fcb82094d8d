"""What a solution says in words: the text without code, reasoning parts and remarks on other solutions.

Not covered: whether the words make sense. Pieces of words are a set, so repetition adds nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scientific_math_critpt_env.novelty.methods import named_methods
from scientific_math_critpt_env.prompting.reasoning import without_reasoning

MOST_TEXT = 40_000
"""Characters of prose: a long derivation has under 15,000; more is not read at all."""

NGRAM = 4
"""Characters of a piece. Of 3, 4, 5 and whole words, 4 parted the approaches of our own texts best."""

_CODE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)

_ASIDE = re.compile(
    r"\b(unlike|instead of|rather than|other than|as opposed to|in contrast|compared (to|with)"
    r"|without (using|any)|no need (for|of|to)|avoid(s|ing)?|alternatively|one could|could also"
    r"|not (by|use|using|need|rely)"
    r"|reference solutions?|given solutions?|previous solutions?|other (approach|method|solution)s?"
    r"|different from|distinct from|novel|do(es)? not|never)\b"
)
"""Marks of a sentence on what the solution is *not*, or on how new it is: it says nothing of the approach."""

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n")

_WORD = re.compile(r"[a-z]{3,}")

_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        the and for that this with from are was has have had can let then thus hence therefore since because
        which where when while into onto over under each every any all some such there here its our their
        his her they you your one two three four five also only both either neither not but yet still now
        next first second third last final finally answer solution problem result value values number
        numbers get gets gives given give obtain obtains find finds found show shows shown see use uses used
        using must will would should may might equal equals equation follows follow following note simply
        just very more most less least than same other another between above below again done step steps
        compute computes consider left right text mathrm frac cdot times quad begin end boxed displaystyle
        sqrt dfrac tfrac ldots dots geq leq neq infty
        """,
    )
)
"""Words of every solution, English and LaTeX."""


@dataclass(frozen=True, slots=True)
class Prose:
    """The prose of a solution."""

    text: str
    ngrams: frozenset[str]
    """Pieces of `NGRAM` characters of its words, endings and words of every solution apart. Each word by
    itself, so that their order counts for nothing."""
    methods: frozenset[str]


def read_prose(solution: str) -> Prose:
    """The prose of a solution or a whole completion; empty where there is none or too much. Linear."""
    text = plain(without_reasoning(solution)[0]) if len(solution) <= 4 * MOST_TEXT else ""
    if len(text) > MOST_TEXT:
        text = ""
    stems = {_stem(word) for word in _WORD.findall(text) if word not in _EMPTY}
    return Prose(text, frozenset(piece for stem in stems for piece in _pieces(stem)), named_methods(text))


def plain(text: str) -> str:
    """Lower case, without code blocks and asides, white space as one blank, quotes straight."""
    text = _CODE.sub(" ", text).casefold().replace("’", "'").replace("–", "-")
    kept = (sentence for sentence in _SENTENCE.split(text) if not _ASIDE.search(sentence))
    return " ".join(" ".join(kept).split())


def _pieces(stem: str) -> list[str]:
    """Of "pair": " pai", "pair", "air "; so that a word is near to what it is made of."""
    padded = f" {stem} "
    return [padded[at : at + NGRAM] for at in range(len(padded) - NGRAM + 1)]


def _stem(word: str) -> str:
    """A word without the commonest endings: enough to make "pairs" and "pairing" one."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
