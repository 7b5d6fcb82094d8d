"""Whole messages over the one descriptor that a confined process holds."""

from __future__ import annotations

import os

from scientific_math_critpt_env.sandbox import confinement


def read_exactly(channel: int, size: int) -> bytes:
    """`size` bytes; the process ends where the other side has gone."""
    parts = []
    while size:
        part = os.read(channel, min(size, 1 << 20))
        if not part:
            confinement.leave()
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_all(channel: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(channel, view) :]
