"""Golds are evaluated from their source, with a guard before construction.

`10**10**8` must not be computed to find out that it is large: powers of integers, factorials, binomials and
the like are sized on the way up the syntax tree and built unevaluated above `LARGE_BITS`. Integer literals
are exact (`1/3` is a third), long decimals keep their digits, undeclared names are symbols.
Covered: expressions in `from sympy import *` notation. Not covered: statements; limits of time and memory,
which are the sandbox's.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import sympy
from sympy import Add, Basic, Expr, Float, Function, Integer, Mul, Pow, Rational, Symbol, sympify

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.equality.huge import LARGE_BITS, has_huge, sized_call, sized_power
from scientific_math_critpt_env.grading.names import canonical
from scientific_math_critpt_env.problems.schema import Problem

SOURCE_LIMIT = 100_000
"""Characters of an `answer_fn`; real golds have under 5,000."""

FLOAT_DIGITS = 15
"""Decimals written with more digits than a double holds become `Float`s of all their digits."""

SUSPECTS = frozenset(
    name
    for name in ("beta", "gamma", "zeta", "E", "I", "N", "O", "Q", "S", "C", "Chi", "Si", "Ci", "Li")
    if hasattr(sympy, name)
)
"""SymPy's names that are as often meant as symbols."""

_BUILTINS: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(abs, bool, complex, dict, enumerate, float, frozenset, int, len, list, map, max, min),
        *(range, reversed, set, sorted, str, sum, tuple, zip),
    )
}


def evaluate_gold(problem: Problem) -> object:
    """The gold as a value; raises `ProblemError` naming the problem and what is wrong with its source."""
    source = problem.answer_fn.strip()
    where = f"problem {problem.id!r}: answer_fn"
    if len(source) > SOURCE_LIMIT:
        raise ProblemError(f"{where} has {len(source)} characters, more than {SOURCE_LIMIT}")
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ProblemError(f"{where} is not a Python expression: {error}") from error
    _refuse_private(tree, where)
    namespace = _namespace(tree, problem)
    guarded = ast.fix_missing_locations(_Guard(source, namespace).visit(tree))
    try:
        # Trusted data, and evaluated in the sandbox all the same.
        return eval(compile(guarded, "<answer_fn>", "eval"), namespace)
    except Exception as error:  # whatever SymPy raises here, the row is what is wrong
        raise ProblemError(f"{where} cannot be evaluated: {type(error).__name__}: {error}") from error


def collisions(problem: Problem) -> list[str]:
    """Names in `answer_fn` that read like symbols but mean something in SymPy, and are not declared."""
    try:
        tree = ast.parse(problem.answer_fn.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return []
    suspects = {
        "beta",
        "gamma",
        "zeta",
        "lamda",
        "E",
        "I",
        "N",
        "O",
        "Q",
        "S",
        "C",
        "pi",
        "eta",
        "Chi",
        "Si",
        "Ci",
        "Li",
    }
    bare = _bare_names(tree)
    return sorted(
        name for name in bare & suspects - _declared(problem) if hasattr(sympy, name) and name not in ("pi",)
    )


def _declared(problem: Problem) -> set[str]:
    return {canonical(name) for name in [*problem.symbols, *problem.parameters]}


def _namespace(tree: ast.Expression, problem: Problem) -> dict[str, Any]:
    """SymPy's names, then the problem's symbols, then a symbol (or function) for every name left over."""
    names: dict[str, Any] = {name: getattr(sympy, name) for name in sympy.__all__}
    names.update({"__builtins__": {}, **_BUILTINS})
    declared = {canonical(name): given for name, given in problem.symbols.items()}
    wanted = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    in_arithmetic = _bare_names(tree)
    for name in wanted:
        key = canonical(name)
        if key in declared or key in _declared(problem):
            names[name] = Symbol(key, **declared.get(key, {}))
        elif name not in names:
            names[name] = Function(key) if name in called else Symbol(key)
        elif name in in_arithmetic and name not in called and not isinstance(names[name], Basic):
            # `gamma*m` can only mean a symbol; `validate` warns that it should be declared.
            names[name] = Symbol(key)
    names.update(
        {"_integer": Integer, "_float": Float, "_binary": _binary, "_call": _call, "_negative": _negative}
    )
    return names


def _bare_names(tree: ast.AST) -> set[str]:
    """Names that stand for a value in arithmetic, not as a function that is called or passed on."""
    bare: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            operands: list[ast.expr] = [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            operands = [node.operand]
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            operands = list(node.elts)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            operands = list(node.args)
        elif isinstance(node, ast.Expression):
            operands = [node.body]
        else:
            continue
        bare |= {operand.id for operand in operands if isinstance(operand, ast.Name)}
    return bare


def _refuse_private(tree: ast.AST, where: str) -> None:
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name.startswith("_"):
            raise ProblemError(f"{where} uses the private name {name!r}")


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}


class _Guard(ast.NodeTransformer):
    """Rewrites literals to exact ones, and arithmetic and calls to their sized forms."""

    def __init__(self, source: str, namespace: dict[str, Any]) -> None:
        self.source = source
        self.namespace = namespace

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            return node
        if isinstance(node.value, int):
            return _named_call("_integer", node)
        text = (ast.get_source_segment(self.source, node) or "").replace("_", "")
        digits = (
            sum(character.isdigit() for character in text.lower().split("e")[0].lstrip("0.")) if text else 0
        )
        return _named_call("_float", ast.Constant(text)) if digits > FLOAT_DIGITS else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        sign = _OPERATORS.get(type(node.op))
        if sign is None:
            return ast.BinOp(left, node.op, right)
        return _named_call("_binary", ast.Constant(sign), left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        operand = self.visit(node.operand)
        return (
            _named_call("_negative", operand)
            if isinstance(node.op, ast.USub)
            else ast.UnaryOp(node.op, operand)
        )

    def visit_Call(self, node: ast.Call) -> ast.expr:
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [
            ast.keyword(k.arg, k.value if _is_literal(k.value) else self.visit(k.value))
            for k in node.keywords
        ]
        if isinstance(node.func, ast.Name):
            return ast.Call(ast.Name("_call", ast.Load()), [node.func, *arguments], keywords)
        return ast.Call(self.visit(node.func), arguments, keywords)


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _named_call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
}  # fmt: skip


def _binary(sign: str, left: Any, right: Any) -> Any:
    """`left sign right`, unevaluated where an operand or the result is too large to be computed."""
    if sign == "**":
        power = sized_power(left, right)
        if power is not None:
            return power
    if not (_is_huge(left) or _is_huge(right)):
        return _PLAIN[sign](left, right)
    left, right = sympify(left), sympify(right)
    if sign == "+":
        return Add(left, right, evaluate=False)
    if sign == "-":
        return Add(left, Mul(Integer(-1), right, evaluate=False), evaluate=False)
    if sign == "*":
        return Mul(left, right, evaluate=False)
    if sign == "/":
        return Mul(left, Pow(right, Integer(-1), evaluate=False), evaluate=False)
    return Pow(left, right, evaluate=False)


def _negative(operand: Any) -> Any:
    return Mul(Integer(-1), operand, evaluate=False) if _is_huge(operand) else -operand


def _call(function: Any, *arguments: Any, **keywords: Any) -> Any:
    """`function(*arguments)`, unevaluated where the value would be too large (`factorial(10**9)`)."""
    if "evaluate" not in keywords:
        sized = sized_call(function, arguments)
        if sized is not None:
            return sized
        if isinstance(function, type) and issubclass(function, Function) and any(map(_is_huge, arguments)):
            return function(*arguments, evaluate=False)
    return function(*arguments, **keywords)


def _is_huge(value: Any) -> bool:
    return isinstance(value, Expr) and not isinstance(value, (Rational, Symbol)) and has_huge(value)


__all__ = ["LARGE_BITS", "collisions", "evaluate_gold"]
