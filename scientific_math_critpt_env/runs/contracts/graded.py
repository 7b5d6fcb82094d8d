"""The contracts scientific-v1 and critpt-v1: the reply's code, run and graded by our grader.

They need samples of problem rows (`metadata["problem_row"]`), which hold the gold as SymPy; a canonical
record has only a text. There is no soft reading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from scientific_math_critpt_env.grading.grader import GRADERS, Block, Grader
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.runs.contracts.contract import Judged
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.sandbox import Limits
from scientific_math_critpt_env.statistics.clustering import Clustering
from scientific_math_critpt_env.statistics.equivalence import GradedEquality

PROBLEMS = 4096
"""Problems kept validated, for their other samples."""


class Graded:
    """`id` is the grader's. Limits and policy are the grader's defaults: others would be another contract."""

    packages = ("scientific-math-critpt", "sympy", "mpmath", "numpy", "scipy")

    def __init__(self, id: str, *, workers: int | None = None) -> None:
        self.id = id
        self.workers = workers or len(os.sched_getaffinity(0))
        self._grader = Grader(grader=id, workers=workers)
        self.payload: dict[str, Any] = {
            "grader": id,
            "extraction": "last_code_block, or first_code_block where the sample says so",
            "limits": asdict(Limits()),
            "policy": asdict(self._grader.policy),
        }

    def start(self) -> None:
        """Nothing: the grader starts with its first grade."""

    def refusal(self, sample: Sample) -> str:
        row = sample.metadata.get("problem_row")
        if not isinstance(row, dict):
            return (
                f"{self.id} needs problem rows, and this data set holds canonical records; use math-v5.2-dual"
            )
        try:
            _of(sample)
        except ValidationError as error:
            first = error.errors()[0]
            return f"its problem row is defective: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return ""

    async def judge(self, sample: Sample) -> Judged:
        problem = _of(sample)
        block: Block = "first" if sample.metadata.get("block") == "first" else "last"
        verdict = await self._grader.agrade(
            problem=problem, completion=sample.final_text, block=block, truncated=sample.truncated
        )
        code = extract(sample.final_text, problem.entry_point, which=block).code
        return {
            "status": verdict.status,
            "is_correct": verdict.status == "correct",
            "score": verdict.score,
            "candidate_text": code,
            "normalized_prediction": verdict.answer,
            "normalized_gold": problem.answer_fn or "",
            "extraction_rule": "none" if code is None else f"{block}_code_block",
            "method": verdict.method,
            "reason": verdict.reason,
            "error": "",
            "soft": None,
        }

    def clustering(self, samples: Iterable[Sample]) -> Clustering | None:
        if self.id != GRADERS[0]:
            return None  # the original's rules hold between a gold and an answer, not between two answers
        problems: dict[str, Problem] = {}
        for sample in samples:
            if sample.problem_uid not in problems:
                problems[sample.problem_uid] = _of(sample)
        return GradedEquality(self._grader, problems)

    def close(self) -> None:
        self._grader.close()


def _of(sample: Sample) -> Problem:
    return _problem(json.dumps(sample.metadata["problem_row"], sort_keys=True))


@lru_cache(PROBLEMS)
def _problem(row: str) -> Problem:
    return Problem.model_validate_json(row)
