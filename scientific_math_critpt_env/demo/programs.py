"""Answer programs written from a problem's gold: what a model that knew the answer would submit.

Text in, text out: no gold is evaluated. Covered: what `answer_fn` means and plain Python does not (1/3 is a
third, long decimals keep their digits, undeclared names are symbols), assumptions, parameters, entry points.
Not covered: golds so large that they must not be computed (10**10**8). A program is one function that imports
for itself, so that it also works in turn 2 of the faithful protocol, where the template's imports are used.
"""

from __future__ import annotations

import ast
from functools import cache
from types import ModuleType

from scientific_math_critpt_env.problems.schema import Problem

DOUBLE_DIGITS = 15
"""Decimals with more digits than this do not fit a Python float."""

_PYTHON = {
    *("abs", "bool", "complex", "dict", "enumerate", "float", "frozenset", "int", "len", "list", "map"),
    *("max", "min", "range", "reversed", "set", "sorted", "str", "sum", "tuple", "zip"),
}
"""Python's own functions that golds may call."""


def gold_program(problem: Problem) -> str:
    """A program that returns the gold as it stands in the row."""
    return program(problem, exact(problem.answer_fn))


def program(problem: Problem, expression: str) -> str:
    """A program whose entry point returns `expression`, which is written with the names of the gold."""
    definitions = _definitions(problem)
    tree = _Qualified({*definitions, *problem.parameters}).visit(ast.parse(expression, mode="eval"))
    body = [
        "import sympy",
        *(f"{name} = sympy.{source}" for name, source in definitions.items()),
        f"return {ast.unparse(ast.fix_missing_locations(tree))}",
    ]
    return f"def {problem.entry_point}({', '.join(problem.parameters)}):\n    " + "\n    ".join(body) + "\n"


def completion(code: str) -> str:
    """A reply that holds `code` as its one block."""
    return f"```python\n{code}```\n"


def exact(source: str) -> str:
    """Golds' notation as Python with SymPy, on one line: literals become exact numbers."""
    text = source.strip()
    tree = ast.parse(text, mode="eval")
    return ast.unparse(ast.fix_missing_locations(_Exact(text).visit(tree)))


def free_names(problem: Problem) -> list[str]:
    """Names that stand for a commutative symbol in the gold, parameters first."""
    defined = {name: source for name, source in _definitions(problem).items() if source.startswith("Symbol")}
    names = [*(name for name in problem.parameters if name in _loaded(problem)), *defined]
    return [name for name in names if "commutative=False" not in defined.get(name, "")]


def _definitions(problem: Problem) -> dict[str, str]:
    """Source for every name of the gold that does not mean what SymPy means by it."""
    from scientific_math_critpt_env.grading.names import canonical

    declared = {canonical(name): assumptions for name, assumptions in problem.symbols.items()}
    parameters = {canonical(name) for name in problem.parameters}
    operands = _operands(problem)
    sources = {}
    for name, called in _loaded(problem).items():
        key = canonical(name)
        if key in parameters:
            continue
        if key in declared:
            given = "".join(f", {assumption}={value}" for assumption, value in declared[key].items())
            sources[name] = f"Symbol({key!r}{given})"
        elif not _known(name) or (name in operands and not called and not _is_value(name)):
            sources[name] = f"{'Function' if called else 'Symbol'}({key!r})"
    return sources


def _known(name: str) -> bool:
    return name in _PYTHON or name in _sympy().__all__


def _is_value(name: str) -> bool:
    """Whether SymPy means a number or the like; `gamma`, a function, is meant as a symbol in `gamma*m`."""
    sympy = _sympy()
    return isinstance(getattr(sympy, name, None), sympy.Basic)


def _operands(problem: Problem) -> set[str]:
    """Names that stand for a value: alone, in arithmetic, in a structure, as an argument."""
    found: list[ast.expr] = []
    for node in ast.walk(ast.parse(problem.answer_fn.strip(), mode="eval")):
        match node:
            case ast.Expression(body=body):
                found.append(body)
            case ast.BinOp(left=left, right=right):
                found += [left, right]
            case ast.UnaryOp(operand=operand):
                found.append(operand)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                found += parts
            case ast.Call(func=ast.Name(), args=arguments):
                found += arguments
    return {node.id for node in found if isinstance(node, ast.Name)}


def _loaded(problem: Problem) -> dict[str, bool]:
    """The names the gold uses, in order, with whether they are called."""
    tree = ast.parse(problem.answer_fn.strip(), mode="eval")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = found.get(node.id, False) or id(node) in called
    return dict(sorted(found.items()))


class _Exact(ast.NodeTransformer):
    """Wraps numbers; leaves the options of calls (`dir='-'`, `evaluate=False`) as they are."""

    def __init__(self, text: str) -> None:
        self._text = text

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        return node if isinstance(node.value, ast.Constant) else ast.keyword(node.arg, self.visit(node.value))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return ast.Call(ast.Name("Integer", ast.Load()), [node], [])
        if isinstance(node.value, float):
            written = (ast.get_source_segment(self._text, node) or "").replace("_", "")
            digits = sum(character.isdigit() for character in written.lower().split("e")[0].lstrip("0."))
            if digits > DOUBLE_DIGITS:
                return ast.Call(ast.Name("Float", ast.Load()), [ast.Constant(written)], [])
        return node


class _Qualified(ast.NodeTransformer):
    """Writes SymPy's names as `sympy.name`."""

    def __init__(self, own: set[str]) -> None:
        self._own = own

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._own or node.id not in _sympy().__all__:
            return node
        return ast.Attribute(ast.Name("sympy", ast.Load()), node.id, node.ctx)


@cache
def _sympy() -> ModuleType:
    # Imported at first use: the process that loads the environment has no other use for SymPy.
    import sympy

    return sympy
