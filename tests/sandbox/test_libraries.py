"""Honest programs through the libraries: whatever these import or read late must be there already."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from scientific_math_critpt_env.sandbox import Limits, Program, Sandbox
from scientific_math_critpt_env.sandbox.codec import decode

CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "libraries.json").read_text())}
SCIPY = [int(part) for part in version("scipy").split(".")[:2]]
LIMITS = Limits(cpu_seconds=10, wall_seconds=100)


@pytest.mark.parametrize("name", list(CASES))
async def test_values_of_library_functions(sandbox: Sandbox, name: str) -> None:
    case = CASES[name]
    if (since := case.get("since", [])) > SCIPY:
        pytest.skip(f"needs SciPy {since[0]}.{since[1]}")
    code = "\n".join([*case["before"], f"def model_answer(): return {case['value']}"])
    outcome = await sandbox.run(Program(code=code), LIMITS)
    assert outcome.status == "ok", outcome
    values = decode(outcome.value)
    assert isinstance(values, list)
    assert _flat(values) == [_near(part) for part in _flat([case["expected"]])]


def _flat(values: list[object]) -> list[object]:
    parts: list[object] = []
    for value in values:
        parts += _flat(value) if isinstance(value, list) else [value]
    return parts


def _near(value: object) -> object:
    """Numbers are the libraries' own approximations, and differ a little from one version to another."""
    return value if isinstance(value, str | bool) else pytest.approx(value, rel=2e-5, abs=1e-6)
