"""Locating the end of an interval of parameters from a yes/no computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

STEPS = 34
"""Halvings of an interval of a few units: the end is known to about 1e-9."""


def edge(holds: Callable[[Any], bool], *, inside: float, outside: float) -> Any:
    """The point between `inside` and `outside` where `holds` stops being true, by bisection.

    Raises:
        AssertionError: `holds` is not true inside and false outside.
    """
    good, bad = mpmath.mpf(inside), mpmath.mpf(outside)
    assert holds(good), f"does not hold at {inside}"
    assert not holds(bad), f"holds at {outside}"
    for _ in range(STEPS):
        middle = (good + bad) / 2
        if holds(middle):
            good = middle
        else:
            bad = middle
    return (good + bad) / 2
