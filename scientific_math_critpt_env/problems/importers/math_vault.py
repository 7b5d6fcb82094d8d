r"""math-vault: canonical JSON Lines, as math-eval reads them.

    {"id": "test-000000", "problem": ..., "answer": "18", "solution": ..., "source": ..., "metadata": {...}}

Answers are short LaTeX. Rows whose metadata are OlympiadBench's follow that set's answer types. Elsewhere a
number is a number, an interval, a tuple and an expression are read as what they look like where that is one
thing only: `(1, 2)` may be a point or an open interval and `1, 2` a set or a list, so these are left out, as
is anything with words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers import asking
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import lines, text_field
from scientific_math_critpt_env.problems.importers.olympiadbench import competition_row
from scientific_math_critpt_env.problems.latex import Reading
from scientific_math_critpt_env.problems.latex.reading import Shape

HELP = "math-vault: canonical JSONL (id, problem, answer)"
SOURCE = "math-vault"
LICENSE = ""

_LICENSES = {"openai/gsm8k": "MIT", "Hothan/OlympiadBench": "Apache-2.0"}
"""Of the sets that its records come from, by the start of `source`."""

_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+")


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of a file. Raises ProblemError for what is no such file, or where an id is there twice."""
    seen: dict[str, str] = {}
    for where, row in lines(path):
        name, problem = text_field(row, "id", where), text_field(row, "problem", where)
        answer = text_field(row, "answer", where)
        if not name.strip() or not answer.strip():
            raise ProblemError(f"{where}: `{'answer' if name.strip() else 'id'}` is empty")
        if seen.setdefault(name, where) != where:
            raise ProblemError(f"{where}: the id {name!r} is taken by {seen[name]}")
        metadata = row.get("metadata")
        source = str(row.get("source") or SOURCE)
        if isinstance(metadata, dict) and metadata.get("answer_type"):
            competition = {**metadata, "question": problem, "final_answer": [answer]}
            if metadata.get("modality", "Text-only") != "Text-only":
                yield LeftOut(where=where, id=name, reason="picture")
                continue
            yield competition_row(competition, where, name, source, _license(source))
        else:
            yield _plain(name, problem, answer.strip().strip("$").strip(), source, where)


def _plain(name: str, problem: str, answer: str, source: str, where: str) -> Draft | LeftOut:
    looks = _looks_like(answer)
    if isinstance(looks, str):
        return LeftOut(where=where, id=name, reason=looks, detail=answer[:80])
    shape, answer_type, ask = looks
    fields: Mapping[str, Any] = {
        "id": name,
        "prompt": problem,
        "final_answer": answer,
        "answer_type": answer_type,
        "source": source,
        "license": _license(source),
    }
    gold = answer.replace(",", "") if _THOUSANDS.fullmatch(answer) else answer
    others: Mapping[str, bool] | None = None if answer_type == "numeric" else {}
    reading = Reading(shape=shape, others=others, natural_log=False, decimals="exact")
    return Draft(where=where, fields=fields, golds=(gold,), reading=reading, ask=ask)


def _license(source: str) -> str:
    return next((text for start, text in _LICENSES.items() if source.startswith(start)), LICENSE)


def _looks_like(answer: str) -> tuple[Shape, str, str] | str:
    """Shape, answer type and what to ask for; or why it may be two things."""
    plain = re.sub(r"\\left|\\right|\s", "", answer)
    if _THOUSANDS.fullmatch(answer):
        return "expression", "numeric", asking.NUMBER
    if re.search(r"(?<!\\)\b[a-zA-Z]\b", re.sub(r"\\[A-Za-z]+", "", plain)):
        return "expression", "symbolic", "Return the answer as one SymPy expression in {symbols}."
    ends = plain[:1] + plain[-1:]
    if "\\cup" in plain or ends in ("[]", "[)", "(]"):
        return "interval", "interval", "Return the answer as a SymPy interval or union of intervals."
    if ends == "()" and "," in plain:
        ask = "Return the answer as a tuple, in the order in which the question names its parts."
        return ("tuple", "tuple", ask) if plain.count(",") > 1 and "),(" not in plain else "point or interval"
    if "," in plain:
        return "set or list"
    return "expression", "numeric", asking.NUMBER
