"""What holds for the whole suite."""

import gc


def pytest_collection_finish() -> None:
    """Thousands of collected cases are no garbage: looking through them took a limited step's whole time."""
    gc.collect()
    gc.freeze()
