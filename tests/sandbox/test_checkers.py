"""Checkers: reused, and yet each job has its own limits; what goes wrong in one is never silent."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import Limits, Sandbox
from tests.sandbox.attacking import CHECKER

TIGHT = Limits(cpu_seconds=0.3, wall_seconds=20.0, memory_bytes=100 << 20)


@pytest.fixture
def alone() -> Sandbox:
    """A sandbox with one checker at a time, so that which process serves a job is known."""
    return Sandbox(checker=CHECKER, workers=1)


async def test_answers(sandbox: Sandbox):
    payloads = [bytes([k % 256]) * k for k in (0, 1, 1000, 300_000, 5_000_000)]
    outcomes = await asyncio.gather(*(sandbox.check(b"echo " + payload) for payload in payloads))
    assert [outcome.value for outcome in outcomes] == payloads
    assert all(outcome.status == "ok" for outcome in outcomes)


async def test_a_checker_is_reused_and_confined(sandbox: Sandbox):
    served = [int((await sandbox.check(b"served")).value) for _ in range(5)]
    assert max(served) > 1
    assert (await sandbox.check(b"trespass")).value == b"4 of 4 refused"


def test_limits_hold_for_every_job_of_a_reused_process(alone: Sandbox):
    with alone as sandbox:
        for _ in range(4):  # together more than the limit of one
            outcome = sandbox.check_sync(b"spin-for 0.2", TIGHT)
            assert outcome.status == "ok"
            assert 0.2 <= outcome.cpu_seconds < 0.3
        assert int(sandbox.check_sync(b"served").value) == 1  # still the same process, first of these
        ends = {
            b"spin": ("timeout", "cpu"),
            b"sleep": ("timeout", "wall"),
            b"fill 500000000": ("resource_limit", "memory"),
        }
        for payload, end in ends.items():
            outcome = sandbox.check_sync(
                payload, replace(TIGHT, wall_seconds=1.0 if payload == b"sleep" else 20.0)
            )
            assert (outcome.status, outcome.limit) == end
            assert outcome.reason
            assert sandbox.check_sync(b"echo next").value == b"next"
        assert sandbox.check_sync(b"fill 50000000", TIGHT).status == "ok"
        assert sandbox.check_sync(b"spin", Limits(cpu_seconds=0.05)).cpu_seconds < 0.2


async def test_a_payload_that_crashes_every_checker_is_to_blame(sandbox: Sandbox):
    outcome = await sandbox.check(b"crash")
    assert (outcome.status, outcome.reason) == ("code_error", "it crashes its process (SIGSEGV)")
    assert (await sandbox.check(b"echo still here")).value == b"still here"


async def test_a_failing_checker_is_an_infrastructure_error(sandbox: Sandbox):
    for payload, what in (
        (b"raise", "RuntimeError at .*checks.py"),
        (b"exit", "status 3"),
    ):
        with pytest.raises(InfrastructureError, match=what) as error:
            await sandbox.check(payload)
        assert "must not travel" not in str(error.value)
    assert (await sandbox.check(b"echo still here")).value == b"still here"


def test_a_checker_that_cannot_be_loaded_is_told_at_once():
    with Sandbox(checker="tests.sandbox.nothing:check") as sandbox:
        for attempt in (sandbox.start, lambda: sandbox.check_sync(b"")):
            with pytest.raises(InfrastructureError, match="ModuleNotFoundError") as error:
                attempt()
            assert "\n" not in str(error.value)
    with Sandbox(checker="tests.sandbox.checks:nothing") as sandbox:
        with pytest.raises(InfrastructureError, match="AttributeError"):
            sandbox.check_sync(b"")


async def test_forged_values_are_refused_where_they_are_read(sandbox: Sandbox):
    assert (await sandbox.check(b'read [["__import__","os"]]')).value.startswith(b"refused: malformed")
    assert (await sandbox.check(b'read [["int","5"]]')).value == b"5"
