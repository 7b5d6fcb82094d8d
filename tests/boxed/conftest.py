"""The contract that the tests of replay use as well."""

from tests.runs.conftest import dual

__all__ = ["dual"]
