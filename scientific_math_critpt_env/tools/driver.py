"""Runs cells as a notebook does: the text of this file, with `CELLS` set below it, is what the sandbox runs.

It runs under the sandbox's "import-only" builtins, where no class can be defined and no builtin has its name
until the line below fetches them all. The cells get the builtins of an answer, and a `print` that is heard.
What a cell does to this file is its own loss: the sandbox is the wall, and only text comes back.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from scientific_math_critpt_env.sandbox import namespace

builtins.globals().update(builtins.vars(builtins))

CELLS: list[str] = []

MOST_CHARACTERS = 100_000
"""Of what a cell prints, and of its value: more is not read, and need not be carried."""


def run_cells() -> dict[str, str]:
    """Run all cells in one namespace; what the last one `printed`, its `value` and `error`, "" for none."""
    names = namespace.create("restricted").__dict__
    printed: list[str] = []
    value = error = ""
    for number, source in enumerate(CELLS, start=1):
        printed.clear()
        names["__builtins__"] = {**names["__builtins__"], "print": _printer(printed)}
        value, error = _run(source, f"<cell {number}>", names)
    return {"printed": _unicode("".join(printed)), "value": _unicode(value), "error": _unicode(error)}


def _unicode(text: str) -> str:
    """The text, not too long, without the lone surrogates that no file could hold."""
    return text[:MOST_CHARACTERS].encode(errors="backslashreplace").decode()


def _printer(printed: list[str]) -> Callable[..., None]:
    left = [MOST_CHARACTERS]

    def show(*values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False) -> None:
        text = (" " if sep is None else sep).join(map(str, values)) + ("\n" if end is None else end)
        printed.append(text[: left[0]])
        left[0] -= len(printed[-1])

    return show


def _run(source: str, filename: str, names: dict[str, Any]) -> tuple[str, str]:
    """(what the last expression is worth, what went wrong)."""
    try:
        tree = ast.parse(source, filename)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, filename, "exec", dont_inherit=True), names)
        if not isinstance(last, ast.Expr):
            return "", ""
        value = eval(compile(ast.Expression(last.value), filename, "eval", dont_inherit=True), names)
        return "" if value is None else repr(value), ""
    except BaseException as error:  # noqa: BLE001 - the cell's exceptions are its result, SystemExit included
        return "", _told(error, filename)


def _told(error: BaseException, filename: str) -> str:
    line, traceback = getattr(error, "lineno", None), error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    try:
        said = str(getattr(error, "msg", None) or error)
    except BaseException:  # noqa: BLE001 - an exception of the cell's own making need not be printable
        said = ""
    name = type(error).__name__
    return (f"line {line}: " if line else "") + (f"{name}: {said}" if said else name)
