"""How much one piece of code may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one run of code, each enforced by killing or by refusing the value."""

    cpu_seconds: float = 2.0
    """CPU time first: a busy neighbour costs the wall clock, not the answer."""
    wall_seconds: float = 20.0
    """Backstop for code that sleeps; counted from the fork, not from the queue."""
    memory_bytes: int = 1 << 30
    """Address space on top of what the preloaded interpreter already maps."""
    output_bytes: int = 1 << 20
    nodes: int = 20_000
    """Nodes of the returned expression tree."""
    """Shared parts count once: a value is a graph, and this is its size."""
    depth: int = 100
    """Levels of that tree; what recurses over it must not run out of stack."""
    bits: int = 1 << 17
    """Size of one integer and precision of one float; 39,000 decimal digits."""
