"""The program's own functions: what they return for given arguments, or for any."""

from __future__ import annotations

import ast

from scientific_math_critpt_env.novelty.expressions import Expressions
from scientific_math_critpt_env.novelty.graph import Unmeasured
from scientific_math_critpt_env.novelty.scopes import Closure, Scope, Value

MOST_CALLS = 12
"""Own functions called inside each other."""


class Functions(Expressions):
    """Reads calls of own functions; what their bodies return is left to `returned_by`."""

    def __init__(self, own_names: frozenset[str]) -> None:
        super().__init__(own_names)
        self.calling: list[ast.AST] = []
        self._made: dict[ast.AST, Closure] = {}
        self._called: set[ast.AST] = set()

    def returned_by(self, statements: list[ast.stmt], scope: Scope) -> str:
        raise NotImplementedError

    def closure(
        self, definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope
    ) -> Closure:
        """The function of a definition."""
        self._made[definition] = Closure(definition, scope)
        return self._made[definition]

    def invoke(self, closure: Closure, arguments: list[Value], named: dict[str, Value]) -> str:
        """What a call returns. Raises `Unmeasured` where calls are nested too deep."""
        definition = closure.definition
        if definition in self.calling:
            return self.graph.node("recursion", *(self.plain(value) for value in arguments))
        if len(self.calling) >= MOST_CALLS:
            raise Unmeasured(f"it calls more than {MOST_CALLS} functions inside each other")
        self._called.add(definition)
        self.calling.append(definition)
        try:
            scope = Scope(self._bound(closure, arguments, named), closure.scope)
            if isinstance(definition, ast.Lambda):
                return self.value(definition.body, scope)
            return self.returned_by(definition.body, scope)
        finally:
            self.calling.pop()

    def body_of(self, closure: Closure) -> str:
        """What a function returns for parameters that are known by their places alone."""
        given = closure.definition.args
        level = len(self.calling)
        parameters: dict[str, Value] = {
            parameter.arg: self.graph.node("parameter", identity=f"{level} {place}")
            for place, parameter in enumerate((*given.posonlyargs, *given.args, *given.kwonlyargs))
        }
        return self.invoke(closure, [], parameters)

    def as_function(self, closure: Closure) -> str:
        return self.graph.node("function", self.body_of(closure))

    def read_the_rest(self) -> None:
        """Read the functions that were made and never called, as far as anybody could see."""
        while left := [made for definition, made in self._made.items() if definition not in self._called]:
            for made in left:
                self.body_of(made)

    def _bound(self, closure: Closure, arguments: list[Value], named: dict[str, Value]) -> dict[str, Value]:
        """The parameters' values: given ones first, then defaults."""
        given = closure.definition.args
        parameters = [*given.posonlyargs, *given.args]
        defaults: dict[str, ast.expr] = dict(
            zip([p.arg for p in parameters][::-1], given.defaults[::-1], strict=False)
        )
        defaults |= {p.arg: d for p, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d}
        # All defaults are read: whether one is used may hang on a call that is not seen.
        bound = {name: self.evaluate(default, closure.scope) for name, default in defaults.items()}
        bound |= dict(zip([p.arg for p in parameters], arguments, strict=False))
        bound |= named
        if given.vararg is not None:
            rest = [self.plain(value) for value in arguments[len(parameters) :]]
            bound[given.vararg.arg] = self.graph.node("tuple", *rest)
        return bound
