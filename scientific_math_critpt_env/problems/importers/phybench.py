r"""PHYBench: physics questions with one symbolic answer, JSON lists.

    [{"id": 600, "tag": "OPTICS", "content": ..., "solution": ..., "answer": "$$\gamma = \frac{2}{5}$$"}]

Rows of the questions-only files have no answer and are left out. All symbols are positive, as in the set's
own grader; the prompt says so. An `e` is the elementary charge where the question names `$e$` and no
exponential is there, Euler's number where one is and `$e$` is not named; else the row is left out, as is
one with an i. Answers with units, vectors or rounded numbers are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scientific_math_critpt_env.problems.importers.asking import BOXES
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, json_rows, text_field
from scientific_math_critpt_env.problems.latex import Reading

HELP = "PHYBench: PHYBench-fullques_v1.json, or a folder of its files"
SOURCE = "Eureka-Lab/PHYBench"
LICENSE = "MIT"

_ASK = f"Return the right-hand side alone, as one SymPy expression in {{symbols}}. {BOXES}"
_MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_MENTION = r"(?:\$|\\\()\s*{}\s*(?:\$|\\\))"
_EXPONENTIAL = re.compile(r"e\s*\^\s*(?:\{[^}]*[A-Za-z]|\\?[A-Za-z])|\\exp\b")


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of one file or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".json", ".jsonl"):
        for where, row in json_rows(file):
            question, answer = text_field(row, "content", where), text_field(row, "answer", where)
            name = f"phybench.{row.get('id')}"
            if not answer.strip():
                yield LeftOut(where=where, id=name, reason="no gold")
                continue
            formula = only_formula(answer)
            if formula is None:
                yield LeftOut(where=where, id=name, reason="several answers", detail=answer.strip()[:80])
                continue
            charge = re.search(_MENTION.format("e"), question) is not None
            wave = _EXPONENTIAL.search(question + formula) is not None
            reading = Reading(
                others={"positive": True},
                symbols={"e": {"positive": True}} if charge and not wave else {},
                euler=wave and not charge,
                imaginary=False,
                gamma=False,
            )
            fields = {
                "id": name,
                "topic": str(row.get("tag", "")).lower(),
                "prompt": question,
                "final_answer": formula,
                "answer_type": "symbolic",
                "source": SOURCE,
                "license": LICENSE,
            }
            yield Draft(where=where, fields=fields, golds=(formula,), reading=reading, ask=_ASK)


def only_formula(text: str) -> str | None:
    """The one formula of a text that holds nothing else; the text itself where it has no dollars."""
    plain = text.strip()
    formulas = [next(filter(None, match)) for match in _MATH.findall(plain)]
    if not formulas:
        return plain
    rest = _MATH.sub("", plain).strip(" .\n")
    return formulas[0].strip().rstrip(".,") if len(formulas) == 1 and not rest else None
