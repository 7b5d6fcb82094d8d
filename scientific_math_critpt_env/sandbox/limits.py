"""How much one piece of code may use."""

from __future__ import annotations

from dataclasses import dataclass

_LEAST, _MOST = 1e-3, 1e15
"""A timer of 0 s would be no timer; beyond the upper end the kernel's interfaces overflow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one run of code, each enforced by killing or by refusing the value."""

    cpu_seconds: float = 2.0
    """CPU time first: a busy neighbour costs the wall clock, not the answer."""
    wall_seconds: float = 20.0
    """Backstop for a machine that is too busy; counted from the fork, not from the queue."""
    memory_bytes: int = 1 << 30
    """Address space on top of what the preloaded interpreter already maps."""
    output_bytes: int = 1 << 20
    """Size of the encoded values."""
    nodes: int = 20_000
    """Nodes of the returned values; parts that are shared, or equal, count once. References: 8 times that."""
    depth: int = 100
    """Levels of that tree; what recurses over it must not run out of stack."""
    bits: int = 1 << 17
    """Size of one integer and precision of one float; 39,000 decimal digits."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not _LEAST <= getattr(self, name) <= _MOST:
                raise ValueError(f"{name} must be between {_LEAST:g} and {_MOST:g}")
