"""The few system calls that Python has no function for.

The library handle, the prototypes and the constant buffers are made when this module is imported, in the
zygote: made in each forked child they would cost it half a millisecond.
"""

from __future__ import annotations

import ctypes
import os
import struct

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_MADV_COLLAPSE = 25
_LANDLOCK_CREATE_RULESET, _LANDLOCK_RESTRICT_SELF = 444, 446
_LANDLOCK_VERSION = 1
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
_libc.capset.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_landlock_create = ctypes.CDLL(None, use_errno=True).syscall
_landlock_create.argtypes = (ctypes.c_long, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint)
_landlock_restrict = ctypes.CDLL(None, use_errno=True).syscall
_landlock_restrict.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_uint)

_this_process = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), 8)
_no_capabilities = ctypes.create_string_buffer(24)


def prctl(option: int, value: int) -> None:
    """Raises OSError, as all here do."""
    _check(_libc.prctl(option, value, 0, 0, 0), f"prctl({option})")


class Filter:
    """A seccomp program, laid out for the kernel once and installed in many children."""

    def __init__(self, instructions: bytes) -> None:
        self._instructions = ctypes.create_string_buffer(instructions, len(instructions))
        # struct sock_fprog { unsigned short len; struct sock_filter *filter; }
        fields = struct.pack("@HxxxxxxQ", len(instructions) // 8, ctypes.addressof(self._instructions))
        self._program = ctypes.create_string_buffer(fields, len(fields))
        self._address = ctypes.addressof(self._program)

    def install(self) -> None:
        """Confine this process and all it could ever start; cannot be undone."""
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        _check(_libc.prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._address, 0, 0), "seccomp")


def drop_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets: a root process keeps only its user id."""
    _check(_libc.capset(_this_process, _no_capabilities), "capset")


def landlock_version() -> int:
    """Version of Landlock this kernel has; 0 without one."""
    return max(0, int(_landlock_create(_LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_VERSION)))


def landlock_deny(rights: int) -> None:
    """Take the file-system `rights` (a bit mask) from this process everywhere; needs no_new_privs."""
    handled = ctypes.c_uint64(rights)
    ruleset = int(
        _landlock_create(_LANDLOCK_CREATE_RULESET, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    )
    _check(min(ruleset, 0), "landlock_create_ruleset")
    try:
        _check(_landlock_restrict(_LANDLOCK_RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    finally:
        os.close(ruleset)


def collapse(start: int, size: int) -> bool:
    """Put that memory of this process on huge pages now; False where the kernel does not (before 6.1)."""
    return _libc.madvise(start, size, _MADV_COLLAPSE) == 0


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
