"""One contract for all tests that judge boxed answers: its workers take seconds of CPU time to start."""

from __future__ import annotations

import atexit
from functools import cache

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual


@cache
def shared_dual() -> MathV52Dual:
    """The contract of this test process, closed when that ends."""
    contract = MathV52Dual(workers=2)
    atexit.register(contract.close)
    return contract
