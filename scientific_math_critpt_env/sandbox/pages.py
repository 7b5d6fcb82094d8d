"""Huge pages for the zygote's heap: a fork then copies one entry per 2 MiB instead of 512."""

from __future__ import annotations

from scientific_math_critpt_env.sandbox import kernel

_HUGE = 2 << 20


def collapse() -> None:
    """Put the writable anonymous memory of this process on huge pages, as far as the kernel will.

    Where it will not, nothing changes but that a fork costs about twice as much.
    """
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
        regions = [line.split() for line in maps]
    for fields in regions:
        backing = fields[5] if len(fields) > 5 else ""
        if not fields[1].startswith("rw") or backing not in ("", "[heap]"):
            continue
        start, end = (int(bound, 16) for bound in fields[0].split("-"))
        start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if start < end:
            kernel.collapse(start, end - start)
