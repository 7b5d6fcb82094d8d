"""The tables of README.md, which the hub shows, name every argument and every metric there is."""

from __future__ import annotations

import re
from pathlib import Path

import verifiers.v1 as vf
from pydantic import BaseModel
from scientific_math_critpt.extras import ExtrasConfig
from scientific_math_critpt.grading import CritptTaskConfig
from scientific_math_critpt.taskset import CritptTask, CritptTasksetConfig

from scientific_math_critpt_env.problems.generated import all_families
from scientific_math_critpt_env.problems.loading import load_problems

PAGE = (Path(__file__).resolve().parents[2] / "README.md").read_text()


def _named(heading: str) -> set[str]:
    """What stands in the first column of the table under a heading."""
    rows = PAGE[PAGE.index(f"## {heading}") :].split("\n\n## ")[0].splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)}


def _own(config: type[BaseModel], base: type[BaseModel], prefix: str = "") -> set[str]:
    return {f"{prefix}{name}" for name in config.model_fields if name not in base.model_fields}


def test_the_arguments_are_those_of_the_configuration() -> None:
    taskset = _own(CritptTasksetConfig, vf.TasksetConfig) | {"system_prompt"}
    task = _own(CritptTaskConfig, vf.TaskConfig, "task.") - {"task.extras"}
    assert _named("Arguments") == taskset | task | _own(ExtrasConfig, vf.BaseConfig, "task.extras.")


def test_the_metrics_are_those_of_the_task() -> None:
    bonuses = {"judge", "judge_novelty", "novelty"}
    # `@vf.reward` and `@vf.metric` mark a method with an attribute of their name.
    found = {
        n for n, f in vars(CritptTask).items() if getattr(f, "reward", False) or getattr(f, "metric", False)
    }
    assert _named("Rewards and metrics") == found | bonuses


def test_the_counts_are_those_of_the_data() -> None:
    problems = load_problems("builtin")
    topics = {problem.topic for problem in problems}
    assert f"{len(problems)} problems of our own over {len(topics)} topics" in PAGE
    assert f"{len(all_families())} families" in PAGE
