"""Two ways on, of which one is taken: what a block leaves, and how two blocks become one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scientific_math_critpt_env.novelty.functions import Functions
from scientific_math_critpt_env.novelty.scopes import Scope, Value


@dataclass(slots=True)
class Flow:
    """How a block ends."""

    ends: Literal["on", "returned", "raised", "jumped"] = "on"
    value: str = ""
    guarded: list[tuple[str, str]] = field(default_factory=list)
    """(test, value) of returns that happen only where the test holds, in order."""


class Branches(Functions):
    """The part of reading statements that joins branches."""

    def __init__(self, own_names: frozenset[str]) -> None:
        super().__init__(own_names)
        self.exits: list[set[str]] = []
        """For each loop under way the tests that end a turn of it early."""

    def result_of(self, flow: Flow) -> str:
        found = flow.value if flow.ends == "returned" else self.graph.constant(None)
        for test, value in reversed(flow.guarded):
            found = self.graph.choice(test, value, found)
        return found

    def guarded(self, flow: Flow, instead: list[tuple[Scope, Flow]], scope: Scope) -> Flow:
        """A block, and what may happen in its place."""
        ran = self.graph.node("ran")
        for other in instead:
            flow = self.joined(ran, (scope.copy(), flow), other, scope)
        return flow

    def joined(self, test: str, first: tuple[Scope, Flow], second: tuple[Scope, Flow], scope: Scope) -> Flow:
        """Two ways on, of which one is taken; `scope` gets the names that both leave."""
        scopes, (then, other) = (first[0], second[0]), (first[1], second[1])
        against = self.graph.negation(test)
        if "jumped" in (then.ends, other.ends) and self.exits:
            self.exits[-1].add(test)
        guarded = [(self.graph.connected("and", (test, t)), v) for t, v in then.guarded]
        guarded += [(self.graph.connected("and", (against, t)), v) for t, v in other.guarded]
        match then.ends, other.ends:
            case "raised", _:
                scope.names = scopes[1].names
                return Flow(other.ends, other.value, guarded)
            case _, "raised":
                scope.names = scopes[0].names
                return Flow(then.ends, then.value, guarded)
            case "returned", "returned":
                return Flow("returned", self.graph.choice(test, then.value, other.value), guarded)
            case "returned", _:
                scope.names = scopes[1].names
                return Flow(other.ends, "", [*guarded, (test, then.value)])
            case _, "returned":
                scope.names = scopes[0].names
                return Flow(then.ends, "", [*guarded, (against, other.value)])
        for name in dict.fromkeys((*scopes[0].names, *scopes[1].names)):
            scope.names[name] = self._either(test, scopes[0].names.get(name), scopes[1].names.get(name))
        both = then.ends == other.ends == "jumped"
        return Flow("jumped" if both else "on", guarded=guarded)

    def _either(self, test: str, then: Value | None, other: Value | None) -> Value:
        if then == other and then is not None:
            return then
        unknown = self.graph.node("unknown")
        return self.graph.choice(
            test,
            unknown if then is None else self.plain(then),
            unknown if other is None else self.plain(other),
        )
