"""The contract under test."""

from __future__ import annotations

import pytest

from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
from tests.runs.contract import shared_dual


@pytest.fixture
def dual() -> MathV52Dual:
    return shared_dual()
