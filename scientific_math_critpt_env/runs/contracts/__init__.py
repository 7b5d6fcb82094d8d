"""The contracts under which a run can be judged, by their ids."""

from __future__ import annotations

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.contracts.contract import Contract, contract_hash, described

CONTRACTS = ("math-v5.2-dual", "scientific-v1", "critpt-v1")

__all__ = ["CONTRACTS", "Contract", "contract_hash", "described", "open_contract"]


def open_contract(id: str, *, workers: int | None = None) -> Contract:
    """The contract, with at most `workers` samples judged at the same time (default: one per core).

    Raises RunError for an unknown id, and where what a contract needs is not installed.
    """
    # Each brings its own machinery along: only the one that is used is imported.
    if id == "math-v5.2-dual":
        from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual

        return MathV52Dual(workers=workers)
    if id in CONTRACTS:
        from scientific_math_critpt_env.runs.contracts.graded import Graded

        return Graded(id, workers=workers)
    raise RunError(f"unknown contract {id!r}; there are {', '.join(CONTRACTS)}")
