r"""OlympiadBench: competition problems, JSON lists (OE_TO_maths_en_COMP.json and the like).

    [{"id": 2231, "subfield": "Geometry", "context": null, "question": ..., "final_answer": ["$\frac{1}{2}$"],
      "is_multiple_answer": false, "unit": null, "answer_type": "Numerical", "error": null}]

Taken: open questions in text, answer types Numerical, Expression, Tuple, Interval and Equation. A unit is
told in the prompt. `error` is the set's absolute tolerance; a decimal without one is exact. Several answers
make a set. Left out: theorems to prove, pictures, answers that people must judge, and `\log` without a
base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.problems.importers import asking
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, json_rows, text_field
from scientific_math_critpt_env.problems.latex import Reading
from scientific_math_critpt_env.problems.latex.reading import Shape

HELP = "OlympiadBench: one of its JSON files, or a folder of them"
SOURCE = "OpenBMB/OlympiadBench"
LICENSE = "Apache-2.0"

_SHAPES: dict[str, tuple[Shape, str, str]] = {
    "Numerical": ("expression", "numeric", asking.NUMBER),
    "Expression": ("expression", "symbolic", "Return the answer as one SymPy expression in {symbols}."),
    "Tuple": (
        "tuple",
        "tuple",
        "Return the answer as a tuple, in the order in which the question names its parts.",
    ),
    "Interval": ("interval", "interval", "Return the answer as a SymPy interval or union of intervals."),
    "Equation": (
        "equation",
        "equation",
        "Return the answer as a SymPy equation, Eq(left, right), in {symbols}.",
    ),
}
_SET = "Return all answers as a Python set of SymPy values in {symbols}."


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of one file or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".json", ".jsonl"):
        for where, row in json_rows(file):
            yield competition_row(row, where, f"olympiadbench.{row.get('id')}", SOURCE, LICENSE)


def competition_row(
    row: Mapping[str, Any], where: str, name: str, source: str, license_: str
) -> Draft | LeftOut:
    """One row in the set's fields."""
    question = text_field(row, "question", where)
    reason, answer = _answer(row, question)
    if reason:
        return LeftOut(where=where, id=name, reason=reason)
    kind = str(row["answer_type"])
    shape, answer_type, ask = _SHAPES[kind]
    if row.get("is_multiple_answer"):
        shape, answer_type, ask = "set", "set", _SET
    error = _tolerance(row.get("error"))
    fields: dict[str, Any] = {
        "id": name,
        "topic": str(row.get("subfield") or ""),
        "prompt": "\n\n".join(part for part in (row.get("context"), question) if part),
        "final_answer": answer,
        "answer_type": answer_type,
        "source": source,
        "license": license_,
    }
    if error is not None:
        fields["atol"] = error
        ask += f" An absolute error of at most {error:g} is accepted."
    if row.get("unit"):
        ask += f" Give it in units of {str(row['unit']).strip('$ ')}, without the unit."
    reading = Reading(
        shape=shape,
        others=None if kind in ("Numerical", "Interval") else {},
        natural_log=False,
        alike=True,
        decimals="exact" if error is None else "float",
    )
    return Draft(where=where, fields=fields, golds=(answer,), reading=reading, ask=ask)


def _answer(row: Mapping[str, Any], question: str) -> tuple[str, str]:
    """Why the row is left out, or the LaTeX of its one answer."""
    answers = row.get("final_answer")
    if not answers:
        return "no gold", ""
    if "<img" in question or "<img" in str(row.get("context") or ""):
        return "picture", ""
    if row.get("answer_type") not in _SHAPES:
        return "answer for people", ""
    if isinstance(answers, str):
        answers = [answers]
    if not isinstance(answers, list) or len(answers) != 1 or not isinstance(answers[0], str):
        return "several golds", ""
    return "", re.sub(r"\$", "", answers[0]).strip().rstrip(".")


def _tolerance(error: object) -> float | None:
    """The set writes `1e-1`, or several, comma-separated, for several answers: the smallest holds for all."""
    if error in (None, ""):
        return None
    try:
        return min(float(part) for part in str(error).split(","))
    except ValueError:
        return None
