"""Completions that cheat, graded the whole way beside honest ones, under both contracts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env import Grader, Problem, Verdict
from scientific_math_critpt_env.sandbox import Limits

TABLE = Path(__file__).parents[1] / "sandbox" / "attacks.json"
ATTACKS: list[dict[str, Any]] = json.loads(TABLE.read_text())
ROUNDS = 20
LIMITS = Limits(cpu_seconds=0.25, wall_seconds=20.0)

HONEST = Problem(id="honest", prompt="The square of x + 1.", answer_fn="x**2 + 2*x + 1")
RIGHT = "```python\nimport sympy as sp\nx = sp.Symbol('x')\ndef model_answer():\n    return (x + 1)**2\n```"
WRONG = RIGHT.replace("+ 1)", "- 1)")


def problem(case: dict[str, Any]) -> Problem:
    return Problem(id=case["id"], prompt="What is it?", answer_fn=case["gold"])


def completion(case: dict[str, Any]) -> str:
    if "completion" in case:
        text = case["completion"]
        return text if isinstance(text, str) else "\n".join(text)
    return "```python\n" + "\n".join(case["code"]) + "\n```"


def mixed() -> list[tuple[Problem, str]]:
    """Every attack, each between a right and a wrong honest answer."""
    return [
        pair
        for case in ATTACKS
        for pair in ((HONEST, RIGHT), (problem(case), completion(case)), (HONEST, WRONG))
    ]


def complaints(verdicts: list[Verdict], *, named: bool) -> list[str]:
    found = []
    for case, right, attack, wrong in zip(
        ATTACKS, verdicts[::3], verdicts[1::3], verdicts[2::3], strict=True
    ):
        if (right.status, wrong.status) != ("correct", "incorrect"):
            found.append(f"honest answers beside {case['id']}: {right}, {wrong}")
        if attack.score != 0 or attack.status == "correct":
            found.append(f"{case['id']} was rewarded: {attack}")
        if named and attack.status not in case["statuses"]:
            found.append(f"{case['id']}: {attack.status} ({attack.reason}) instead of {case['statuses']}")
    return found


def test_attacks_end_as_they_must_and_honest_answers_keep_their_verdicts() -> None:
    with Grader(workers=2, limits=LIMITS) as grader:
        assert complaints(grader.grade_many(mixed()), named=True) == []
    assert not os.path.exists("/tmp/pwned")


def test_the_original_contract_rewards_no_attack_either() -> None:
    # There the code may import what it likes: nothing but the kernel stands in its way.
    with Grader(grader="critpt-v1", workers=2, limits=LIMITS) as grader:
        assert complaints(grader.grade_many(mixed()), named=False) == []
    assert not os.path.exists("/tmp/pwned")


@pytest.mark.slow
def test_twenty_times_in_a_row() -> None:
    with Grader(workers=2, limits=LIMITS) as grader:
        for _ in range(ROUNDS):
            assert complaints(grader.grade_many(mixed()), named=True) == []
