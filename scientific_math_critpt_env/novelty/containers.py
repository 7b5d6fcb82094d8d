"""Tuples, lists, dictionaries, comprehensions, and the left sides of assignments."""

from __future__ import annotations

import ast

from scientific_math_critpt_env.novelty.graph import Graph, Unmeasured
from scientific_math_critpt_env.novelty.scopes import Reference, Scope, Value


class Containers:
    """The part of reading expressions that puts values into others and takes them out."""

    graph: Graph

    def value(self, expression: ast.expr, scope: Scope) -> str:
        raise NotImplementedError

    def evaluate(self, expression: ast.expr, scope: Scope) -> Value:
        raise NotImplementedError

    def plain(self, value: Value) -> str:
        raise NotImplementedError

    def argument(self, argument: ast.expr, scope: Scope) -> Value:
        if isinstance(argument, ast.Starred):
            return self.graph.node("*values", self.value(argument.value, scope))
        return self.evaluate(argument, scope)

    def sequence(self, expression: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Value:
        members = [self.plain(self.argument(member, scope)) for member in expression.elts]
        if isinstance(expression, ast.Set):
            members = sorted(set(members))
        return self.graph.node(type(expression).__name__.lower(), *members)

    def dictionary(self, expression: ast.Dict, scope: Scope) -> Value:
        pairs = []
        for key, member in zip(expression.keys, expression.values, strict=True):
            known = [self.value(key, scope)] if key is not None else []
            pairs.append(self.graph.node("pair", *known, self.value(member, scope)))
        return self.graph.node("dict", *sorted(pairs))

    def subscript(self, expression: ast.Subscript, scope: Scope) -> Value:
        whole, place = self.value(expression.value, scope), self.value(expression.slice, scope)
        return self.graph.item(whole, place)

    def comprehension(
        self, expression: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
    ) -> Value:
        inner = Scope({}, scope)
        sources, tests = [], []
        for generator in expression.generators:
            source = self.value(generator.iter, inner)
            sources.append(source)
            self.bind(generator.target, self.graph.node("element", source), inner)
            tests += [self.value(test, inner) for test in generator.ifs]
        if isinstance(expression, ast.DictComp):
            member = self.graph.node(
                "pair", self.value(expression.key, inner), self.value(expression.value, inner)
            )
        else:
            member = self.value(expression.elt, inner)
        if tests:
            member = self.graph.choice(self.graph.connected("and", tests), member, self.graph.constant(None))
        return self.graph.node("each", member, *sources)

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Give the names of an assignment's left side their values."""
        match target:
            case ast.Name():
                scope.names[target.id] = value
            case ast.Starred():
                self.bind(target.value, self.graph.node("*values", self.plain(value)), scope)
            case ast.Tuple() | ast.List():
                self._unpack(target.elts, self.plain(value), scope)
            case ast.Subscript() | ast.Attribute():
                self.store(target, value, scope)

    def _unpack(self, targets: list[ast.expr], value: str, scope: Scope) -> None:
        members = self.graph.operands[value] if self.graph.labels[value] in ("tuple", "list") else ()
        plainly = len(members) == len(targets) and not any(isinstance(t, ast.Starred) for t in targets)
        for place, target in enumerate(targets):
            member = members[place] if plainly else self.graph.node("item", value, self.graph.constant(place))
            self.bind(target, member, scope)

    def store(self, target: ast.Subscript | ast.Attribute, value: Value, scope: Scope) -> None:
        """`a[i] = v` and `a.b = v` make another value of `a`. Raises `Unmeasured` where `a` is a module."""
        if isinstance(target, ast.Attribute) and isinstance(self.evaluate(target.value, scope), Reference):
            raise Unmeasured("it changes what a library's name means")
        within = [self.value(target.slice, scope)] if isinstance(target, ast.Subscript) else []
        self.change(target.value, "store", [*within, self.plain(value)], scope)

    def change(self, base: ast.expr, label: str, operands: list[str], scope: Scope) -> None:
        """Let the name at the root of `base` stand for what became of its value."""
        before = self.value(base, scope)
        while isinstance(base, (ast.Subscript, ast.Attribute)):
            base = base.value
        if isinstance(base, ast.Name):
            whole = self.value(base, scope)
            inside = () if whole == before else (before,)
            changed = self.graph.node(label, whole, *inside, *operands)
            holder: Scope | None = scope
            while holder is not None and base.id not in holder.names:
                holder = holder.outer
            (holder or scope).names[base.id] = changed
