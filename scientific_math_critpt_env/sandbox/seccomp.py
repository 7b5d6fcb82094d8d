"""The system-call filter: an allow-list in classic BPF, installed with prctl and nothing else.

A filtered process can compute, allocate memory, read and write the descriptors it already holds, read
clocks and exit. It cannot open, create, connect, fork, exec, signal, trace, map executable memory, or change
its own signal handling (which is what keeps its kill timers in force). Nor can it sleep or yield: whoever
does not finish uses CPU time, and meets the short limit rather than the long one. What is not listed answers
EPERM; another architecture's calling convention is killed on the spot. The filter does not see the calls that
the kernel keeps for its own trampolines (uretprobe, uprobe on x86-64, from Linux 6.11): called from anywhere
else, they do nothing but end the process.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass
from typing import Literal

Role = Literal["program", "checker"]

_COMPUTE = (
    *("read", "write", "mmap", "mprotect", "munmap", "brk", "mremap", "madvise", "futex", "getrandom"),
    *("clock_gettime", "exit", "exit_group", "getpid", "gettid"),
)
"""What CPython, NumPy and SciPy need once everything is imported. No sched_yield, which none of them calls:
who yields for ever is hardly ever the one running when the clock ticks, which is when CPU timers look. No
rt_sigaction, rt_sigprocmask or rt_sigreturn: the timers that kill a runaway arrive as signals, so their
dispositions must stay as set."""

_ACCOUNT = ("setitimer", "prlimit64", "getrusage", "rt_sigreturn")
"""A checker outlives its jobs, so it renews its own limits before each and reports what each one cost. It may
return from a handler installed before the filter (the soft timer of a comparison), and install none after."""

_X86_64 = {
    "read": 0, "write": 1, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigreturn": 15,
    "mremap": 25, "madvise": 28, "setitimer": 38, "getpid": 39, "exit": 60,
    "getrusage": 98, "gettid": 186, "futex": 202, "clock_gettime": 228,
    "exit_group": 231, "prlimit64": 302, "getrandom": 318, "clone3": 435,
}  # fmt: skip
_AARCH64 = {
    "read": 63, "write": 64, "exit": 93, "exit_group": 94, "futex": 98, "setitimer": 103,
    "clock_gettime": 113, "rt_sigreturn": 139,
    "getrusage": 165, "getpid": 172, "gettid": 178, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222,
    "mprotect": 226, "madvise": 233, "prlimit64": 261, "getrandom": 278, "clone3": 435,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Machine:
    audit_arch: int
    numbers: dict[str, int]
    x32: bool = False
    """Whether a second set of calls hides behind a bit of the call's number."""


_MACHINES = {
    "x86_64": _Machine(audit_arch=0xC000003E, numbers=_X86_64, x32=True),
    "aarch64": _Machine(audit_arch=0xC00000B7, numbers=_AARCH64),
}

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GE, _JUMP_BITS, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH = 0, 4
"""Offsets into struct seccomp_data; its six arguments of 64 bits follow, low word first on both machines."""

_PROT_EXEC = 0x4
_X32_BIT = 0x40000000
_FUTEX_OPERATION = 0x7F
_FUTEX_OPERATIONS = (1, 10)
"""WAKE and its BITSET form, what letting go of a lock may need. A process of one thread that waits would wait
for ever; requeueing and priority inheritance are the parts with a history of kernel bugs."""


def unsupported() -> str:
    """Why no filter can be written for this machine, or "" when one can."""
    machine = platform.machine()
    if machine in _MACHINES:
        return ""
    return f"there is no system-call table for {machine}, only for {' and '.join(_MACHINES)}"


def assemble(role: Role) -> bytes:
    """The filter for the machine this runs on, as an array of struct sock_filter."""
    machine = _MACHINES[platform.machine()]
    code = [_load(_ARCH), _if_equal(machine.audit_arch, 1, 0), _answer(_KILL_PROCESS), _load(_NUMBER)]
    if machine.x32:
        code += [_op(_JUMP_GE, _X32_BIT, 0, 1), _answer(_KILL_PROCESS)]
    for name in (*_COMPUTE, *(_ACCOUNT if role == "checker" else ())):
        rule = _rule(name)
        code += [_if_equal(machine.numbers[name], 0, len(rule)), *rule]
    # glibc takes to plain clone, which is refused then, only where clone3 does not seem to exist.
    code += [_if_equal(machine.numbers["clone3"], 0, 1), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]
    return b"".join(code)


def _rule(name: str) -> list[bytes]:
    """What to answer once the call is known to be `name`; always ends by answering."""
    match name:
        case "mmap" | "mprotect":
            return [
                _load(_argument(2)),
                _op(_JUMP_BITS, _PROT_EXEC, 0, 1),
                _refuse(errno.EPERM),
                _answer(_ALLOW),
            ]
        case "futex":
            tests = [_if_equal(operation, 0, 1) + _answer(_ALLOW) for operation in _FUTEX_OPERATIONS]
            code = _load(_argument(1)) + _op(_AND, _FUTEX_OPERATION) + b"".join(tests) + _refuse(errno.ENOSYS)
            return [code[start : start + 8] for start in range(0, len(code), 8)]
        case "prlimit64":  # pid 0: this process and no other
            return [
                _load(_argument(0)),
                _if_equal(0, 0, 3),
                _load(_argument(0) + 4),
                _if_equal(0, 0, 1),
                _answer(_ALLOW),
                _refuse(errno.EPERM),
            ]
    return [_answer(_ALLOW)]


def _argument(index: int) -> int:
    return 16 + 8 * index


def _load(offset: int) -> bytes:
    return _op(_LOAD, offset)


def _if_equal(value: int, if_true: int, if_false: int) -> bytes:
    return _op(_JUMP_EQUAL, value, if_true, if_false)


def _answer(action: int) -> bytes:
    return _op(_RETURN, action)


def _refuse(code: int) -> bytes:
    return _answer(_ERRNO | code)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """struct sock_filter { u16 code; u8 jt; u8 jf; u32 k; }; jumps count instructions to skip."""
    return struct.pack("<HBBI", code, if_true, if_false, value)
