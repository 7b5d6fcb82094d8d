"""Statements of a program: what its entry point returns, as one node of a graph.

Read once from top to bottom, without running anything: each name stands for the node of its value, so code
whose value never reaches the result is not in it, and neither are names, comments and the order of lines
that do not depend on each other. A loop is read once, its variables standing for what they were and what
becomes of them. Not followed to the result: classes, `match`, `yield`, decorators, values that change by way
of a second name. They are read all the same, as is code that cannot be reached: what is in the graph and not
below the result is what a program mentions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from scientific_math_critpt_env.novelty.branches import Branches, Flow
from scientific_math_critpt_env.novelty.calls import MUTATING
from scientific_math_critpt_env.novelty.functions import MOST_CALLS
from scientific_math_critpt_env.novelty.graph import Graph, Unmeasured
from scientific_math_critpt_env.novelty.scopes import Closure, Reference, Scope, Value, bound_names

MOST_BLOCKS = 25
"""Statements inside each other."""


def returned(module: ast.Module, entry_point: str) -> tuple[Graph, str]:
    """The graph of the program and the node of what `entry_point` returns. Raises `Unmeasured`."""
    reader = _Statements(frozenset(bound_names(module)))
    scope = Scope({})
    reader.block(module.body, scope)
    entry = scope.find(entry_point)
    if not isinstance(entry, Closure):
        raise Unmeasured(f"it has no function {entry_point}")
    result = reader.body_of(entry)
    reader.read_the_rest()
    return reader.graph, result


class _Statements(Branches):
    def __init__(self, own_names: frozenset[str]) -> None:
        super().__init__(own_names)
        self._blocks = 0

    def returned_by(self, statements: list[ast.stmt], scope: Scope) -> str:
        return self.result_of(self.block(statements, scope))

    def block(self, statements: Iterable[ast.stmt], scope: Scope) -> Flow:
        self._blocks += 1
        if self._blocks > MOST_BLOCKS + MOST_CALLS:
            raise Unmeasured(f"its statements are nested more than {MOST_BLOCKS} deep")
        try:
            guarded: list[tuple[str, str]] = []
            for statement in statements:
                flow = self._statement(statement, scope)
                guarded += flow.guarded
                if flow.ends != "on":
                    return Flow(flow.ends, flow.value, guarded)
            return Flow(guarded=guarded)
        finally:
            self._blocks -= 1

    def _statement(self, statement: ast.stmt, scope: Scope) -> Flow:
        match statement:
            case ast.Return():
                value = self.value(statement.value, scope) if statement.value else self.graph.constant(None)
                return Flow("returned", value)
            case ast.If():
                return self._if(statement, scope)
            case ast.For() | ast.AsyncFor():
                source = self.value(statement.iter, scope)
                if self.graph.truth(source) is False:
                    self._loop(statement, source, scope.copy())
                    return self.block(statement.orelse, scope)
                return self._loop(statement, source, scope)
            case ast.While():
                return self._loop(statement, "", scope)
            case ast.With() | ast.AsyncWith():
                before = scope.copy()
                for item in statement.items:
                    value = self.value(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, value, scope)
                # It may end early and swallow why.
                return self.guarded(self.block(statement.body, scope), [(before, Flow())], scope)
            case ast.Try() | ast.TryStar():
                return self._try(statement, scope)
            case ast.Raise():
                return Flow("raised")
            case ast.Break() | ast.Continue():
                return Flow("jumped")
        self._simple(statement, scope)
        return Flow()

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
                scope.names[statement.name] = self._defined(statement, scope)
            case ast.ClassDef():
                self.block(statement.body, Scope({}, scope))
                scope.names[statement.name] = self.graph.node("class")
            case ast.Match():
                self.value(statement.subject, scope)
                for case in statement.cases:
                    self.block(case.body, scope.copy())
            case ast.Import():
                for name in statement.names:
                    scope.names[name.asname or name.name.partition(".")[0]] = Reference(name.name)
            case ast.ImportFrom():
                for name in statement.names:
                    symbol = statement.module == "sympy.abc"
                    found = self.graph.node("symbol", identity=name.name) if symbol else Reference(name.name)
                    scope.names[name.asname or name.name] = found
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method) as call):
                arguments = [self.plain(self.argument(argument, scope)) for argument in call.args]
                if method.attr in MUTATING:
                    self.change(method.value, f"{method.attr}!", arguments, scope)
                else:
                    self.evaluate(call, scope)
            case ast.Expr(value=expression):
                self.evaluate(expression, scope)

    def _defined(self, statement: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Value:
        made = self.closure(statement, scope)
        for decorator in statement.decorator_list:
            found = self.evaluate(decorator, scope)
            if isinstance(found, Closure):
                # What it makes of the function is not followed; that it is called is seen.
                self.invoke(found, [made], {})
        return made

    def _if(self, statement: ast.If, scope: Scope) -> Flow:
        test = self.value(statement.test, scope)
        truth = self.graph.truth(test)
        if truth is not None:
            self.block(statement.orelse if truth else statement.body, scope.copy())
            return self.block(statement.body if truth else statement.orelse, scope)
        scopes = scope.copy(), scope.copy()
        then, other = self.block(statement.body, scopes[0]), self.block(statement.orelse, scopes[1])
        return self.joined(test, (scopes[0], then), (scopes[1], other), scope)

    def _try(self, statement: ast.Try | ast.TryStar, scope: Scope) -> Flow:
        before = scope.copy()
        flow = self.block([*statement.body, *statement.orelse], scope)
        caught = []
        for handler in statement.handlers:
            inner = before.copy()
            caught.append((inner, self.block(handler.body, inner)))
        flow = self.guarded(flow, caught, scope)
        last = self.block(statement.finalbody, scope)
        return last if last.ends != "on" else flow

    def _loop(self, statement: ast.For | ast.AsyncFor | ast.While, source: str, scope: Scope) -> Flow:
        inner = scope.copy()
        names = set(bound_names(statement))
        before: dict[str, tuple[str, str]] = {}
        for name in names:
            start = scope.find(name)
            if start is None or isinstance(start, str):
                first = self.graph.node("unknown") if start is None else start
                before[name] = first, self.graph.node("carried", first)
                inner.names[name] = before[name][1]
        idle = False
        if isinstance(statement, ast.While):
            source = self.value(statement.test, inner)
            idle = self.graph.truth(source) is False
        else:
            self.bind(statement.target, self.graph.node("element", source), inner)
        self.exits.append(set())
        flow = self.block(statement.body, inner)
        exits = sorted(self.exits.pop())
        if idle:
            return self.block(statement.orelse, scope)
        for name, (first, carried) in before.items():
            after = inner.names.get(name)
            if isinstance(after, str) and after != carried:
                scope.names[name] = self.graph.node("loop", source, first, after, *exits)
        returns = list(flow.guarded)
        if flow.ends == "returned":
            returns.append((source, flow.value))
        guarded = [(self.graph.node("in loop", source, t), v) for t, v in returns]
        rest = self.block(statement.orelse, scope)
        return Flow(rest.ends, rest.value, [*guarded, *rest.guarded])
