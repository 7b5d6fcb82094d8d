"""CritPt challenges as notebooks: cells under headings become the records of the set's JSON files.

# Problem setup      # Main problem      ## Subproblem 1
below each problem:  ### Parsing template   ### Answer   ### Answer code   ### Test cases   ### Settings
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers.files import json_document

_HEADING = re.compile(r"^#+\s*(.*?)\s*:?\s*$")
_PARTS = {
    "parsing template": "template",
    "answer code": "answer code",
    "answer": "answer",
    "test cases": "testcases",
    "testcases": "testcases",
    "settings": "settings",
    "error": "settings",
}


def notebook_records(path: Path) -> list[dict[str, Any]]:
    """The records of one notebook, as in the JSON files. Raises ProblemError where it is no notebook."""
    document = json_document(path)
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise ProblemError(f"{path}:1: no list `cells`; is this a notebook?")
    sections = _sections(path, document["cells"])
    setup = sections.get("setup", {}).get("text", "")
    stem = re.sub(r"[\s-]+", "_", path.stem)
    records, told = [], setup
    for name in sorted(sections, key=_order):
        if name == "main":
            records.append(
                _record(f"{stem}_main", "main", None, f"{setup}\n\n{sections[name]['text']}", sections[name])
            )
        elif name.startswith("sub"):
            told = f"{told}\n\n{sections[name]['text']}"
            records.append(_record(f"{stem}_{name}", "sub", int(name[4:]), told, sections[name]))
            told += f"\n\n{sections[name].get('answer', '')}"
    return records


def _order(name: str) -> tuple[str, int]:
    head, _, number = name.partition("_")
    return head, int(number or 0)


def _record(name: str, kind: str, index: int | None, text: str, parts: dict[str, str]) -> dict[str, Any]:
    template = parts.get("template", "")
    return {
        "problem_id": name,
        "problem_type": kind,
        "problem_index": index,
        "problem_description": text.strip(),
        "code_template": template,
        "answer_code": filled(template, parts.get("answer code", "")),
        "testcases": _literal(parts.get("testcases", "")),
        "metadata": {"settings": {"error": _literal(parts["settings"])} if parts.get("settings") else {}},
    }


def filled(template: str, answer: str) -> str:
    """The template with the answer's statements where it says `= ...`; "" where one of the two is missing."""
    if not template.strip() or not answer.strip():
        return ""
    try:
        tree, statements = ast.parse(template), ast.parse(answer).body
    except SyntaxError:
        return ""
    for function in [node for node in tree.body if isinstance(node, ast.FunctionDef)]:
        places = [place for place, node in enumerate(function.body) if _to_fill_in(node)]
        if places:
            rest = [node for place, node in enumerate(function.body) if place not in places]
            function.body = [*rest[: places[0]], *statements, *rest[places[0] :]]
    return ast.unparse(tree)


def _to_fill_in(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis
    )


def _literal(text: str) -> Any:
    """A list or a number written in a cell, perhaps behind a name; None where it is none."""
    plain = re.sub(r"^\s*\w+\s*=", "", text.strip())
    try:
        return ast.literal_eval(plain.strip())
    except (SyntaxError, ValueError):
        return None


def _sections(path: Path, cells: list[Any]) -> dict[str, dict[str, str]]:
    """Text and code by section (setup, main, sub_0, ...) and part (text, template, answer code, ...)."""
    found: dict[str, dict[str, str]] = {}
    section, part = "", "text"
    for index, cell in enumerate(cells):
        source = cell.get("source") if isinstance(cell, dict) else None
        if not isinstance(source, str | list):
            raise ProblemError(f"{path}: cells[{index}]: no `source`; is this a notebook?")
        text = source if isinstance(source, str) else "".join(map(str, source))
        if cell.get("cell_type") == "code":
            kind = (
                part
                if part != "text"
                else ("template" if "template" not in found.get(section, {}) else "answer code")
            )
            _append(found, section, kind, text)
            continue
        for line in _lines(text):
            heading = _HEADING.match(line)
            if heading:
                section, part, keep = _moved(section, heading[1].casefold())
                if not keep:
                    continue
            _append(found, section, part, line)
    return found


def _lines(text: str) -> Iterator[str]:
    fenced = False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        yield f" {line}" if fenced and line.startswith("#") else line


def _moved(section: str, heading: str) -> tuple[str, str, bool]:
    """Section and part below a heading, and whether the heading belongs to the text."""
    number = re.match(r"subproblem\s+(\d+)", heading)
    if number:
        return f"sub_{int(number[1]) - 1}", "text", True
    if heading.startswith("problem setup"):
        return "setup", "text", True
    if heading.startswith("main problem"):
        return "main", "text", True
    if heading.startswith(("tag", "subproblems")):
        return "other", "text", False
    if heading in _PARTS:
        return section, _PARTS[heading], _PARTS[heading] == "answer"
    return section, "text", True


def _append(found: dict[str, dict[str, str]], section: str, part: str, text: str) -> None:
    parts = found.setdefault(section, {})
    parts[part] = f"{parts[part]}\n{text}" if part in parts else text
