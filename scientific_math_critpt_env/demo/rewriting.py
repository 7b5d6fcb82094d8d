"""The gold's source, rewritten: equal in another form, or plainly different.

Works on the syntax tree and evaluates nothing. Parts that are mathematics get a factor that is one only after
a theorem (sin(t)**2 + cos(t)**2, (sqrt(2) - 1)*(sqrt(2) + 1)), which SymPy does not apply by itself.
Structures (tuples, sets, matrices, intervals, equations) keep their shape; a truth value has one form only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from scientific_math_critpt_env.demo.programs import exact, free_names
from scientific_math_critpt_env.problems.schema import Problem

FORMS = 3
"""How many different right forms there are of a mathematical expression."""

_CONTAINERS = {"Tuple", "List", "FiniteSet", "Union", "Intersection", "Interval", "open", "Lopen", "Ropen"}
"""Calls whose arguments are looked into (`Interval.open(a, b)` is the call of an attribute)."""

_MATRICES = {
    *(
        "Matrix",
        "ImmutableMatrix",
        "SparseMatrix",
        "ImmutableSparseMatrix",
        "ImmutableDenseMatrix",
        "MutableDenseMatrix",
    ),
    *("eye", "diag", "zeros", "ones", "Array", "ImmutableDenseNDimArray"),
}

_LOGIC = {"Ne", "Lt", "Le", "Gt", "Ge", "And", "Or", "Not", "Xor", "Implies", "Equivalent", "Contains"}

_INFINITE = {"oo", "zoo", "nan"}

_FIXED_WRONG = {
    "string": "'none of these'",
    "set": "FiniteSet(Integer(271828))",
    "interval": "Interval(Rational(1, 3), Rational(37, 7))",
    "equation": "Eq(Symbol('wrong'), Integer(271828))",
    "tuple": "(Integer(271828),)",
    "list": "[Integer(271828)]",
    "dict": "{Symbol('wrong'): Integer(271828)}",
}
"""Wrong values of the right type, for golds whose source does not show its structure."""

Leaf = Callable[[ast.expr], ast.expr]


def equivalent(problem: Problem, form: int) -> str:
    """Source that equals the gold and is written differently; `form` picks one of `FORMS` ways."""
    if problem.answer_type == "string":
        return _respelled(problem.answer_fn)
    if problem.answer_type == "boolean":
        return exact(problem.answer_fn)
    return _rewritten(problem, lambda leaf: _disguised(leaf, problem, form % FORMS))


def wrong(problem: Problem) -> str:
    """Source of a value of the gold's type that differs from it, in one component where it has several."""
    if problem.answer_type == "boolean":
        return f"Not({exact(problem.answer_fn)})"
    if problem.answer_type in ("string", "interval"):
        return _FIXED_WRONG[problem.answer_type]
    changed = False

    def first_changed(leaf: ast.expr) -> ast.expr:
        nonlocal changed
        if changed:
            return leaf
        changed = True
        return _spoiled(leaf)

    source = _rewritten(problem, first_changed)
    return source if changed else _FIXED_WRONG.get(problem.answer_type, "Integer(271828)")


def wrong_type(problem: Problem) -> str:
    """Source of a value that no gold of this type could be."""
    return "Integer(42)" if problem.answer_type == "string" else "'words where mathematics is asked'"


def _rewritten(problem: Problem, change: Leaf) -> str:
    root = _parsed(exact(problem.answer_fn))
    if problem.answer_type == "matrix" and _callee(root) not in _MATRICES:
        return ast.unparse(_entrywise(root, change))
    if problem.answer_type in _FIXED_WRONG and not _shows_structure(root):
        return ast.unparse(root)
    return ast.unparse(_walked(root, change))


def _walked(node: ast.expr, change: Leaf) -> ast.expr:
    """`node` with `change` applied to its mathematical parts, in order; logic and words are left alone."""
    match node:
        case (
            ast.Constant(value=bool() | str()) | ast.Compare() | ast.BoolOp() | ast.Name(id="true" | "false")
        ):
            return node
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            node.elts = [_walked(part, change) for part in parts]
            return node
        case ast.Dict(values=values):
            node.values = [_walked(value, change) for value in values]
            return node
        case ast.Call(args=arguments) if _callee(node) in _CONTAINERS:
            node.args = [_walked(argument, change) for argument in arguments]
            return node
        case ast.Call(args=[left, right]) if _callee(node) in ("Eq", "Equality"):
            node.args = [change(right), change(left)]
            return node
        case ast.Call() if _callee(node) in _MATRICES:
            return _entrywise(node, change)
        case ast.Call() if _callee(node) in _LOGIC:
            return node
    return change(node)


def _entrywise(matrix: ast.expr, change: Leaf) -> ast.expr:
    entry = ast.unparse(change(_parsed("entry")))
    return _parsed(f"({ast.unparse(matrix)}).applyfunc(lambda entry: {entry})")


def _spoiled(leaf: ast.expr) -> ast.expr:
    source = ast.unparse(leaf)
    if _is_infinite(leaf):
        return _parsed("271828")
    if any(_callee(part) in _MATRICES for part in ast.walk(leaf)):
        return _parsed(f"({source})*7")
    # Squaring and adding leaves what may be free: a constant of integration, a sign, a scale.
    return _parsed(f"({source})**2 + 7")


def _disguised(leaf: ast.expr, problem: Problem, form: int) -> ast.expr:
    # Factors alone: a term that vanishes would cost a small number its digits.
    names = free_names(problem)
    angle = names[0] if names and not _is_infinite(leaf) else "1"
    one = (
        f"(sin({angle})**2 + cos({angle})**2)",
        "(1 + tan(1)**2)*cos(1)**2",
        "(sqrt(2) - 1)*(sqrt(2) + 1)",
    )
    return _parsed(f"({ast.unparse(leaf)})*{one[form]}")


def _respelled(source: str) -> str:
    """A string gold in capitals, with blanks around it."""
    node = _parsed(source)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return repr(f"  {node.value.upper()} ")
    return source


def _shows_structure(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
        return True
    return _callee(node) in _CONTAINERS | _MATRICES | {"Eq", "Equality"}


def _callee(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def _is_infinite(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id in _INFINITE for part in ast.walk(node))


def _parsed(source: str) -> ast.expr:
    return ast.parse(source.strip(), mode="eval").body
