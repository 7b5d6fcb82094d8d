"""Huge pages for the zygote's heap: a fork then copies one entry per 2 MiB instead of 512."""

from __future__ import annotations

import ctypes

_HUGE = 2 << 20
_MADV_COLLAPSE = 25
"""Linux 6.1 and later; elsewhere the call fails and a fork costs about twice as much."""


def collapse() -> None:
    """Put the writable anonymous memory of this process on huge pages, as far as the kernel will."""
    madvise = ctypes.CDLL(None, use_errno=True).madvise
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
        regions = [line.split() for line in maps]
    for fields in regions:
        if not fields[1].startswith("rw") or (len(fields) > 5 and fields[5] != "[heap]"):
            continue
        start, end = (int(bound, 16) for bound in fields[0].split("-"))
        start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if start < end:
            madvise(
                ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_COLLAPSE
            )  # a failure costs speed only
