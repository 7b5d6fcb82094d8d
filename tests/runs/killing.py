"""Processes to be killed: forked from a server of one thread; the test's own has the endpoint's too."""

from __future__ import annotations

import os
import signal
from multiprocessing import get_context
from pathlib import Path

from scientific_math_critpt_env.runs.backends import Backend, make_backend
from scientific_math_critpt_env.runs.generation import generate
from scientific_math_critpt_env.runs.planning import make_plan

CODES = {"completed": 0, "failed": 1, "stopped": 130}
"""By the status a run ended with: as the command's."""

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["__main__", __name__])


def go_on(config: Path) -> None:
    """Generate the run, or go on with it, and exit."""
    plan = make_plan(config, "run")
    os._exit(CODES[generate(plan, lambda: make_backend(plan.config), resume=True).status])


def go_on_with_a_library_that_takes_signals(config: Path) -> None:
    """The same, where making the backend sets a handler, as starting Ray does."""
    plan = make_plan(config, "run")

    def make() -> Backend:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        return make_backend(plan.config)

    os._exit(CODES[generate(plan, make).status])
