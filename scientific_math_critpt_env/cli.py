"""The `scientific-math` command."""

from __future__ import annotations


def main() -> int:
    """Placeholder entry until the commands land."""
    raise SystemExit("scientific-math: no commands yet")
