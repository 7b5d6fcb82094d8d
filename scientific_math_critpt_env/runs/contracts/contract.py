"""What a contract is: a named, hashed way from a sample to its verdict.

A change of verdicts is a new id. The hash is over everything that settles a verdict and that we choose; the
versions of the packages that carry it out are recorded beside it.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, Protocol

from scientific_math_critpt_env.runs.hashing import stable_hash
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.statistics.clustering import Clustering

Judged = dict[str, Any]
"""`VERDICT_FIELDS` and "soft": the same fields for the lenient reading, or None where there is none."""

VERDICT_FIELDS = (
    *("status", "is_correct", "score", "candidate_text", "normalized_prediction", "normalized_gold"),
    *("extraction_rule", "method", "reason", "error"),
)


class Contract(Protocol):
    """Judges samples in processes of its own; starts them on first use, or `start()`."""

    @property
    def id(self) -> str:
        """Its name, as `--contract` takes it."""

    @property
    def payload(self) -> Mapping[str, Any]:
        """What its hash is over."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The distributions that carry it out."""

    @property
    def workers(self) -> int:
        """Samples judged at the same time."""

    def start(self) -> None:
        """Begin to start what it needs; does not wait."""

    def refusal(self, sample: Sample) -> str:
        """Why a sample cannot be judged, for no fault of the answer; "" where it can."""

    async def judge(self, sample: Sample) -> Judged:
        """The verdict. Raises InfrastructureError where the machinery fails, ProblemError for a bad gold."""

    def clustering(self, samples: Iterable[Sample]) -> Clustering | None:
        """Which answers to these samples' problems are the same, for maj@k; None: those of one text."""

    def close(self) -> None:
        """End its processes."""


def contract_hash(contract: Contract) -> str:
    """SHA-256 (hex) of the payload, as math-eval takes it."""
    return stable_hash(dict(contract.payload))


def described(contract: Contract) -> dict[str, Any]:
    """The content of `contract.json`."""
    return {
        "id": contract.id,
        "hash": contract_hash(contract),
        "payload": dict(contract.payload),
        "environment": {
            "python": platform.python_version(),
            "packages": {name: version(name) for name in sorted(contract.packages)},
        },
    }
