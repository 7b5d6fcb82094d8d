"""Fail closed: where code cannot be confined, none is run, and one line says why and what to do."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from scientific_math_critpt_env.errors import ConfinementError
from scientific_math_critpt_env.sandbox import Program, Sandbox
from tests.sandbox.attacking import CHECKER

# A filter over the trainer and all it starts, in which some calls fail: what a strict container does.
OUTER = """
import errno, struct
from scientific_math_critpt_env.sandbox import kernel
from scientific_math_critpt_env.sandbox.seccomp import _ALLOW, _answer, _if_equal, _load, _refuse, _argument
prctl, seccomp = {"x86_64": (157, 317), "aarch64": (167, 277)}[__import__("platform").machine()]
def outer(refusal):
    load = [_load(0), _if_equal(seccomp, 0, 1), refusal, _if_equal(prctl, 0, 3), _load(_argument(0))]
    return kernel.Filter(b"".join([*load, _if_equal(22, 0, 1), refusal, _answer(_ALLOW)]))
"""
BODY = """
from scientific_math_critpt_env.errors import ConfinementError
from scientific_math_critpt_env.sandbox import Program, Sandbox
sandbox = Sandbox(checker="tests.sandbox.checks:check")
def attempt(what):
    try:
        print("RAN", what())
    except ConfinementError as error:
        print(f"{type(error).__name__}: {error}")
attempt(sandbox.start)
attempt(lambda: sandbox.run_sync(Program(code="def model_answer(): return 1")))
attempt(lambda: sandbox.check_sync(b"echo x"))
attempt(lambda: sandbox.run_sync(Program(code="import scipy\\ndef model_answer(): return 1")))
sandbox.close()
"""


def run(setup: str) -> list[str]:
    script = OUTER + textwrap.dedent(setup) + BODY
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ("outer(_refuse(errno.EPERM)).install()", "Operation not permitted"),
        ("outer(_refuse(errno.EINVAL)).install()", "Invalid argument"),
        ("outer(_refuse(0)).install()", "opening a file"),  # success that does nothing
    ],
    ids=["refused", "not built in", "silently ignored"],
)
def test_without_seccomp_nothing_runs(setup: str, why: str):
    lines = run(setup)
    assert len(lines) == 4
    for line in lines:
        assert line.startswith("ConfinementError: cannot run untrusted code on this machine: ")
        assert why in line
        assert "Docker" in line  # what to do


def test_outside_linux_nothing_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    sandbox = Sandbox(checker=CHECKER)
    for attempt in (
        sandbox.start,
        lambda: sandbox.run_sync(Program(code="")),
        lambda: sandbox.check_sync(b""),
    ):
        with pytest.raises(ConfinementError, match="needs Linux, not darwin"):
            attempt()
