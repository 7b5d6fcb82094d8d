"""Random draws that are the same on every machine and under every Python.

Python promises only the stream of `random.Random.random()` and bits to stay as they are; what `choice` or
`sample` make of it may change. So everything is made here from bits, and the seed is a SHA-256 of a text,
never `hash()`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Draws that follow from `key` alone, in the order in which they are asked for."""

    def __init__(self, key: str) -> None:
        self._bits = random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest(), "big")).getrandbits

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included, all equally likely."""
        width = (high - low).bit_length()
        while True:
            number = low + (self._bits(width) if width else 0)
            if number <= high:
                return number

    def nonzero(self, low: int, high: int) -> int:
        """As `integer`, but never 0."""
        while True:
            if number := self.integer(low, high):
                return number

    def fraction(self, bound: int, denominators: int) -> Fraction:
        """A fraction other than 0, its numerator in -bound..bound, its denominator in 1..denominators."""
        return Fraction(self.nonzero(-bound, bound), self.integer(1, denominators))

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.integer(0, len(items) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a drawn order."""
        left = list(items)
        return [left.pop(self.integer(0, len(left) - 1)) for _ in range(len(items))]

    def distinct(self, low: int, high: int, count: int, *, zero: bool = True) -> list[int]:
        """`count` different whole numbers from `low` to `high`, in a drawn order; without 0 if not `zero`."""
        return self.shuffled([number for number in range(low, high + 1) if zero or number])[:count]

    def integers(self, low: int, high: int, count: int) -> tuple[int, ...]:
        """`count` independent whole numbers."""
        return tuple(self.integer(low, high) for _ in range(count))
