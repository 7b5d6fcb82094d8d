"""Golds that a set gives as code: a straight-line function becomes one expression in SymPy's names.

    def answer(p):            ->  (1 - Rational(4, 5)*p)**2 + p
        q = (1 - sp.Rational(4, 5)*p)**2
        return q + p

Every variable is replaced by what was assigned to it. Functions with branches, loops, or modules whose
functions SymPy does not have are refused: their golds have to be written by hand. The code is never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

MODULES = {"sp": "sympy", "sympy": "sympy", "np": "numpy", "numpy": "numpy", "math": "math", "cmath": "math"}
"""Names under which code imports what its golds call."""

_SAME_ELSEWHERE = {
    **{name: name for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "pi")},
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{
        name: name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "erfc", "factorial")
    },
    "abs": "Abs",
    "absolute": "Abs",
    "fabs": "Abs",
    "e": "E",
    "power": "Pow",
    "gamma": "gamma",
    "cbrt": "cbrt",
    "arctan2": "atan2",
    "atan2": "atan2",
    "inf": "oo",
}
"""What numpy and math call a function, and what SymPy does."""


class CodeError(ValueError):
    """The code is no single formula."""


@dataclass(frozen=True, slots=True)
class CodeGold:
    """A formula taken out of a function."""

    name: str
    """The function's name."""
    parameters: tuple[str, ...]
    source: str
    """In `from sympy import *` notation."""
    symbols: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    """Symbols the code declares outside of the function, with their assumptions."""


def code_gold(code: str, name: str | None = None) -> CodeGold:
    """The formula that the function `name`, or the only one there is, returns. Raises CodeError."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CodeError(f"does not parse: {error}") from None
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and name in (None, node.name)]
    if len(functions) != 1:
        raise CodeError(f"{len(functions)} functions, one is wanted")
    function = functions[0]
    if function.args.vararg or function.args.kwarg or function.args.kwonlyargs or function.args.posonlyargs:
        raise CodeError("arguments that are not plain")
    parameters = tuple(argument.arg for argument in function.args.args)
    symbols = declared_symbols(body)
    values: dict[str, ast.expr] = {}
    outside = [node for node in body if not isinstance(node, ast.FunctionDef)]
    _run(outside, values, skip=set(symbols))
    for parameter in parameters:
        values.pop(parameter, None)
    result = _run(function.body, values, skip=set())
    if result is None:
        raise CodeError("returns nothing")
    known = {name: given for name, given in symbols.items() if name not in values}
    return CodeGold(function.name, parameters, ast.unparse(ast.fix_missing_locations(result)), known)


def declared_symbols(body: Iterable[ast.stmt]) -> dict[str, dict[str, bool]]:
    """Symbols made at the top level: `x, y = sp.symbols('x y', real=True)`.

    Raises CodeError where one has another name than its variable.
    """
    found: dict[str, dict[str, bool]] = {}
    for node in body:
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and _makes_symbols(node.value)):
            continue
        assert isinstance(node.value, ast.Call)
        target = node.targets[0]
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        variables = [part.id if isinstance(part, ast.Name) else "" for part in parts]
        names = ast.literal_eval(node.value.args[0]).replace(",", " ").split()
        if variables != [name if name != "lambda" else "lamda" for name in names]:
            raise CodeError("a symbol of another name than its variable")
        given = {
            keyword.arg: bool(keyword.value.value)
            for keyword in node.value.keywords
            if keyword.arg and isinstance(keyword.value, ast.Constant)
        }
        found.update(dict.fromkeys(variables, given))
    return found


def _makes_symbols(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and ast.unparse(value.func).rpartition(".")[2] in ("symbols", "Symbol")
        and len(value.args) == 1
        and isinstance(value.args[0], ast.Constant)
        and isinstance(value.args[0].value, str)
    )


def _run(statements: Iterable[ast.stmt], values: dict[str, ast.expr], skip: set[str]) -> ast.expr | None:
    """Follow plain assignments; the returned expression, or None. Raises CodeError for anything else."""
    for statement in statements:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name not in skip:
                    values[name] = _Inline(values).visit(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=parts)) if len(
                targets
            ) == len(parts):
                found = [_Inline(values).visit(part) for part in parts]
                for target, value in zip(targets, found, strict=True):
                    if not isinstance(target, ast.Name):
                        raise CodeError(f"line {statement.lineno} is no plain assignment")
                    values[target.id] = value
            case ast.Assign(targets=[ast.Tuple(elts=targets)]) if all(
                getattr(t, "id", None) in skip for t in targets
            ):
                continue
            case ast.Return(value=ast.expr() as value):
                return _Inline(values).visit(value)
            case _:
                raise CodeError(f"line {statement.lineno} is no plain assignment")
    return None


class _Inline(ast.NodeTransformer):
    """Puts values in place of variables, SymPy's names of modules' attributes, fractions of halves."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in MODULES and node.value.id not in self.values:
            if MODULES[node.value.id] == "sympy":
                return ast.Name(node.attr, ast.Load())
            if node.attr not in _SAME_ELSEWHERE:
                raise CodeError(f"{node.value.id}.{node.attr} has no counterpart in SymPy")
            return ast.Name(_SAME_ELSEWHERE[node.attr], ast.Load())
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, float) and Fraction(node.value).denominator <= 4:
            fraction = Fraction(node.value)
            numbers: list[ast.expr] = [ast.Constant(fraction.numerator), ast.Constant(fraction.denominator)]
            return ast.Call(ast.Name("Rational", ast.Load()), numbers, [])
        if node.value is Ellipsis:
            raise CodeError("the place to fill in is not filled in")
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        raise CodeError("a function inside the function")
