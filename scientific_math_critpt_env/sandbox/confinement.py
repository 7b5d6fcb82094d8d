"""Takes away from a forked process everything but its memory, one descriptor and its time.

Three independent fences: what the process holds (descriptors, capabilities), what the kernel will do for it
(`seccomp`, Landlock where there is one), and how much it may use (rlimits and two kill timers). The timers
are the kernel's: SIGPROF after the CPU time, SIGALRM after the wall time, with the default action, in a
process that cannot change handlers, masks or timers. So they stop C loops as well, and nobody has to watch.

Not covered: bugs of the kernel in the few calls allowed, and side channels between processes of one machine.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import struct
from typing import NoReturn

from scientific_math_critpt_env.sandbox import seccomp

CHANNEL = 3
"""The only descriptor a confined process holds besides /dev/null on 0, 1 and 2."""

_DESCRIPTORS = 8
"""Highest number of descriptors a confined process could have: it has four and cannot open any."""

_HIGHEST_DESCRIPTOR = 1 << 20
"""Everything below is closed; a zygote has a few dozen open."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_OOM_SCORE = b"900"
"""Out of memory, the kernel shall take a candidate before the trainer (scale -1000 to 1000)."""

_NEVER_IN_BYTES = (
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_CORE,
    resource.RLIMIT_NPROC,
    resource.RLIMIT_MEMLOCK,
    resource.RLIMIT_MSGQUEUE,
)


def detach(parent: int, keep: int) -> None:
    """First half, before there is a job: drop what was inherited, except the descriptor `keep`.

    Raises OSError if any of it is refused; `parent` is the pid this process must die with.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _prctl(libc, _PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)
    _prctl(libc, _PR_SET_DUMPABLE, 0)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    _close_all_but(keep)
    try:
        score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(score, _OOM_SCORE)
        os.close(score)
    except OSError:
        pass  # no /proc here: a preference about whom to kill first, not a fence
    for number in _NEVER_IN_BYTES:
        resource.setrlimit(number, (0, 0))
    _drop_capabilities(libc)
    _landlock(libc)
    signal.set_wakeup_fd(-1)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)


def seal(role: seccomp.Role, channel: int) -> None:
    """Second half: `channel` becomes descriptor 3, every other one is closed, the filter goes up.

    A program's limits are set before this; a checker renews its own for every job.
    """
    if channel != CHANNEL:
        os.dup2(channel, CHANNEL, inheritable=False)
    os.closerange(CHANNEL + 1, _HIGHEST_DESCRIPTOR)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_DESCRIPTORS, _DESCRIPTORS))
    seccomp.install(role)


def arm(cpu_seconds: float, wall_seconds: float) -> None:
    """Start the two kill timers; (0, 0) stops them."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


def limit_cpu_hard(cpu_seconds: float) -> None:
    """A second, coarser CPU limit (whole seconds) that no signal handling could evade: SIGKILL."""
    ceiling = math.ceil(cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (ceiling, ceiling))


def limit_memory(total_bytes: int) -> None:
    """Limit on the address space, which this process may set again for its next job."""
    resource.setrlimit(resource.RLIMIT_AS, (total_bytes, resource.getrlimit(resource.RLIMIT_AS)[1]))


def limit_memory_for_good(total_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (total_bytes, total_bytes))


def leave(code: int = 0) -> NoReturn:
    """End now: no atexit hook, no destructor, no flush."""
    os._exit(code)


def address_space() -> int:
    """Bytes of address space this process maps."""
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def _prctl(libc: ctypes.CDLL, option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    if libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero):
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}): {os.strerror(code)}")


def _close_all_but(keep: int) -> None:
    os.closerange(3, keep)
    os.closerange(keep + 1, _HIGHEST_DESCRIPTOR)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Empty effective, permitted and inheritable sets: a root process keeps only its user id."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
    nothing = ctypes.create_string_buffer(24)
    if libc.capset(header, nothing):
        code = ctypes.get_errno()
        raise OSError(code, f"capset: {os.strerror(code)}")


_LANDLOCK = {"x86_64": (444, 446), "aarch64": (444, 446)}
_LANDLOCK_RIGHTS = ((1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (5, 0xFFFF))
"""File rights a kernel of at least that Landlock version handles; handling one without a rule denies it."""


def _landlock(libc: ctypes.CDLL) -> None:
    """Deny the whole file system a second time, where the kernel has Landlock; elsewhere nothing.

    Seccomp already refuses every way to a path, so that a kernel without it is no reason to stop.
    """
    create, restrict = _LANDLOCK[os.uname().machine]
    version = libc.syscall(create, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return
    rights = max(mask for least, mask in _LANDLOCK_RIGHTS if version >= least)
    ruleset = libc.syscall(create, ctypes.byref(ctypes.c_uint64(rights)), ctypes.c_size_t(8), 0)
    if ruleset < 0:
        return
    _prctl(libc, 38, 1)
    libc.syscall(restrict, ruleset, 0)
    os.close(ruleset)
