"""Joins the code of a faithful two-turn reply with the template that it was to fill in."""

from __future__ import annotations

import ast
from itertools import takewhile

from scientific_math_critpt_env.prompting.python_source import parse


def with_header_of(template: str, code: str) -> str:
    """`code` with its top-level imports taken out, under what `template` has above its function.

    Both must parse. An import becomes `pass`, which keeps what stands beside it on its line.
    """
    above = takewhile(lambda node: not isinstance(node, ast.FunctionDef), parse(template).body)
    header = [ast.get_source_segment(template, node) or "" for node in above]
    return "\n".join([*header, "", _without_imports(code)])


def _without_imports(code: str) -> str:
    # Offsets in the tree count bytes of UTF-8.
    lines = [line.encode() for line in code.split("\n")]
    imports = [node for node in parse(code).body if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in reversed(imports):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before = lines[first][: node.col_offset]
        after = lines[last][node.end_col_offset :]
        lines[first : last + 1] = [before + b"pass" + after]
    return b"\n".join(lines).decode()
