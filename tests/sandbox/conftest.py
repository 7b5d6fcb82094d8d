"""One sandbox for the whole session: its zygotes take seconds to start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scientific_math_critpt_env.sandbox import Sandbox
from tests.sandbox.attacking import CHECKER


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(checker=CHECKER, workers=2) as shared:
        yield shared
