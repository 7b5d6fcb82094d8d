"""The golden table: SHA-256 of the first rows of every family. `python -m tests.generated.table` writes it.

A hash that changes means that a published id now names another problem. Then the family needs a new name,
not a new hash.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from scientific_math_critpt_env.problems.generated import all_families, generate
from scientific_math_critpt_env.problems.schema import Problem

TABLE = Path(__file__).with_name("golden.json")
SEEDS = (12345,)
LEVELS = (1, 2, 3, 4, 5)


def row_hash(problem: Problem) -> str:
    """Of the row as it is written to a file."""
    row = json.dumps(problem.model_dump(), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(row.encode()).hexdigest()[:20]


def hashes() -> dict[str, dict[str, str]]:
    """Family -> id -> hash."""
    table: dict[str, dict[str, str]] = {}
    for name in all_families():
        made = [generate(name, seed=seed, difficulty=level) for level in LEVELS for seed in SEEDS]
        table[name] = {problem.id: row_hash(problem) for problem in made}
    return table


if __name__ == "__main__":
    TABLE.write_text(json.dumps(hashes(), indent=1) + "\n", encoding="utf-8")
