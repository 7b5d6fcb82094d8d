"""Numbers of a command line, refused with a line that says what is wanted."""

from __future__ import annotations

import argparse
import math


def at_least_one(text: str) -> int:
    """A whole number from 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return number


def seconds(text: str) -> float:
    """A finite number of seconds, at least 0."""
    number = _number(text)
    if not (number >= 0 and math.isfinite(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds of at least 0")
    return number


def limit_seconds(text: str) -> float:
    """A limit in seconds: from a millisecond, below which no timer runs, to a day."""
    number = _number(text)
    if not 1e-3 <= number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0.001 to 86400")
    return number


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
