"""One problem of every type of answer, and golds whose notation is not Python's."""

from __future__ import annotations

from pathlib import Path

from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem

PROBLEMS: list[Problem] = load_problems(Path(__file__).with_name("forms.jsonl"))
