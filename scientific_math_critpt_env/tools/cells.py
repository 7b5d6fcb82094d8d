"""A Python tool with the memory of a notebook: cells of one rollout, each run confined.

A process that has run code is never used again, so there is nothing to keep between two calls: a call runs
the earlier cells anew and then its own. Randomness is the same each time (`random` and NumPy's `np.random.*`
are seeded; an unseeded `np.random.default_rng()` is not). Replaying costs CPU, which counts for the rollout.

    text, history = await run_cell(sandbox, "x = 2\nx + 1", History())
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.sandbox import Limits, Outcome, Program, Sandbox
from scientific_math_critpt_env.sandbox.codec import decode

REPLAY_SLACK = 1.5
"""A replay may take this times what it took before: CPU time depends on the neighbours' use of the caches."""
REPLAY_SECONDS = 0.3
"""And this much more, which is what a short replay varies by."""
LEAST_SECONDS = 0.05
"""CPU time that a call must have left to be worth a process."""
WALL_RATIO = 10.0
"""Wall to CPU time, as of the sandbox's own limits."""

_SEEDS = "import numpy\nnumpy.random.seed(0)\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellLimits:
    """What a rollout may use."""

    calls: int = 20
    """Calls in a rollout. Each runs all earlier cells anew, so their cost grows with the square of this."""
    cpu_seconds: float = 10.0
    """CPU time of one cell, replays apart: more than an answer's 2 s, since the work is done here."""
    total_cpu_seconds: float = 100.0
    """CPU time of a rollout's calls, replays included."""
    memory_bytes: int = Limits().memory_bytes
    """Address space of a call."""
    characters: int = 4000
    """Of what a call returns; about 1,500 tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The calls of one rollout so far."""

    cells: tuple[str, ...] = ()
    """Those that ran to their end, exceptions included."""
    calls: int = 0
    spent_seconds: float = 0.0
    """CPU time of all calls."""
    replay_seconds: float = 0.0
    """CPU time that running `cells` took, the last time."""


async def run_cell(
    sandbox: Sandbox, source: str, history: History, limits: CellLimits | None = None
) -> tuple[str, History]:
    """What the model is told of running `source` after the cells of `history`, and the history with it.

    The text holds what was printed and the value of the last expression, or the exception. A cell that was
    stopped at a limit leaves no trace in the history but its cost. Raises `InfrastructureError` where the
    sandbox failed.
    """
    limits = limits or CellLimits()
    left = min(limits.cpu_seconds, limits.total_cpu_seconds - history.spent_seconds)
    if history.calls >= limits.calls:
        return f"All {limits.calls} calls of this tool are used up. Give your answer now.", history
    if left < LEAST_SECONDS:
        return "The CPU time for this tool is used up. Give your answer now.", history
    cells = (*history.cells, source)
    outcome = await sandbox.run(_program(cells), _limits(history, limits, left))
    history = replace(
        history, calls=history.calls + 1, spent_seconds=history.spent_seconds + outcome.cpu_seconds
    )
    if outcome.status != "ok":
        said = f"Error: {_reason(outcome, left)}. The cell was stopped, and what it did is undone."
        return said, history
    return (
        shortened(_said(outcome.value), limits.characters),
        replace(history, cells=cells, replay_seconds=outcome.cpu_seconds),
    )


def shortened(text: str, characters: int) -> str:
    """`text`, or its beginning and end with a note of what is left out between them."""
    if len(text) <= characters:
        return text
    head, tail = characters * 3 // 4, characters // 4
    return f"{text[:head]}\n[... {len(text) - head - tail} characters left out ...]\n{text[-tail:]}"


def _program(cells: tuple[str, ...]) -> Program:
    code = f"{_driver()}\n{_SEEDS}CELLS = {list(cells)!r}\n"
    return Program(code=code, entry_point="run_cells", builtins="import-only")


@cache
def _driver() -> str:
    return (Path(__file__).parent / "driver.py").read_text(encoding="utf-8")


def _limits(history: History, limits: CellLimits, left: float) -> Limits:
    seconds = left + (history.replay_seconds * REPLAY_SLACK + REPLAY_SECONDS if history.cells else 0.0)
    return Limits(cpu_seconds=seconds, wall_seconds=seconds * WALL_RATIO, memory_bytes=limits.memory_bytes)


def _reason(outcome: Outcome, left: float) -> str:
    if outcome.limit == "cpu":  # the sandbox's own sentence counts the replay as well
        return f"the cell used more than {left:.3g} s of CPU time"
    return outcome.reason.rstrip(".")


def _said(value: bytes) -> str:
    """The text of a result; whatever a hostile cell put in its place is still only text."""
    values: Any = decode(value)
    result = values[0]
    printed, worth, error = (
        _sayable(str(result.get(name, ""))) if isinstance(result, dict) else ""
        for name in ("printed", "value", "error")
    )
    parts = [printed.rstrip("\n"), worth, f"Error: {error}" if error else ""]
    return "\n".join(part for part in parts if part) or "(no output)"


def _sayable(text: str) -> str:
    """With control characters and lone surrogates escaped, which no JSON or terminal should get."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
