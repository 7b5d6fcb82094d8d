"""CritPt challenges: the set's JSON files and notebooks, golds where they are published.

    {"dataset_name": ..., "problems": [{"problem_id": ..., "problem_type": "main", "problem_description": ...,
      "code_template": ..., "answer_code": ..., "testcases": null, "metadata": {"tag": ..., "settings": {}}}]}

The template is the row's own; the gold is what the answer code returns, as one expression, and the answer
code itself must be graded as correct against it. Checkpoints whose text belongs to another template are
left out: in the published example every text is one place behind.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers.code_golds import CodeError, CodeGold, code_gold
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, json_document, text_field
from scientific_math_critpt_env.problems.importers.notebooks import notebook_records

HELP = "CritPt: a challenge's JSON file or notebook, or a folder of them"
SOURCE = "CritPt-Benchmark/CritPt"
LICENSE = "Apache-2.0"

_TYPES: dict[type[ast.expr], str] = {ast.Tuple: "tuple", ast.List: "list", ast.Dict: "dict", ast.Set: "set"}
_SUBPROBLEM = re.compile(r"^#+\s*Subproblem\s+(\d+)", re.MULTILINE | re.IGNORECASE)


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The problems of one challenge or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".json", ".ipynb"):
        records = notebook_records(file) if file.suffix == ".ipynb" else _records(file)
        for index, record in enumerate(records):
            where = f"{file}: problems[{index}]"
            if not isinstance(record, dict):
                raise ProblemError(f"{where}: is {type(record).__name__}, not an object")
            yield _row(record, where)


def _records(file: Path) -> list[Any]:
    document = json_document(file)
    problems = document.get("problems") if isinstance(document, dict) else None
    if not isinstance(problems, list):
        raise ProblemError(f"{file}:1: no list `problems`; is this a CritPt challenge?")
    return problems


def _row(record: Mapping[str, Any], where: str) -> Draft | LeftOut:
    name, text = text_field(record, "problem_id", where), text_field(record, "problem_description", where)
    template, answer = text_field(record, "code_template", where), record.get("answer_code")
    if not isinstance(answer, str) or not answer.strip():
        return LeftOut(where=where, id=name, reason="no gold")
    headings = _SUBPROBLEM.findall(text)
    index = record.get("problem_index")
    if record.get("problem_type") == "sub" and headings[-1:] != [str(int(index or 0) + 1)]:
        return LeftOut(where=where, id=name, reason="text of another checkpoint")
    try:
        asked, gold = _template_function(template), code_gold(answer)
    except CodeError as error:
        return LeftOut(where=where, id=name, reason="gold is no formula", detail=str(error))
    if asked[1] != gold.parameters:
        return LeftOut(
            where=where, id=name, reason="gold of another signature", detail=", ".join(gold.parameters)
        )
    fields = _fields(record, name, text, template, asked[0], gold)
    points = record.get("testcases")
    if points:
        if not _fits(points, gold.parameters):
            return LeftOut(where=where, id=name, reason="test cases not understood", detail=repr(points)[:80])
        fields["test_points"] = points
    code = re.sub(rf"\bdef {gold.name}\(", f"def {asked[0]}(", answer)
    return Draft(where=where, fields=fields, codes=(code,))


def _fields(
    record: Mapping[str, Any], name: str, text: str, template: str, entry_point: str, gold: CodeGold
) -> dict[str, Any]:
    metadata = record.get("metadata") if isinstance(record.get("metadata"), dict) else {}
    assert isinstance(metadata, dict)
    tag = re.sub(r"^\s*#*\s*Tag:?", "", str(metadata.get("tag", "")), flags=re.IGNORECASE)
    fields: dict[str, Any] = {
        "id": name,
        "topic": tag.strip().strip('"').strip(),
        "prompt": text,
        "answer_type": "function" if gold.parameters else answer_type(gold.source),
        "answer_fn": gold.source,
        "final_answer": gold.source,
        "symbols": {**{parameter: {} for parameter in gold.parameters}, **gold.symbols},
        "parameters": list(gold.parameters),
        "template": template,
        "entry_point": entry_point,
        "source": SOURCE,
        "license": LICENSE,
    }
    error = (metadata.get("settings") or {}).get("error")
    if isinstance(error, int | float) and not isinstance(error, bool):
        fields["rtol"] = float(error)
    return fields


def answer_type(source: str) -> str:
    """The type of a gold, by what its source is."""
    body = ast.parse(source, mode="eval").body
    if isinstance(body, ast.Constant) and isinstance(body.value, str | bool):
        return "string" if isinstance(body.value, str) else "boolean"
    return _TYPES.get(type(body), "symbolic")


def _template_function(template: str) -> tuple[str, tuple[str, ...]]:
    try:
        functions = [node for node in ast.parse(template).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError as error:
        raise CodeError(f"the template does not parse: {error}") from None
    if len(functions) != 1:
        raise CodeError(f"the template has {len(functions)} functions")
    return functions[0].name, tuple(argument.arg for argument in functions[0].args.args)


def _fits(points: object, parameters: tuple[str, ...]) -> bool:
    return isinstance(points, list) and all(
        isinstance(point, dict)
        and set(point) == set(parameters)
        and all(
            isinstance(value, int | float | str) and not isinstance(value, bool) for value in point.values()
        )
        for point in points
    )
