"""What an evaluation was asked for: everything its verdicts depend on, and nothing else."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scientific_math_critpt_env.creative.dataset import Dataset
from scientific_math_critpt_env.creative.evaluation import EvaluationRules
from scientific_math_critpt_env.creative.samples import Generation
from scientific_math_critpt_env.judging import Jury


def evaluation_manifest(
    dataset: Dataset, generation: Generation, jury: Jury, rules: EvaluationRules
) -> dict[str, Any]:
    """As written to manifest.json; addresses, prices, timeouts and budgets may change between runs."""
    return {
        "data file": dataset.sha256,
        "generation file": generation.sha256,
        "jury": {
            "judges": [
                {
                    "name": judge.name,
                    "model": judge.identity or judge.model,
                    "sampling": dict(judge.sampling),
                    "structured": judge.structured,
                }
                for judge in jury.judges
            ],
            "quorum": jury.quorum,
            "ties": jury.ties,
            "reading": jury.reading,
            "exclude_author": jury.exclude_author,
        },
        "rules": asdict(rules),
    }
