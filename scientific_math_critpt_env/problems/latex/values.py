"""Evaluates the source that the grammar wrote, as golds are evaluated: whole numbers are exact."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Integer, Symbol

from scientific_math_critpt_env.problems.latex.tokens import LatexError

_VOCABULARY = frozenset(
    {
        *("Abs", "Eq", "Gt", "Ge", "Integral", "Interval", "Lt", "Le", "Max", "Min", "Rational", "Union"),
        *("Ei", "acos", "acosh", "acot", "acsc", "asec", "asin", "asinh", "atan", "atanh", "binomial"),
        *("cos", "cosh", "cot", "coth", "csc", "csch", "erf", "erfc", "erfi", "exp", "factorial", "gamma"),
        *("log", "oo", "pi", "root", "sec", "sech", "sin", "sinh", "sqrt", "tan", "tanh"),
    }
)
"""Every name of SymPy's that the grammar writes."""

PRINTED = frozenset({"E", "I"})
"""Constants in SymPy's own print; in what the grammar writes these letters are symbols."""


def evaluated(source: str, symbols: Mapping[str, Symbol], *, printed: bool = False) -> Any:
    """The value of source that the grammar wrote, or SymPy `printed`.

    Raises LatexError where a symbol has the name of a function that is called, or where SymPy fails.
    """
    tree = ast.parse(source, mode="eval")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    clash = called & set(symbols)
    if clash:
        raise LatexError("symbol and function of one name", ", ".join(sorted(clash)))
    vocabulary = _VOCABULARY | PRINTED if printed else _VOCABULARY
    namespace: dict[str, Any] = {name: getattr(sympy, name) for name in vocabulary & used}
    namespace.update({name: symbols[name] for name in used if name in symbols})
    missing = used - set(namespace)
    if missing:
        raise LatexError("undeclared symbol", ", ".join(sorted(missing)))
    namespace.update({"__builtins__": {}, "_integer": Integer})
    code = compile(ast.fix_missing_locations(_Exact().visit(tree)), "<gold>", "eval")
    try:
        return eval(code, namespace)
    except Exception as error:  # SymPy's own, of any kind: this gold has no value
        raise LatexError("no value", f"{type(error).__name__}: {error}") from error


class _Exact(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return ast.Call(ast.Name("_integer", ast.Load()), [node], [])
        return node
