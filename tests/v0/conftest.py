"""Runs of `prime eval run` (prime 0.7.7, verifiers 0.2.0), made once: each starts processes and a grader."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem
from tests.demo.cases import PROBLEMS
from tests.packaging.clients import EVALUATING, run, settings, skip_without
from tests.packaging.hub import Hub

BROKEN = Problem(id="broken", prompt="Return a matrix.", answer_fn="Matrix([[1, 2], [3]])")
"""Its gold does not evaluate."""


@dataclass(frozen=True)
class Evaluation:
    """A finished `prime eval run`."""

    printed: str
    metadata: dict[str, Any]
    rows: list[dict[str, Any]]


@pytest.fixture(scope="session")
def one_turn(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """The command of the README: five problems, three rollouts each."""
    return _evaluated(tmp_path_factory.mktemp("one-turn"), load_problems("builtin"), "-n", "5", "-r", "3")


@pytest.fixture(scope="session")
def two_turn_problems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A problem of every type, and one with a defective gold."""
    rows = tmp_path_factory.mktemp("problems") / "problems.jsonl"
    rows.write_text("".join(p.model_dump_json(exclude_defaults=True) + "\n" for p in [*PROBLEMS, BROKEN]))
    return rows


@pytest.fixture(scope="session")
def two_turn(tmp_path_factory: pytest.TempPathFactory, two_turn_problems: Path) -> Evaluation:
    """Every problem once, in two turns; the golds are not looked at before."""
    arguments = {"problems": str(two_turn_problems), "protocol": "two_turn", "check_golds": False}
    # In one process, where the other run has the environment in a server's.
    given = ("-n", "-1", "-r", "1", "-a", json.dumps(arguments), "--disable-env-server")
    return _evaluated(tmp_path_factory.mktemp("two-turn"), [*PROBLEMS, BROKEN], *given)


def _evaluated(folder: Path, known: list[Problem], *given: str) -> Evaluation:
    skip_without(EVALUATING)
    hub = Hub()
    with hub.serving(), running([ProblemScript(known)]) as model_url:
        line: list[str | Path] = [
            *(EVALUATING / "prime", "eval", "run", "scientific-math-critpt", "-m", "scripted"),
            *("-b", model_url, "-k", "PRIME_API_KEY", "--skip-upload", "-s", "-A"),
            *given,
        ]
        printed = run(line, folder=folder, environment=settings(folder, hub.url))
    (results,) = folder.glob("outputs/evals/*/*/results.jsonl")
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    return Evaluation(printed, json.loads(results.with_name("metadata.json").read_text()), rows)
