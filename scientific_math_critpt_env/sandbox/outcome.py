"""What came of one piece of untrusted code: data, or the name of the limit it hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Untrusted source and how to call it."""

    code: str
    entry_point: str = "model_answer"
    calls: tuple[dict[str, str], ...] = ({},)
    """One dict of keyword arguments per call; argument values are trusted SymPy source ("Rational(1, 2)")."""
    builtins: Literal["restricted", "import-only"] = "restricted"
    """"restricted": the documented allow-list; "import-only": `__import__` alone, as critpt-v1 has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a run or of a check."""

    status: Literal["ok", "code_error", "invalid_answer", "timeout", "resource_limit"]
    value: bytes = b""
    """The encoded value tree (`sandbox.codec`) when ok: a list with one value per call."""
    reason: str = ""
    """One sentence, without anything the code printed or formatted itself."""
    limit: str = ""
    """The limit that was hit: cpu, wall, memory, output, nodes, depth, bits of a number, or code (length)."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
