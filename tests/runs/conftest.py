"""One contract for all tests of replay: its workers take seconds of CPU time to start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual


@pytest.fixture(scope="session")
def dual() -> Iterator[MathV52Dual]:
    contract = MathV52Dual(workers=2)
    yield contract
    contract.close()
