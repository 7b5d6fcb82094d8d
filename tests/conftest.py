"""What holds for the whole suite."""

import gc
from pathlib import Path

import pytest

GROUPS = {
    "environment": "environment",
    "packaging": "packaging",
    "tools": "training",
    "training": "training",
    "v0": "v0",
}
"""Folders whose tests share what takes long to set up, and so run in one process: its group by folder."""


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        for folder, group in GROUPS.items():
            if here / folder in item.path.parents:
                item.add_marker(pytest.mark.xdist_group(group))


def pytest_collection_finish() -> None:
    """Thousands of collected cases are no garbage: looking through them took a limited step's whole time."""
    gc.collect()
    gc.freeze()
