"""What names stand for while a program is read, and which names a piece of it binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from scientific_math_critpt_env.novelty.calls import MUTATING


@dataclass(frozen=True, slots=True)
class Reference:
    """Something of a library: a module, a function, a constant."""

    name: str


@dataclass(slots=True)
class Scope:
    """Names of one function, inside those of another."""

    names: dict[str, Value]
    outer: Scope | None = None

    def find(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def copy(self) -> Scope:
        return Scope(dict(self.names), self.outer)


@dataclass(frozen=True, slots=True)
class Closure:
    """A function of the program itself."""

    definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope = field(compare=False)


Value = str | Closure | Reference


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Names that are bound, or whose values are changed, anywhere below `tree`."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield from _root(node)
            case ast.Call(func=ast.Attribute() as method) if method.attr in MUTATING:
                yield from _root(method)


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
