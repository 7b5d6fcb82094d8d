r"""TPBench: problems of theoretical physics, JSON or JSON Lines in the set's columns.

    {"problem_id": ..., "domain": "QM", "difficulty_level": "2", "problem": ..., "answer": ...,
     "code_answer_requirements": "... \begin{python} def f(x: float) -> float: ... \end{python}",
     "reference_implementation": "\begin{python} def f(x: float) -> float: return 0.5*x \end{python}"}

The gold is the reference implementation, where it is one formula; it is compared at points, so that answers
may compute with floats as the set's own do. The reference must be graded as correct against it, and so must
the LaTeX answer where it can be read. Left out: implementations that iterate, integrate or branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from scientific_math_critpt_env.problems.importers.code_golds import CodeError, code_gold
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, json_rows, text_field
from scientific_math_critpt_env.problems.latex import LatexError, Reading, last_box

HELP = "TPBench: its rows as JSON or JSONL"
SOURCE = "ZhiqiGao/TPBench"
LICENSE = "MIT"

POINTS = 4
"""Test points of a row; two formulas that agree at four random ones are the same."""
RTOL = 1e-6
"""Answers are floats of formulas with a few dozen operations."""

_CODE = re.compile(r"\\begin\{python\}(.*?)\\end\{python\}|```(?:python)?\n(.*?)```", re.DOTALL)
_ASK = (
    "Give the answer as the function {name}({parameters}). It is called with numbers and compared at several "
    "points; what the text says about the form of the code does not apply."
)


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of one file or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".json", ".jsonl"):
        for where, row in json_rows(file):
            title, problem = text_field(row, "problem_id", where), text_field(row, "problem", where)
            name = f"tpbench.{re.sub(r'[^A-Za-z0-9]+', '-', title).strip('-').lower()}"
            reference = _code(str(row.get("reference_implementation") or ""))
            if not reference:
                yield LeftOut(where=where, id=name, reason="no gold")
                continue
            try:
                gold = code_gold(reference)
            except CodeError as error:
                yield LeftOut(where=where, id=name, reason="gold is no formula", detail=str(error))
                continue
            random = Random(name)
            fields: dict[str, Any] = {
                "id": name,
                "topic": str(row.get("domain") or ""),
                "prompt": f"{problem.strip()}\n\n{_told(row.get('code_answer_requirements'))}".strip(),
                "answer_type": "function" if gold.parameters else "symbolic",
                "answer_fn": gold.source,
                "final_answer": str(row.get("answer") or ""),
                "parameters": list(gold.parameters),
                "symbols": {parameter: {"real": True} for parameter in gold.parameters},
                "entry_point": gold.name,
                "rtol": RTOL,
                "source": SOURCE,
                "license": LICENSE,
            }
            if gold.parameters:
                fields["test_points"] = [
                    {parameter: random.randint(21, 179) / 100 for parameter in gold.parameters}
                    for _ in range(POINTS)
                ]
            level = str(row.get("difficulty_level") or "")
            if level in ("1", "2", "3", "4", "5"):
                fields["difficulty"] = int(level)
            ask = _ASK.format(name=gold.name, parameters=", ".join(gold.parameters))
            yield Draft(
                where=where, fields=fields, ask=ask, codes=(reference,), **_also(row, gold.parameters)
            )


def _also(row: dict[str, Any], parameters: tuple[str, ...]) -> dict[str, Any]:
    try:
        box = last_box(str(row.get("answer") or ""))
    except LatexError:
        return {}
    return {"also": (box,), "reading": Reading(symbols={p: {"real": True} for p in parameters})}


def _code(text: str) -> str:
    match = _CODE.search(text)
    plain = (match[1] or match[2]) if match else text
    return plain.strip() if "def " in plain else ""


def _told(text: object) -> str:
    """What the set says of the arguments, without its stub of the function."""
    return _CODE.sub("", str(text or "")).strip()
