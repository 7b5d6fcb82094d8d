"""Runs the tables of attacks against a sandbox, with honest programs in between whose values must stay right.

Also a program (`python -m tests.sandbox.attacking`), so that the same can be done as another user.
"""

from __future__ import annotations

import asyncio
import json
import platform
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.sandbox import Limits, Outcome, Program, Sandbox
from scientific_math_critpt_env.sandbox.codec import DecodeError, decode

HERE = Path(__file__).parent
CHECKER = "tests.sandbox.checks:check"
LIMITS = Limits(cpu_seconds=0.3, wall_seconds=20.0, memory_bytes=1 << 28)
HONEST = (
    "import sympy as sp\ndef model_answer():\n    x = sp.Symbol('x')\n    return sp.integrate({k}*x**{k}, x)"
)


def escapes() -> list[dict[str, Any]]:
    """Programs that try to get out, or to be taken for what they are not, each with the end it must have."""
    cases = json.loads((HERE / "escapes.json").read_text())
    return [case for case in cases if case.get("machine", platform.machine()) == platform.machine()]


def attacks() -> list[dict[str, Any]]:
    """Completions that try to cheat or break a grader, as programs under the restricted builtins."""
    cases = json.loads((HERE / "attacks.json").read_text())
    return [
        {"id": case["id"], "builtins": "restricted", "code": case["code"], **case["run"]}
        for case in cases
        if case.get("code")
    ]


async def attack(sandbox: Sandbox, case: dict[str, Any]) -> str:
    """Run one case and an honest program beside it; what went wrong, or ""."""
    program = Program(code="\n".join(case["code"]), builtins=case["builtins"])
    limits = replace(LIMITS, **case.get("limits", {}))
    outcome, wrong = await asyncio.gather(sandbox.run(program, limits), honest(sandbox, len(case["id"])))
    return wrong or complaint(case, outcome)


async def honest(sandbox: Sandbox, k: int) -> str:
    """Run a program whose value is known; what is wrong with it, or ""."""
    outcome = await sandbox.run(Program(code=HONEST.format(k=k)))
    if outcome.status != "ok":
        return f"an honest program beside it ended as {outcome}"
    check = await sandbox.check(b"read " + outcome.value)
    expected = f"[{k}*x**{k + 1}/{k + 1}]"
    return "" if check.value.decode() == expected else f"an honest program beside it gave {check.value!r}"


def complaint(case: dict[str, Any], outcome: Outcome) -> str:
    """How the outcome differs from what the table says, or ""."""
    if outcome.status not in case["status"]:
        return f"{case['id']}: {outcome.status} ({outcome.reason}) instead of {case['status']}"
    if outcome.limit != case.get("limit", outcome.limit):
        return f"{case['id']}: the limit {outcome.limit!r} instead of {case['limit']!r}"
    if case.get("reason", "") not in outcome.reason:
        return f"{case['id']}: the reason {outcome.reason!r} instead of {case['reason']!r}"
    if not outcome.reason.isprintable():
        return f"{case['id']}: a reason that is not printable"
    if case.get("undecodable"):
        return "" if _decoded(outcome) is None else f"{case['id']}: {outcome.value!r} decodes"
    if "value" in case and _decoded(outcome) != (case["value"] if case.get("unwrapped") else [case["value"]]):
        return f"{case['id']}: the value {_decoded(outcome)!r} instead of {case['value']!r}"
    return ""


def _decoded(outcome: Outcome) -> object:
    try:
        return decode(outcome.value)
    except DecodeError:
        return None


async def attack_all(sandbox: Sandbox, cases: list[dict[str, Any]]) -> list[str]:
    return [wrong for wrong in await asyncio.gather(*(attack(sandbox, case) for case in cases)) if wrong]


def main() -> None:
    """Print what went wrong in all the tables, as a JSON list; the argument says how many times over."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    wrong = []
    with Sandbox(checker=CHECKER) as sandbox:
        for _ in range(rounds):
            wrong += asyncio.run(attack_all(sandbox, [*escapes(), *attacks()]))
    print(json.dumps(wrong))


if __name__ == "__main__":
    sys.exit(main())
