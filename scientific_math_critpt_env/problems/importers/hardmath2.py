r"""HARDMath2: asymptotic analysis, YAML files by topic (or the same rows as JSON Lines).

    type: wkb
    problems:
    - prompt: Find ... in the limit $\epsilon \to 0^+$. Provide your answer in a $\boxed{}$ ...
      solution: $\boxed{y(x) = e^{-x/\epsilon}}$
      parameters: $x; \epsilon$

The gold is the one box; its symbols must be the parameters. Left out: rows with several boxes or solutions,
with rounded coefficients (a formula with a tolerance is no formula), or with symbols that are no parameters.
Assumptions, told in the prompt: epsilon is positive; a variable is positive where the prompt sends it to
infinity, says so, or poses conditions at points that are not negative; everything else is real.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers.asking import EXPRESSION
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, lines, text_field, text_of
from scientific_math_critpt_env.problems.latex import LatexError, Reading, declared_names
from scientific_math_critpt_env.problems.latex.boxes import all_boxes

HELP = "HARDMath2: a folder of YAML files, or one of them"
SOURCE = "JamesRoggeveen/hardmath2_data"
LICENSE = "MIT"

_DECIMAL = re.compile(r"\d*\.\d+")
_CONDITION = re.compile(r"\b[yu]'*\s*\(\s*([^(),]+?)\s*\)\s*=")


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of one file or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".yaml", ".yml", ".jsonl"):
        for index, (where, kind, row) in enumerate(_rows(file)):
            yield _row(row, where, f"hardmath2.{file.stem}.{index}", kind)


def _rows(file: Path) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Place, topic and fields of each row."""
    if file.suffix == ".jsonl":
        for where, row in lines(file):
            yield where, str(row.get("type", file.stem)), row
        return
    document = _document(file)
    for index, row in enumerate(document["problems"]):
        where = f"{file}: problems[{index}]"
        if not isinstance(row, dict):
            raise ProblemError(f"{where}: is {type(row).__name__}, not a mapping")
        yield where, str(document.get("type", file.stem)), row


def _document(file: Path) -> dict[str, Any]:
    try:
        import yaml
    except ImportError as error:
        raise ProblemError(f"{file}: YAML needs the package pyyaml; pip install pyyaml") from error
    try:
        document = yaml.safe_load(text_of(file))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{file}:{mark.line + 1}" if mark is not None else str(file)
        raise ProblemError(f"{place}: bad YAML ({getattr(error, 'problem', None) or error})") from None
    if not isinstance(document, dict) or not isinstance(document.get("problems"), list):
        raise ProblemError(f"{file}:1: no list `problems`; is this a file of HARDMath2?")
    return document


def _row(row: Mapping[str, Any], where: str, name: str, kind: str) -> Draft | LeftOut:
    prompt, solution = text_field(row, "prompt", where), text_field(row, "solution", where)
    parameters = text_field(row, "parameters", where)
    try:
        boxes = all_boxes(solution)
        names = declared_names([part for part in parameters.replace("$", "").split(";") if part.strip()])
    except LatexError as error:
        return LeftOut(where=where, id=name, reason=error.kind, detail=error.detail)
    if len(boxes) != 1:
        return LeftOut(where=where, id=name, reason="several answers" if boxes else "no box")
    symbols = {
        symbol: assumptions(symbol, prompt) for symbol in names if not _is_bound(symbol, prompt, boxes[0])
    }
    reading = Reading(symbols=symbols, exact=frozenset(_DECIMAL.findall(prompt)), others=None)
    fields = {
        "id": name,
        "topic": kind.replace("_", " "),
        "prompt": prompt,
        "final_answer": boxes[0].strip(),
        "answer_type": "symbolic",
        "source": SOURCE,
        "license": LICENSE,
    }
    return Draft(where=where, fields=fields, ask=EXPRESSION, golds=(boxes[0],), reading=reading)


def assumptions(symbol: str, prompt: str) -> dict[str, bool]:
    """What holds of a symbol, from what the prompt does with it."""
    if symbol == "epsilon":
        return {"positive": True}
    name = re.escape({"lamda": "\\lambda"}.get(symbol, symbol if len(symbol) == 1 else f"\\{symbol}"))
    to_infinity = rf"(?<![A-Za-z\\]){name}\s*(?:\\to|\\rightarrow|\\gg)\s*(?:\+?\\infty|1)"
    stated = rf"(?<![A-Za-z\\]){name}\s*(?:>|\\geq?|\\gt)\s*0|0\s*(?:<|\\leq?)\s*{name}(?![A-Za-z])"
    to_minus = rf"(?<![A-Za-z\\]){name}\s*(?:\\to|\\rightarrow)\s*-\s*\\infty|\\mathbb\{{R\}}"
    if re.search(to_minus, prompt):
        return {"real": True}
    if re.search(to_infinity, prompt) or re.search(stated, prompt):
        return {"positive": True}
    points = [_number(point) for point in _CONDITION.findall(prompt)]
    at_points = symbol in ("x", "t") and points and all(p is not None and p >= 0 for p in points)
    return {"positive": True} if at_points and len(set(points)) > 1 else {"real": True}


def _is_bound(symbol: str, prompt: str, gold: str) -> bool:
    """Whether the name is only an integration variable, of the question or of the gold."""
    differential = rf"d\s*{re.escape(symbol)}(?![A-Za-z])"
    free = re.search(rf"(?<![A-Za-z\\d]){re.escape(symbol)}(?![A-Za-z])", re.sub(differential, "", gold))
    if re.search(differential, gold):
        return True
    return free is None and re.search(differential, prompt) is not None


def _number(text: str) -> float | None:
    """`1/2`, `\\pi`, `-1`; None for anything else."""
    plain = re.sub(r"\\d?frac\{(\d+|\\pi)\}\{(\d+)\}", r"\1/\2", text).replace("\\pi", "3.141592653589793")
    match = re.fullmatch(r"\s*([-+]?)\s*(\d*\.?\d+)\s*(?:/\s*(\d+))?\s*", plain)
    if match is None:
        return None
    return float(f"{match[1]}{match[2]}") / float(match[3] or 1)
