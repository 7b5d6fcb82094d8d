"""Claims on keys among threads and processes, by locks on single bytes of one file.

The locks belong to the open file (F_OFD_SETLK), so two users in one process exclude each other, and the
kernel releases them when the file is closed or the process dies, however it dies.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import weakref
from pathlib import Path
from threading import Lock

_FLOCK = "hhqqi0q"
"""struct flock of 64-bit Linux: type, whence, start, length, pid."""

PLACES = 1 << 62
"""Bytes that can be locked; the file itself stays empty. Two keys share one with probability 2^-62."""


class Claims:
    """The claims made through one open file; `close` releases them all."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._held: set[int] = set()
        self._lock = Lock()
        self._open = True
        _OPEN.add(self)

    def claim(self, key: str) -> bool:
        """Claim `key` (hexadecimal); False where somebody else holds it. Never waits."""
        place = _place(key)
        with self._lock:
            # The kernel lets one open file lock the same byte again, so this process looks for itself.
            if place in self._held or not self._set(place, fcntl.F_WRLCK):
                return False
            self._held.add(place)
            return True

    def release(self, key: str) -> None:
        """Give up a claim."""
        place = _place(key)
        with self._lock:
            if place in self._held:
                self._held.discard(place)
                self._set(place, fcntl.F_UNLCK)

    def close(self) -> None:
        """Release everything."""
        with self._lock:
            self._held.clear()
            self.let_go()

    def let_go(self) -> None:
        """Close this process's handle; the claims stay with whoever else has the file open."""
        if self._open:
            self._open = False
            os.close(self._file)

    def _set(self, place: int, kind: int) -> bool:
        request = struct.pack(_FLOCK, kind, os.SEEK_SET, place, 1, 0)
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, request)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True


def _place(key: str) -> int:
    return int(key[:16], 16) % PLACES


_OPEN: weakref.WeakSet[Claims] = weakref.WeakSet()


def _let_go() -> None:
    """In a forked child, which would otherwise keep the claims of its parent after the parent has died."""
    for claims in list(_OPEN):
        claims.let_go()


os.register_at_fork(after_in_child=_let_go)
