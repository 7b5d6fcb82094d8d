"""The system-call filter: an allow-list in classic BPF, installed with prctl and nothing else.

A filtered process can compute, allocate memory, read and write the descriptors it already holds, read
clocks, sleep and exit. It cannot open, create, connect, fork, exec, signal, trace, map executable memory,
or change its own signal handling (which is what keeps its kill timers in force). Everything that is not
listed answers EPERM; another architecture's calling convention is killed on the spot.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from dataclasses import dataclass
from typing import Literal

Role = Literal["program", "checker"]

_COMPUTE = ["read", "write", "mmap", "mprotect", "munmap", "brk", "mremap", "madvise", "futex", "getrandom", "clock_gettime", "clock_nanosleep", "exit", "exit_group", "getpid", "gettid", "sched_yield"]
"""What CPython, NumPy and SciPy need once everything is imported. No rt_sigaction, rt_sigprocmask or
rt_sigreturn: the timers that kill a runaway arrive as signals, so their dispositions must stay as set."""

_ACCOUNT = ("setitimer", "prlimit64", "getrusage", "rt_sigreturn")
"""A checker outlives its jobs, so it renews its own limits before each and reports what each one cost. It may
return from a handler installed before the filter (the soft timer of a comparison), and install none after."""

_X86_64 = {
    "read": 0, "write": 1, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12,
    "rt_sigreturn": 15, "sched_yield": 24,
    "mremap": 25, "madvise": 28, "setitimer": 38, "getpid": 39, "exit": 60, "getrusage": 98, "gettid": 186,
    "futex": 202, "clock_gettime": 228, "clock_nanosleep": 230, "exit_group": 231, "prlimit64": 302,
    "getrandom": 318, "clone3": 435,
}  # fmt: skip
_AARCH64 = {
    "read": 63, "write": 64, "exit": 93, "exit_group": 94, "futex": 98, "setitimer": 103,
    "clock_gettime": 113, "clock_nanosleep": 115, "sched_yield": 124, "rt_sigreturn": 139, "getrusage": 165, "getpid": 172,
    "gettid": 178, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233,
    "prlimit64": 261, "getrandom": 278, "clone3": 435,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Machine:
    audit_arch: int
    numbers: dict[str, int]
    x32: bool


_MACHINES = {
    "x86_64": _Machine(audit_arch=0xC000003E, numbers=_X86_64, x32=True),
    "aarch64": _Machine(audit_arch=0xC00000B7, numbers=_AARCH64, x32=False),
}

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000

# Offsets into struct seccomp_data; arguments are 64 bits, low word first on both machines.
_NUMBER, _ARCH = 0, 4


def _low(argument: int) -> int:
    return 16 + 8 * argument


def _high(argument: int) -> int:
    return 20 + 8 * argument


_LOAD, _JUMP_EQUAL, _JUMP_GE, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_PROT_EXEC = 0x4
_X32_BIT = 0x40000000


def supported() -> str:
    """Why a filter cannot be written for this machine, or "" when it can."""
    machine = platform.machine()
    if machine in _MACHINES:
        return ""
    return f"no system-call table for {machine} (there is one for {', '.join(_MACHINES)})"


def install(role: Role) -> None:
    """Confine this process and all it could ever start; cannot be undone.

    Raises OSError where the kernel, or a filter around this process, refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    program = assemble(role)
    instructions = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog { unsigned short len; struct sock_filter *filter; }
    descriptor = struct.pack("@HxxxxxxQ", len(program) // 8, ctypes.addressof(instructions))
    holder = ctypes.create_string_buffer(descriptor, len(descriptor))
    arguments = (
        (_PR_SET_NO_NEW_PRIVS, 1, 0),
        (_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(holder)),
    )
    for option, first, second in arguments:
        if libc.prctl(
            option, ctypes.c_ulong(first), ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0)
        ):
            code = ctypes.get_errno()
            raise OSError(code, f"prctl({option}): {os.strerror(code)}")


def assemble(role: Role) -> bytes:
    """The filter as an array of struct sock_filter for the machine this runs on."""
    machine = _MACHINES[platform.machine()]
    numbers = machine.numbers
    names = [*_COMPUTE, *(_ACCOUNT if role == "checker" else ())]
    code = [
        _op(_LOAD, _ARCH),
        _op(_JUMP_EQUAL, machine.audit_arch, 1, 0),
        _op(_RETURN, _KILL_PROCESS),
        _op(_LOAD, _NUMBER),
    ]
    if machine.x32:
        code += [_op(_JUMP_GE, _X32_BIT, 0, 1), _op(_RETURN, _KILL_PROCESS)]
    for name in names:
        rule = _rule(name)
        code += [_op(_JUMP_EQUAL, numbers[name], 0, len(rule)), *rule]
    # glibc falls back to plain clone, which is then refused, only if clone3 seems not to exist.
    code += [_op(_JUMP_EQUAL, numbers["clone3"], 0, 1), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]
    return b"".join(code)


def _rule(name: str) -> list[bytes]:
    """What to answer once the call is known to be `name`."""
    if name in ("mmap", "mprotect"):
        return [
            _op(_LOAD, _low(2)),
            _op(_JUMP_BITS, _PROT_EXEC, 0, 1),
            _refuse(errno.EPERM),
            _op(_RETURN, _ALLOW),
        ]
    if name == "prlimit64":  # pid 0: this process and no other
        return [
            _op(_LOAD, _low(0)),
            _op(_JUMP_EQUAL, 0, 0, 3),
            _op(_LOAD, _high(0)),
            _op(_JUMP_EQUAL, 0, 0, 1),
            _op(_RETURN, _ALLOW),
            _refuse(errno.EPERM),
        ]
    return [_op(_RETURN, _ALLOW)]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _refuse(code: int) -> bytes:
    return _op(_RETURN, _ERRNO | code)
