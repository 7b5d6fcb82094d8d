"""Values as a graph in which equal values are one node, whatever they were called and wherever they stood.

A node is known by a digest of its label and its operands. The rules of arithmetic that change nothing about
an approach are applied when a node is made: order of sums, x - x, 0*x, 1*x, double negation, constants.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import blake2b

MOST_WORK = 20_000
"""Nodes and operands that one program may make, shared ones counted each time: about 60 ms. Real answers
need a few hundred."""

MOST_OPERANDS = 64
"""Operands up to which nested sums become one sum; unbounded, s = s + x repeated would cost its square."""

FOLDED = 10**6
"""Numbers up to this size are added, multiplied and compared here; larger ones are just numbers."""

Constant = int | float | str | None

NUMBER, TEXT, NONE = "number", "text", "none"

_OPERATIONS: dict[str, Callable[[float, float], float]] = {"+": operator.add, "*": operator.mul}
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}


class Unmeasured(Exception):
    """A program that cannot be measured; its text is the reason."""


class Graph:
    """Nodes by digest. Raises `Unmeasured` once more than `MOST_WORK` was asked for."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.operands: dict[str, tuple[str, ...]] = {}
        self._constants: dict[str, Constant] = {}
        self._left = MOST_WORK

    def node(self, label: str, *operands: str, identity: str = "") -> str:
        """The node with this label and these operands; `identity` keeps apart leaves with one label."""
        self._left -= 1 + len(operands)
        if self._left < 0:
            raise Unmeasured(f"it takes more than {MOST_WORK} steps to read")
        digest = blake2b("\0".join((label, identity, *operands)).encode(), digest_size=10).hexdigest()
        self.labels[digest] = label
        self.operands[digest] = operands
        return digest

    def constant(self, value: object) -> str:
        """A literal; of numbers, the kind alone tells approaches apart."""
        if isinstance(value, complex):
            return self.node(NUMBER, identity=repr(value))
        known = value if value is None or isinstance(value, (int, float, str)) else str(type(value))
        label = NONE if known is None else TEXT if isinstance(known, str) else NUMBER
        if label == NUMBER and not _small(known):
            return self.node(NUMBER, identity=f"large {hash(known)}")
        found = self.node(label, identity=repr(known) if label != NUMBER else repr(float(known)))  # type: ignore[arg-type]
        self._constants[found] = known
        return found

    def number(self) -> str:
        """Some number that is not worked out."""
        return self.node(NUMBER, identity="any")

    def is_number(self, node: str) -> bool:
        return self.labels[node] == NUMBER

    def text(self, node: str) -> str | None:
        """The text of a literal string."""
        value = self._constants.get(node)
        return value if isinstance(value, str) else None

    def item(self, whole: str, place: str) -> str:
        """A member: of a literal tuple or list at a literal place the member itself."""
        at = self._constants.get(place)
        members = self.operands[whole]
        if self.labels[whole] in ("tuple", "list") and type(at) is int and -len(members) <= at < len(members):
            return members[at]
        return self.node("item", whole, place)

    def truth(self, node: str) -> bool | None:
        """Whether a test holds, where that is plain from the source."""
        if node in self._constants:
            return bool(self._constants[node])
        label, operands = self.labels[node], self.operands[node]
        if label in ("list", "tuple", "dict", "set") and not operands:
            return False
        if label == "range" and len(operands) == 1:
            end = self._value(operands[0])
            return end > 0 if end is not None else None
        return None

    # ---- arithmetic ----

    def add(self, terms: Iterable[str]) -> str:
        parts = self._flat("+", terms)
        for part in [p for p in parts if self.labels[p] == "neg"]:
            opposite = self.operands[part][0]
            if part in parts and opposite in parts:
                parts.remove(part)
                parts.remove(opposite)
        like = Counter(self._without_number(part) for part in parts if not self.is_number(part))
        single = [part for part in parts if like[self._without_number(part)] <= 1]
        joined = [self.multiply((self.number(), base)) for base, count in like.items() if count > 1]
        return self._commutative("+", [*single, *joined], 0)

    def multiply(self, factors: Iterable[str]) -> str:
        parts = self._flat("*", factors)
        if any(self._value(part) == 0 for part in parts):
            return self.constant(0)
        for part in [p for p in parts if self.labels[p] == "**"]:
            base, exponent = self.operands[part]
            if self._value(exponent) == -1 and part in parts and base in parts:
                parts.remove(part)
                parts.remove(base)
        numbers = [part for part in parts if self.is_number(part)]
        counts = Counter(part for part in parts if not self.is_number(part))
        powers = [part if n == 1 else self.power(part, self.constant(n)) for part, n in counts.items()]
        return self._commutative("*", [*numbers, *powers], 1)

    def negate(self, node: str) -> str:
        if self.labels[node] == "neg":
            return self.operands[node][0]
        if self.is_number(node):
            value = self._value(node)
            return self.number() if value is None else self.constant(-value)
        return self.node("neg", node)

    def power(self, base: str, exponent: str) -> str:
        value = self._value(exponent)
        if value == 1:
            return base
        if value == 0:
            return self.constant(1)
        if self.is_number(base) and self.is_number(exponent):
            return base if self._value(base) == 1 else self.number()
        return self.node("**", base, exponent)

    # ---- logic ----

    def compare(self, sign: str, left: str, right: str) -> str:
        """A comparison; > and >= turned round, != as not ==."""
        if sign in (">", ">="):
            sign, left, right = sign.replace(">", "<"), right, left
        if sign == "!=":
            return self.negation(self.compare("==", left, right))
        values = self._value(left), self._value(right)
        if sign in _COMPARISONS and values[0] is not None and values[1] is not None:
            return self.constant(_COMPARISONS[sign](values[0], values[1]))
        if sign == "==":
            left, right = sorted((left, right))
        return self.node(sign, left, right)

    def negation(self, node: str) -> str:
        truth = self.truth(node)
        if truth is not None:
            return self.constant(not truth)
        label, operands = self.labels[node], self.operands[node]
        if label == "not":
            return operands[0]
        if label in ("<", "<="):
            return self.node("<=" if label == "<" else "<", operands[1], operands[0])
        return self.node("not", node)

    def connected(self, label: str, parts: Iterable[str]) -> str:
        """A conjunction ("and") or disjunction ("or")."""
        kept = []
        for part in dict.fromkeys(self._flat(label, parts)):
            truth = self.truth(part)
            if truth is None:
                kept.append(part)
            elif truth == (label == "or"):
                return self.constant(truth)
        if not kept:
            return self.constant(label == "and")
        return kept[0] if len(kept) == 1 else self.node(label, *sorted(kept))

    def choice(self, test: str, then: str, otherwise: str) -> str:
        truth = self.truth(test)
        if truth is not None:
            return then if truth else otherwise
        if then == otherwise:
            return then
        if self.labels[test] == "not":
            test, then, otherwise = self.operands[test][0], otherwise, then
        elif self.labels[test] == "<=":
            test, then, otherwise = self.negation(test), otherwise, then
        return self.node("choice", test, then, otherwise)

    # ---- inside ----

    def _value(self, node: str) -> float | None:
        value = self._constants.get(node)
        return value if isinstance(value, (int, float)) else None

    def _flat(self, label: str, parts: Iterable[str]) -> list[str]:
        flat: list[str] = []
        for part in parts:
            inner = self.operands[part] if self.labels[part] == label else ()
            flat += inner if inner and len(flat) + len(inner) <= MOST_OPERANDS else (part,)
        return flat

    def _without_number(self, term: str) -> str:
        """What a term of a sum is a multiple of."""
        if self.labels[term] != "*":
            return term
        factors = [factor for factor in self.operands[term] if not self.is_number(factor)]
        return self.node("*", *factors) if len(factors) > 1 else factors[0]

    def _commutative(self, label: str, parts: list[str], neutral: int) -> str:
        """All numbers as one."""
        numbers = [part for part in parts if self.is_number(part)]
        others = list(dict.fromkeys(part for part in parts if not self.is_number(part)))
        folded: float | None = neutral
        for part in numbers:
            value = self._value(part)
            folded = None if folded is None or value is None else _OPERATIONS[label](folded, value)
        if not others:
            return self.number() if folded is None else self.constant(folded)
        if folded == 0 and label == "*":
            return self.constant(0)
        if folded != neutral:
            others.append(self.number() if folded is None else self.constant(folded))
        return others[0] if len(others) == 1 else self.node(label, *sorted(others))


def _small(value: object) -> bool:
    return isinstance(value, (int, float)) and -FOLDED <= value <= FOLDED
