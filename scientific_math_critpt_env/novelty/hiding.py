"""Ways to call something without writing it down as a call: a program that has any of them is not measured.

Names looked up as text, source run as text, names with two underscores, text that could be source. It does
not matter where in the program they stand. What they are good for in an answer can be written plainly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from scientific_math_critpt_env.novelty.calls import SYMBOLS
from scientific_math_critpt_env.novelty.graph import Unmeasured

HIDING = frozenset(
    (
        *("getattr", "setattr", "delattr", "eval", "exec", "compile", "globals", "locals", "vars", "dir"),
        *("attrgetter", "methodcaller", "import_module", "chr", "bytes", "bytearray", "memoryview", "decode"),
        *("parse_expr", "parse_latex", "parse_mathematica", "parse_maxima", "parse_latex_lark"),
        *("stringify_expr", "eval_expr", "__import__", "__builtins__", "modules", "send", "throw"),
    )
)
"""Names of builtins, functions and methods."""

_FREE_TEXT = frozenset((*SYMBOLS, "Function", "print"))
"""Calls whose text is only ever a name or a message."""


def refuse_hiding(module: ast.Module) -> None:
    """Raise `Unmeasured` for a program that may call what it does not show."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in HIDING:
                raise Unmeasured(f"it uses {name}, which can hide what is called")
            case ast.alias() if node.name.rpartition(".")[2] in HIDING:
                raise Unmeasured("it imports what can hide what is called")
            case ast.Attribute(attr=name) if name.startswith("__"):
                raise Unmeasured("it uses a name with two underscores")
            case ast.Call(func=ast.Name(id="type"), args=[_, _, *_]):
                raise Unmeasured("it makes a class by a call")
            case ast.Constant(value=bytes()):
                raise Unmeasured("it holds bytes, which may be source")
    for text in _texts(module):
        if "(" in text or ")" in text:
            raise Unmeasured("it holds text with brackets, which may be source")


def _texts(module: ast.Module) -> Iterator[str]:
    """Literal text, apart from docstrings and messages."""
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        match node:
            case ast.Constant(value=str() as text):
                yield text
            case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Assert():
                continue
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _FREE_TEXT:
                continue
        pending.extend(ast.iter_child_nodes(node))
