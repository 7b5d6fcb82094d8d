"""Finds the code in a completion. It only parses; nothing of a completion is run or imported here.

Our one-turn rule ("last"): the last fenced Python block (tagged Python, or not tagged) that parses and
defines the entry point by a plain `def` at its top level. If none parses, the last closed block that at least
has that `def` is returned as it is, and running it gives the syntax error.
The faithful two-turn rule ("first"): the first block tagged Python, else the first untagged one, else the
whole text; it must have exactly one top-level function, which is the entry point.
Both ignore reasoning parts. A block that the text breaks off in counts if it parses and no whole block does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scientific_math_critpt_env.prompting.fences import Block, blocks, lines_of
from scientific_math_critpt_env.prompting.filling import with_header_of
from scientific_math_critpt_env.prompting.python_source import MAX_CODE, UnreadableCode, parse
from scientific_math_critpt_env.prompting.reasoning import without_reasoning

Which = Literal["last", "first"]

MAX_PARSED = 4 * MAX_CODE
"""Characters that are parsed in search of the answer, from the end; more is an attack, not an answer."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The code to run, or why there is none."""

    code: str | None
    truncated: bool
    """The completion ends inside its reasoning or inside a block; `code` may be there all the same."""
    reason: str
    """One sentence; "" where there is code that parses."""


def extract(
    completion: str,
    entry_point: str = "model_answer",
    *,
    which: Which = "last",
    template: str | None = None,
) -> Extraction:
    """The code of `completion` that answers, by the rule `which`. Never fails; linear in its length.

    With "first" and a `template`, the code's own imports give way to the template's imports and symbols, as
    in the original protocol; without a template they stay.
    """
    text, cut = without_reasoning(completion)
    found = blocks(text)
    python = [block for block in found if block.tagged or not block.info]
    truncated = cut or _unfinished(found)
    if which == "last":
        code, reason = _last(python, entry_point)
    else:
        code, reason = _first(python, text, entry_point)
        if code is not None and not reason and template is not None:
            code = with_header_of(template, code)
    if code is None and cut:
        reason = f"the reasoning was cut off; {reason}"
    return Extraction(code, truncated, reason)


def _unfinished(found: Sequence[Block]) -> bool:
    """Whether the text ends in a block. A bare fence with nothing after it is a stray one."""
    return bool(found) and not found[-1].closed and bool(found[-1].info or found[-1].code.strip())


def _last(python: Sequence[Block], entry_point: str) -> tuple[str | None, str]:
    broken: tuple[Block, UnreadableCode] | None = None
    left = MAX_PARSED
    # The front part of a program is often a program, so a block that was cut off comes last.
    whole = [block for block in python if block.closed]
    for block in [*reversed(whole), *(block for block in python if not block.closed)]:
        if not _mentions(block.code, entry_point):
            continue
        left -= len(block.code) if len(block.code) <= MAX_CODE else 0
        if left < 0:
            return None, f"more than {MAX_PARSED} characters of code; the answer must be short"
        try:
            module = parse(block.code)
        except UnreadableCode as error:
            broken = broken or (block, error)
            continue
        if entry_point in _functions(module):
            return block.code, ""
    if broken is not None:
        block, defect = broken
        reason = f"the code block at line {block.line} does not parse: {defect}"
        return (block.code if block.closed and defect.syntax else None), reason
    if not python:
        return None, "no fenced Python code block"
    return None, f"no code block defines the function {entry_point} at its top level"


def _first(python: Sequence[Block], text: str, entry_point: str) -> tuple[str | None, str]:
    block = next((block for block in python if block.tagged), python[0] if python else None)
    code = block.code if block else "\n".join(lines_of(text))
    what = f"the first code block (line {block.line})" if block else "the reply has no code block and"
    try:
        module = parse(code)
    except UnreadableCode as error:
        meant = block is not None and block.closed and error.syntax and _mentions(code, entry_point)
        return (code if meant else None), f"{what} does not parse: {error}"
    functions = _functions(module)
    if functions != [entry_point]:
        named = ", ".join(functions) or "none"
        return None, f"{what} must define the one function {entry_point}; its top-level functions: {named}"
    return code, ""


def _functions(module: ast.Module) -> list[str]:
    """Names of the functions defined by `def` directly in the module."""
    return [node.name for node in module.body if isinstance(node, ast.FunctionDef)]


def _mentions(code: str, entry_point: str) -> bool:
    """Whether a line at the margin starts to define the function: cheap, and needed for it to be defined."""
    return bool(re.search(rf"^def[ \t\f\\\n]+{re.escape(entry_point)}\b", code[:MAX_CODE], re.MULTILINE))
