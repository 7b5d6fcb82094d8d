"""What an honest program may use, and what it is told when it fails."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sympy import Symbol, oo, symbols

from scientific_math_critpt_env.sandbox import Limits, Outcome, Program, Sandbox
from scientific_math_critpt_env.sandbox.codec import decode
from scientific_math_critpt_env.sandbox.namespace import BUILTINS, IMPORTABLE

NAMES: dict[str, Any] = {}
exec("from sympy import *\nfrom sympy.abc import x\nfrom sympy.physics import quantum", NAMES)


async def run(sandbox: Sandbox, code: str, limits: Limits | None = None, **fields: Any) -> Outcome:
    return await sandbox.run(Program(code=code, **fields), limits or Limits())


async def value(sandbox: Sandbox, code: str, **fields: Any) -> object:
    outcome = await run(sandbox, code, **fields)
    assert outcome.status == "ok", outcome
    values = decode(outcome.value)
    assert isinstance(values, list)
    return values[0]


TABLE = json.loads((Path(__file__).parent / "programs.json").read_text())
ORDINARY = {case["id"]: case for case in TABLE["ordinary"]}
FAILURES = {case["id"]: case for case in TABLE["failures"]}


@pytest.mark.parametrize("name", list(ORDINARY))
async def test_ordinary_code_works(sandbox: Sandbox, name: str):
    case = ORDINARY[name]
    assert await value(sandbox, "\n".join(case["code"])) == eval(case["expected"], NAMES)


async def test_random_is_the_same_every_time(sandbox: Sandbox):
    code = "import random, numpy\ndef model_answer(): return [random.random(), float(numpy.random.rand())]"
    assert await value(sandbox, code) == await value(sandbox, code)


async def test_arguments_come_from_their_sources(sandbox: Sandbox):
    code = "import sympy as sp\ndef answer(a, n): return sp.diff(a**2, a) * n"
    calls = ({"a": "Symbol('a', positive=True)", "n": "Rational(1, 2)"}, {"a": "symbols('b')", "n": "oo"})
    outcome = await run(sandbox, code, entry_point="answer", calls=calls)
    a, b = Symbol("a", positive=True), symbols("b")
    assert decode(outcome.value) == [a, oo * b]


@pytest.mark.parametrize(
    "source", ["Symbol('a'", "nothing_of_that_name", "1/0", "__import__('os')", "open('x')"]
)
async def test_arguments_that_do_not_evaluate_are_the_callers_fault(sandbox: Sandbox, source: str):
    with pytest.raises(ValueError, match="do not evaluate"):
        await run(sandbox, "def model_answer(a): return a", calls=({"a": source},))


@pytest.mark.parametrize("name", list(FAILURES))
async def test_failures_say_what_and_where(sandbox: Sandbox, name: str):
    case = FAILURES[name]
    outcome = await run(sandbox, "\n".join(case["code"]))
    assert (outcome.status, outcome.limit, outcome.value) == (case["status"], "", b"")
    assert case["reason"] in outcome.reason


async def test_nesting_that_exhausts_the_parser(sandbox: Sandbox):
    outcome = await run(sandbox, "def model_answer():\n    return " + "(" * 10_000 + ")" * 10_000)
    assert outcome.status == "code_error"
    assert "does not compile" in outcome.reason


async def test_critpt_v1_has_import_alone(sandbox: Sandbox):
    assert await value(sandbox, "import os\ndef model_answer(): return os.sep", builtins="import-only") == "/"
    outcome = await run(sandbox, "def model_answer(): return abs(1)", builtins="import-only")
    assert "name abs is neither" in outcome.reason


async def test_limits_are_named(sandbox: Sandbox):
    tight = Limits(
        cpu_seconds=0.2,
        wall_seconds=20.0,
        memory_bytes=100 << 20,
        nodes=10,
        depth=5,
        output_bytes=1000,
        bits=64,
    )
    ends = {
        "def model_answer():\n    while True: pass": ("timeout", "cpu"),
        "def model_answer(): return [0] * 10**8": ("resource_limit", "memory"),
        "def model_answer(): return list(range(20))": ("resource_limit", "nodes"),
        "def model_answer(): return [[[[[[1]]]]]]": ("resource_limit", "depth"),
        "def model_answer(): return 'x' * 2000": ("resource_limit", "output"),
        "def model_answer(): return 2**100": ("resource_limit", "bits"),
        "x = 1\n" * 100_000: ("resource_limit", "code"),
    }
    outcomes = await asyncio.gather(*(run(sandbox, code, tight) for code in ends))
    assert [(outcome.status, outcome.limit) for outcome in outcomes] == list(ends.values())
    assert all(outcome.reason for outcome in outcomes)
    endless = "def model_answer():\n    while True: pass"
    outcome = await run(sandbox, endless, Limits(cpu_seconds=30, wall_seconds=0.5))
    assert (outcome.status, outcome.limit) == ("timeout", "wall")


async def test_what_a_run_cost_is_told(sandbox: Sandbox):
    code = (
        "import time\ndef model_answer():\n"
        "    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n    return 1"
    )
    outcome = await run(sandbox, code, builtins="import-only")
    assert 0.2 <= outcome.cpu_seconds < 0.5
    assert outcome.wall_seconds >= outcome.cpu_seconds * 0.9


@pytest.mark.parametrize("field", ["cpu_seconds", "wall_seconds", "memory_bytes", "nodes"])
def test_limits_must_limit(field: str):
    for wrong in (0, -1, 1e30):
        with pytest.raises(ValueError, match=field):
            Limits(**{field: wrong})


def test_the_documented_lists():
    assert {
        "sympy",
        "numpy",
        "scipy",
        "mpmath",
        "math",
        "random",
        "re",
        "dataclasses",
        "typing",
    } <= IMPORTABLE
    assert {"os", "sys", "ctypes", "subprocess", "builtins", "importlib", "socket"}.isdisjoint(IMPORTABLE)
    assert {
        "open",
        "eval",
        "exec",
        "compile",
        "input",
        "globals",
        "locals",
        "breakpoint",
        "memoryview",
    }.isdisjoint(BUILTINS)
