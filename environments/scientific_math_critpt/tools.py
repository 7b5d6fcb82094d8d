"""The `python` tool as a verifiers toolset: `--env.taskset.tools python`.

One server process for each environment process, shared by its rollouts; it holds no problem and no gold. What
a rollout has run lies in its state, which verifiers fetches and stores around every call, so the server may
be restarted between two calls and nothing of one rollout reaches another.
"""

from __future__ import annotations

from dataclasses import asdict

import verifiers.v1 as vf
from pydantic import Field

from scientific_math_critpt_env.grading.grader import CHECKER
from scientific_math_critpt_env.sandbox import Sandbox
from scientific_math_critpt_env.tools.cells import CellLimits, History, run_cell

_DEFAULT = CellLimits()


class PythonToolConfig(vf.SharedToolsetConfig):
    """Limits of the `python` tool: `--env.taskset.tool.*`."""

    calls: int = Field(_DEFAULT.calls, ge=1)
    """Calls a rollout may make."""
    cpu_seconds: float = Field(_DEFAULT.cpu_seconds, gt=0)
    """CPU time of one call, beyond running the earlier cells again."""
    total_cpu_seconds: float = Field(_DEFAULT.total_cpu_seconds, gt=0)
    """CPU time of all calls of a rollout, earlier cells included."""
    memory_bytes: int = Field(_DEFAULT.memory_bytes, gt=0)
    """Address space of a call."""
    characters: int = Field(_DEFAULT.characters, ge=100)
    """Of what a call returns to the model."""
    workers: int | None = Field(None, ge=1)
    """Calls that run at a time; None is one per core. Each environment process has its own."""

    @property
    def limits(self) -> CellLimits:
        return CellLimits(**{name: getattr(self, name) for name in asdict(_DEFAULT)})


class CritptState(vf.State):
    """What a rollout keeps between the calls of its tool."""

    history: History = History()


class PythonToolset(vf.Toolset[PythonToolConfig, CritptState]):
    TOOL_PREFIX = None
    """The tool is `python`, without the server's name before it."""

    async def setup(self) -> None:
        """Start the sandbox, so that a machine which cannot confine code says so before a model is asked."""
        self.sandbox = Sandbox(checker=CHECKER, workers=self.config.workers)
        self.sandbox.start()
        self._exit_stack.callback(self.sandbox.close)

    @vf.tool
    async def python(self, code: str) -> str:
        """Run Python code and get back what it prints and the value of its last expression.

        Names defined in earlier calls are still there, as in a notebook. SymPy, NumPy, SciPy and mpmath can
        be imported; there are no files, no network and no other packages. A call that runs too long is
        stopped. Your final answer is not taken from here: state it in your reply.
        """
        text, self.state.history = await run_cell(self.sandbox, code, self.state.history, self.config.limits)
        return text


if __name__ == "__main__":
    PythonToolset.run()
