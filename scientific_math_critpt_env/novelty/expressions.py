"""Expressions of a program as nodes of a graph.

Covered: what is written in answers. A name stands for its value, a call of the program's own function for
what that returns. Anything else becomes a node that says only what kind of expression it is.
"""

from __future__ import annotations

import ast
from typing import ClassVar

from scientific_math_critpt_env.novelty.calls import CONSTANTS, NUMBERS_OF_S, called, canonical
from scientific_math_critpt_env.novelty.containers import Containers
from scientific_math_critpt_env.novelty.graph import Graph, Unmeasured
from scientific_math_critpt_env.novelty.scopes import Closure, Reference, Scope, Value

MOST_DEPTH = 120
"""Expressions and calls inside each other while reading: each takes a few frames of Python's stack."""


_SIGNS: dict[type[ast.AST], str] = {
    ast.Mod: "%",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "in",
    ast.Is: "==",
    ast.IsNot: "!=",
}


class Expressions(Containers):
    """Reads expressions into `graph`; what to do with a call of an own function is left to `invoke`."""

    def __init__(self, own_names: frozenset[str]) -> None:
        self.graph = Graph()
        self.own_names = own_names
        """Names that the program binds somewhere: an unbound one of these is no library's function."""
        self._depth = 0

    def invoke(self, closure: Closure, arguments: list[Value], named: dict[str, Value]) -> str:
        raise NotImplementedError

    def as_function(self, closure: Closure) -> str:
        raise NotImplementedError

    def closure(
        self, definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope
    ) -> Closure:
        raise NotImplementedError

    def value(self, expression: ast.expr, scope: Scope) -> str:
        """The node of an expression. Raises `Unmeasured` beyond the limits."""
        return self.plain(self.evaluate(expression, scope))

    def plain(self, value: Value) -> str:
        if isinstance(value, Closure):
            return self.as_function(value)
        if not isinstance(value, Reference):
            return value
        name = canonical(value.name)
        # A function that is handed on shows as one that is called.
        return self.graph.node(name if name in CONSTANTS else f"{name}()")

    def evaluate(self, expression: ast.expr, scope: Scope) -> Value:
        self._depth += 1
        try:
            if self._depth > MOST_DEPTH:
                raise Unmeasured(f"its expressions are nested more than {MOST_DEPTH} deep")
            read = self._READERS.get(type(expression))
            if read is None:
                return self._other(expression, scope)
            return read(self, expression, scope)
        finally:
            self._depth -= 1

    # ---- names and calls ----

    def _name(self, expression: ast.Name, scope: Scope) -> Value:
        found = scope.find(expression.id)
        if found is not None:
            return found
        if expression.id in self.own_names:
            return self.graph.node("unknown")
        return Reference(expression.id)

    def _attribute(self, expression: ast.Attribute, scope: Scope) -> Value:
        base = self.evaluate(expression.value, scope)
        if isinstance(base, Reference) and base.name not in CONSTANTS:
            if base.name == "S" and expression.attr in NUMBERS_OF_S:
                return self.graph.number()
            return Reference(expression.attr)
        return self.graph.node(f".{canonical(expression.attr)}", self.plain(base))

    def _call(self, expression: ast.Call, scope: Scope) -> Value:
        arguments = self._arguments(expression.args, scope)
        named = {word.arg or "**": self.evaluate(word.value, scope) for word in expression.keywords}
        function = expression.func
        callee: Value
        if isinstance(function, ast.Attribute):
            base = self.evaluate(function.value, scope)
            if not isinstance(base, Reference) or base.name in CONSTANTS:
                return self._library(function.attr, [base, *arguments], named)
            callee = Reference(function.attr)
        else:
            callee = self.evaluate(function, scope)
        if isinstance(callee, Closure):
            return self.invoke(callee, arguments, named)
        if isinstance(callee, Reference):
            return self._library(callee.name, arguments, named)
        plain = [self.plain(value) for value in (*arguments, *named.values())]
        return self.graph.node("apply", callee, *plain)

    def _library(self, name: str, arguments: list[Value], named: dict[str, Value]) -> str:
        positional = [self.plain(value) for value in arguments]
        return called(
            self.graph, name, positional, [(key, self.plain(value)) for key, value in named.items()]
        )

    def _arguments(self, given: list[ast.expr], scope: Scope) -> list[Value]:
        """Arguments by place; a tuple or list that is unpacked in the call as its members."""
        found: list[Value] = []
        for argument in given:
            value = self.argument(argument, scope)
            inner = self.graph.operands[value][0] if isinstance(argument, ast.Starred) else ""  # type: ignore[index]
            if inner and self.graph.labels[inner] in ("tuple", "list"):
                found += self.graph.operands[inner]
            else:
                found.append(value)
        return found

    def _lambda(self, expression: ast.Lambda, scope: Scope) -> Value:
        return self.closure(expression, scope)

    def _walrus(self, expression: ast.NamedExpr, scope: Scope) -> Value:
        found = self.evaluate(expression.value, scope)
        scope.names[expression.target.id] = found
        return found

    # ---- operators ----

    def _binary(self, expression: ast.BinOp, scope: Scope) -> Value:
        # Long sums lean to the left: the spine is walked, not descended.
        spine = [expression]
        while isinstance(spine[-1].left, ast.BinOp):
            spine.append(spine[-1].left)
        found = self.value(spine[-1].left, scope)
        for step in reversed(spine):
            found = self.combined(step.op, found, self.value(step.right, scope))
        return found

    def combined(self, sign: ast.operator, left: str, right: str) -> str:
        """The node of `left sign right`."""
        graph = self.graph
        match sign:
            case ast.Add():
                return graph.add((left, right))
            case ast.Sub():
                return graph.constant(0) if left == right else graph.add((left, graph.negate(right)))
            case ast.Mult():
                return graph.multiply((left, right))
            case ast.Div():
                return graph.multiply((left, graph.power(right, graph.constant(-1))))
            case ast.Pow():
                return graph.power(left, right)
        return graph.node(_SIGNS.get(type(sign), "operator"), left, right)

    def _unary(self, expression: ast.UnaryOp, scope: Scope) -> Value:
        operand = self.value(expression.operand, scope)
        match expression.op:
            case ast.USub():
                return self.graph.negate(operand)
            case ast.Not():
                return self.graph.negation(operand)
            case ast.UAdd():
                return operand
        return self.graph.node("~", operand)

    def _boolean(self, expression: ast.BoolOp, scope: Scope) -> Value:
        label = "and" if isinstance(expression.op, ast.And) else "or"
        return self.graph.connected(label, [self.value(part, scope) for part in expression.values])

    def _comparison(self, expression: ast.Compare, scope: Scope) -> Value:
        left = self.value(expression.left, scope)
        parts = []
        for sign, operand in zip(expression.ops, expression.comparators, strict=True):
            right = self.value(operand, scope)
            found = self.graph.compare(_SIGNS[type(sign)], left, right)
            parts.append(self.graph.negation(found) if isinstance(sign, ast.NotIn) else found)
            left = right
        return parts[0] if len(parts) == 1 else self.graph.connected("and", parts)

    def _conditional(self, expression: ast.IfExp, scope: Scope) -> Value:
        test = self.value(expression.test, scope)
        then, otherwise = self.evaluate(expression.body, scope), self.evaluate(expression.orelse, scope)
        truth = self.graph.truth(test)
        if truth is not None:
            return then if truth else otherwise
        return self.graph.choice(test, self.plain(then), self.plain(otherwise))

    def _constant(self, expression: ast.Constant, scope: Scope) -> Value:
        return self.graph.constant(expression.value)

    def _other(self, expression: ast.expr, scope: Scope) -> Value:
        parts = [
            self.value(part, scope) for part in ast.iter_child_nodes(expression) if isinstance(part, ast.expr)
        ]
        return self.graph.node(type(expression).__name__.lower(), *parts)

    def _text(self, expression: ast.JoinedStr, scope: Scope) -> Value:
        return self.graph.node("text", identity="formatted")

    _READERS: ClassVar[dict] = {
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Call: _call,
        ast.Lambda: _lambda,
        ast.NamedExpr: _walrus,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _comparison,
        ast.IfExp: _conditional,
        ast.Constant: _constant,
        ast.List: Containers.sequence,
        ast.Tuple: Containers.sequence,
        ast.Set: Containers.sequence,
        ast.Dict: Containers.dictionary,
        ast.Subscript: Containers.subscript,
        ast.ListComp: Containers.comprehension,
        ast.SetComp: Containers.comprehension,
        ast.GeneratorExp: Containers.comprehension,
        ast.DictComp: Containers.comprehension,
        ast.JoinedStr: _text,
    }
