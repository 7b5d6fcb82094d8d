"""The graph a value is written to and read from: nodes, their limits, and the errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.names import allowed

REFERENCES_PER_NODE = 8
"""For each node of the limit, so that two nodes cannot be a list of a million entries."""


class EncodeError(Exception):
    """The value may not leave. `kind` is none, type, lazy, name or text where it is no value, or the limit
    that it exceeds: nodes, depth, bits or output."""

    def __init__(self, kind: str, name: str = "") -> None:
        super().__init__(f"{kind} {name}".strip())
        self.kind = kind
        self.name = name
        """The type, or the name, that is refused."""

    @property
    def limit(self) -> str:
        return self.kind if self.kind in ("nodes", "depth", "bits", "output") else ""


class DecodeError(Exception):
    """The bytes are not a value: a forged or damaged encoding, or arguments SymPy does not accept."""


class Writer:
    """Nodes written so far, with two memories: by identity (shared objects) and by content (equal nodes)."""

    def __init__(self, table: dict[type, Any], limits: Limits) -> None:
        self.nodes: list[list[Any]] = []
        self._table = table
        self._limits = limits
        self._heights: list[int] = []
        self._seen: dict[int, int] = {}
        self._alive: list[object] = []
        self._written: dict[tuple[Any, ...], int] = {}
        self._digits = 0
        self._references = 0

    def add(self, value: object, depth: int) -> int:
        """Position of the node of `value`, written now if it was not yet."""
        known = self._seen.get(id(value))
        if known is not None:
            return known
        if depth > self._limits.depth:  # also what ends a list that contains itself
            refuse("depth")
        write = self._table.get(type(value)) or self._table[object]
        position = self._seen[id(value)] = write(self, value, depth + 1)
        self._alive.append(value)  # an id is only good while its object lives
        return position

    def node(self, tag: str, *fields: str | int, children: Iterable[int] = ()) -> int:
        """Write a node, or find the one that says the same; `children` are positions."""
        references = tuple(children)
        key = (tag, fields, references)
        known = self._written.get(key)
        if known is not None:
            return known
        height = 1 + max((self._heights[child] for child in references), default=0)
        if height > self._limits.depth:
            refuse("depth")
        self._references += len(references)
        if (
            len(self.nodes) >= self._limits.nodes
            or self._references > REFERENCES_PER_NODE * self._limits.nodes
        ):
            refuse("nodes")
        position = self._written[key] = len(self.nodes)
        self.nodes.append([tag, *fields, *references])
        self._heights.append(height)
        return position

    def tree(self, tag: str, values: Iterable[object], depth: int, *fields: str | int) -> int:
        """Write a node whose children are `values`."""
        return self.node(tag, *fields, children=[self.add(value, depth) for value in values])

    def integer(self, value: int) -> str:
        """Hexadecimal: decimal conversion is quadratic, and refused by Python beyond 4300 digits."""
        self.precision(value.bit_length())
        self.characters(value.bit_length() // 4)
        return format(value, "x")

    def precision(self, bits: int) -> None:
        if bits > self._limits.bits:
            refuse("bits")

    def characters(self, count: int) -> None:
        """Count towards the limit on output before it is all in memory."""
        self._digits += count
        if self._digits > self._limits.output_bytes:
            refuse("output")

    def size(self, count: int) -> None:
        """Refuse an array before its elements are made Python objects."""
        if count > self._limits.nodes:
            refuse("nodes")

    def name(self, name: object, *, function: bool = False) -> str:
        if not allowed(name, function=function):
            refuse("name", name if type(name) is str else "")
        assert isinstance(name, str)
        return name


class Reader:
    """Values built so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.values: list[Any] = []
        self.heights: list[int] = []
        self.references = 0
        self.lazy: list[bool] = []
        """Whether something in that value was left unevaluated on purpose."""

    def integer(self, text: object) -> int:
        if type(text) is not str or not 0 < len(text) <= self.limits.bits // 4 + 3 or _not_hex(text):
            malformed("an integer")
        return int(text, 16)

    def name(self, name: object, *, function: bool = False) -> str:
        if not allowed(name, function=function):
            malformed("a name")
        assert isinstance(name, str)
        return name

    def small(self, number: object, least: int, most: int) -> int:
        if type(number) is not int or not least <= number <= most:
            malformed("a number")
        return number


def refuse(kind: str, name: str = "") -> NoReturn:
    raise EncodeError(kind, name)


def malformed(what: str) -> NoReturn:
    raise DecodeError(f"malformed: {what}")


def _not_hex(text: str) -> bool:
    digits = text.removeprefix("-")
    return not digits or not set(digits) <= set("0123456789abcdef")
