"""Statements of a program: what its entry point returns, as one node of a graph.

Read once from top to bottom, without running anything: each name stands for the node of its value, so code
whose value never reaches the result is not in it, and neither are names, comments and the order of lines
that do not depend on each other. Branches that cannot be taken are not read; what follows a `return`
neither. A loop is read once, its variables standing for what they were and what becomes of them.
Not followed: classes, exception handlers (the code they guard is), `match`, decorators.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from scientific_math_critpt_env.novelty.calls import MUTATING
from scientific_math_critpt_env.novelty.expressions import Expressions
from scientific_math_critpt_env.novelty.graph import Graph, Unmeasured
from scientific_math_critpt_env.novelty.scopes import Closure, Reference, Scope, Value, bound_names

MOST_CALLS = 12
"""Own functions called inside each other."""

MOST_BLOCKS = 25
"""Statements inside each other."""


def returned(module: ast.Module, entry_point: str) -> tuple[Graph, str]:
    """The graph and the node of what `entry_point` returns. Raises `Unmeasured`."""
    reader = _Statements(frozenset(bound_names(module)))
    scope = Scope({})
    reader.block(module.body, scope)
    entry = scope.find(entry_point)
    if not isinstance(entry, Closure):
        raise Unmeasured(f"it has no function {entry_point}")
    return reader.graph, reader.body_of(entry)


@dataclass(slots=True)
class _Flow:
    """How a block ends."""

    ends: Literal["on", "returned", "raised", "jumped"] = "on"
    value: str = ""
    guarded: list[tuple[str, str]] = field(default_factory=list)
    """(test, value) of returns that happen only where the test holds, in order."""


class _Statements(Expressions):
    def __init__(self, own_names: frozenset[str]) -> None:
        super().__init__(own_names)
        self._calling: list[ast.AST] = []
        self._exits: list[set[str]] = []
        self._blocks = 0

    # ---- functions ----

    def invoke(self, closure: Closure, arguments: list[Value], named: dict[str, Value]) -> str:
        if closure.definition in self._calling:
            return self.graph.node("recursion", *(self.plain(value) for value in arguments))
        if len(self._calling) >= MOST_CALLS:
            raise Unmeasured(f"it calls more than {MOST_CALLS} functions inside each other")
        scope = Scope({}, closure.scope)
        given = closure.definition.args
        parameters = [*given.posonlyargs, *given.args]
        defaults = dict(zip([p.arg for p in parameters][::-1], given.defaults[::-1], strict=False))
        defaults |= {p.arg: d for p, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d}
        bound = dict(zip([p.arg for p in parameters], arguments, strict=False)) | named
        if given.vararg is not None:
            rest = [self.plain(value) for value in arguments[len(parameters) :]]
            bound[given.vararg.arg] = self.graph.node("tuple", *rest)
        self._calling.append(closure.definition)
        try:
            for parameter in (*parameters, *given.kwonlyargs):
                if parameter.arg not in bound and parameter.arg in defaults:
                    bound[parameter.arg] = self.evaluate(defaults[parameter.arg], closure.scope)
            scope.names |= bound
            if isinstance(closure.definition, ast.Lambda):
                return self.value(closure.definition.body, scope)
            return self._result(self.block(closure.definition.body, scope))
        finally:
            self._calling.pop()

    def body_of(self, closure: Closure) -> str:
        """What a function returns for parameters that are known by their places alone."""
        given = closure.definition.args
        level = len(self._calling)
        parameters: dict[str, Value] = {
            parameter.arg: self.graph.node("parameter", identity=f"{level} {place}")
            for place, parameter in enumerate((*given.posonlyargs, *given.args, *given.kwonlyargs))
        }
        return self.invoke(closure, [], parameters)

    def as_function(self, closure: Closure) -> str:
        return self.graph.node("function", self.body_of(closure))

    def _result(self, flow: _Flow) -> str:
        found = flow.value if flow.ends == "returned" else self.graph.constant(None)
        for test, value in reversed(flow.guarded):
            found = self.graph.choice(test, value, found)
        return found

    # ---- blocks ----

    def block(self, statements: Iterable[ast.stmt], scope: Scope) -> _Flow:
        self._blocks += 1
        if self._blocks > MOST_BLOCKS + MOST_CALLS:
            raise Unmeasured(f"its statements are nested more than {MOST_BLOCKS} deep")
        try:
            guarded: list[tuple[str, str]] = []
            for statement in statements:
                flow = self._statement(statement, scope)
                guarded += flow.guarded
                if flow.ends != "on":
                    return _Flow(flow.ends, flow.value, guarded)
            return _Flow(guarded=guarded)
        finally:
            self._blocks -= 1

    def _statement(self, statement: ast.stmt, scope: Scope) -> _Flow:
        match statement:
            case ast.Return():
                value = self.value(statement.value, scope) if statement.value else self.graph.constant(None)
                return _Flow("returned", value)
            case ast.If():
                return self._if(statement, scope)
            case ast.For() | ast.AsyncFor():
                source = self.value(statement.iter, scope)
                if self.graph.truth(source) is False:
                    return self.block(statement.orelse, scope)
                return self._loop(statement, source, scope)
            case ast.While():
                return self._loop(statement, "", scope)
            case ast.With() | ast.AsyncWith():
                for item in statement.items:
                    value = self.value(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, value, scope)
                return self.block(statement.body, scope)
            case ast.Try() | ast.TryStar():
                return self.block([*statement.body, *statement.orelse, *statement.finalbody], scope)
            case ast.Raise():
                return _Flow("raised")
            case ast.Break() | ast.Continue():
                return _Flow("jumped")
        self._simple(statement, scope)
        return _Flow()

    def _simple(self, statement: ast.stmt, scope: Scope) -> None:
        match statement:
            case ast.Assign():
                value = self.evaluate(statement.value, scope)
                for target in statement.targets:
                    self.bind(target, value, scope)
            case ast.AnnAssign(value=ast.expr() as given):
                self.bind(statement.target, self.evaluate(given, scope), scope)
            case ast.AugAssign():
                before = self.value(statement.target, scope)
                value = self.combined(statement.op, before, self.value(statement.value, scope))
                self.bind(statement.target, value, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                scope.names[statement.name] = Closure(statement, scope)
            case ast.ClassDef():
                scope.names[statement.name] = self.graph.node("class")
            case ast.Import():
                for name in statement.names:
                    scope.names[name.asname or name.name.partition(".")[0]] = Reference(name.name)
            case ast.ImportFrom():
                for name in statement.names:
                    symbol = statement.module == "sympy.abc"
                    found = self.graph.node("symbol", identity=name.name) if symbol else Reference(name.name)
                    scope.names[name.asname or name.name] = found
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method) as call):
                if method.attr in MUTATING:
                    arguments = [self.plain(self.argument(argument, scope)) for argument in call.args]
                    self.change(method.value, f"{method.attr}!", arguments, scope)

    def _if(self, statement: ast.If, scope: Scope) -> _Flow:
        test = self.value(statement.test, scope)
        truth = self.graph.truth(test)
        if truth is not None:
            return self.block(statement.body if truth else statement.orelse, scope)
        scopes = scope.copy(), scope.copy()
        then, other = self.block(statement.body, scopes[0]), self.block(statement.orelse, scopes[1])
        against = self.graph.negation(test)
        if "jumped" in (then.ends, other.ends) and self._exits:
            self._exits[-1].add(test)
        guarded = [(self.graph.connected("and", (test, t)), v) for t, v in then.guarded]
        guarded += [(self.graph.connected("and", (against, t)), v) for t, v in other.guarded]
        match then.ends, other.ends:
            case "raised", _:
                scope.names = scopes[1].names
                return _Flow(other.ends, other.value, guarded)
            case _, "raised":
                scope.names = scopes[0].names
                return _Flow(then.ends, then.value, guarded)
            case "returned", "returned":
                return _Flow("returned", self.graph.choice(test, then.value, other.value), guarded)
            case "returned", _:
                scope.names = scopes[1].names
                return _Flow(other.ends, "", [*guarded, (test, then.value)])
            case _, "returned":
                scope.names = scopes[0].names
                return _Flow(then.ends, "", [*guarded, (against, other.value)])
        for name in dict.fromkeys((*scopes[0].names, *scopes[1].names)):
            scope.names[name] = self._either(test, scopes[0].names.get(name), scopes[1].names.get(name))
        both = then.ends == other.ends == "jumped"
        return _Flow("jumped" if both else "on", guarded=guarded)

    def _either(self, test: str, then: Value | None, other: Value | None) -> Value:
        if then == other and then is not None:
            return then
        unknown = self.graph.node("unknown")
        return self.graph.choice(
            test,
            unknown if then is None else self.plain(then),
            unknown if other is None else self.plain(other),
        )

    def _loop(self, statement: ast.For | ast.AsyncFor | ast.While, source: str, scope: Scope) -> _Flow:
        inner = scope.copy()
        names = set(bound_names(statement))
        before: dict[str, tuple[str, str]] = {}
        for name in names:
            start = scope.find(name)
            if start is None or isinstance(start, str):
                first = self.graph.node("unknown") if start is None else start
                before[name] = first, self.graph.node("carried", first)
                inner.names[name] = before[name][1]
        if isinstance(statement, ast.While):
            test = self.value(statement.test, inner)
            if self.graph.truth(test) is False:
                return self.block(statement.orelse, scope)
            source = test
        else:
            self.bind(statement.target, self.graph.node("element", source), inner)
        self._exits.append(set())
        flow = self.block(statement.body, inner)
        exits = sorted(self._exits.pop())
        for name, (first, carried) in before.items():
            after = inner.names.get(name)
            if isinstance(after, str) and after != carried:
                scope.names[name] = self.graph.node("loop", source, first, after, *exits)
        returns = list(flow.guarded)
        if flow.ends == "returned":
            returns.append((source, flow.value))
        guarded = [(self.graph.node("in loop", source, t), v) for t, v in returns]
        rest = self.block(statement.orelse, scope)
        return _Flow(rest.ends, rest.value, [*guarded, *rest.guarded])
