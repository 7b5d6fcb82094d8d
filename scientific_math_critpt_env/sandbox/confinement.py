"""Takes away from a forked process everything but its memory, one descriptor and its time.

Three independent fences: what the process holds (descriptors, capabilities), what the kernel will do for it
(`seccomp`, Landlock where there is one), and how much it may use (rlimits and two kill timers). The timers
are the kernel's: SIGPROF after the CPU time, SIGALRM after the wall time, with the default action, in a
process that cannot change handlers, masks or timers. So they stop C loops as well, and nobody has to watch.

Not covered: bugs of the kernel in the few calls allowed, and side channels between processes of one machine.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import signal
from typing import NoReturn

from scientific_math_critpt_env.sandbox import kernel, seccomp

CHANNEL = 3
"""The only descriptor a confined process holds besides /dev/null on 0, 1 and 2."""

_MOST_DESCRIPTORS = 8
"""A confined process has four and cannot open any: this only has to be small."""
_BEYOND_DESCRIPTORS = 1 << 16
"""Everything below is closed; a zygote has no higher ones."""

_OOM_SCORE = b"900"
"""Out of memory, the kernel shall take a candidate before the trainer (scale -1000 to 1000)."""

_NONE_OF_IT = (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE)

_KILLERS = (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU)

_LANDLOCK_RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
"""File rights that Landlock knows from that version on; one that is handled without a rule is denied."""


def harden() -> None:
    """First part, once in the zygote, inherited by all it forks: what none of them needs any more.

    No files (where there is Landlock), no capabilities, nobody reads their memory, no terminal; and nothing
    between the kill timers and their effect. Raises OSError if any of it is refused.
    """
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    _prefer_as_victim()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    for number in _NONE_OF_IT:
        resource.setrlimit(number, (0, 0))
    for killer in _KILLERS:
        signal.signal(killer, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.drop_capabilities()
    _deny_files()


def detach(parent: int, keep: int) -> None:
    """Second part, in a child that has no job yet: drop every inherited descriptor but `keep`.

    `parent` is the pid this process must die with.
    """
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        leave(1)
    os.closerange(3, keep)
    os.closerange(keep + 1, _BEYOND_DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # does not bind root: the filter refuses forks to all


def seal(filter: kernel.Filter, channel: int) -> None:
    """Third part: `channel` becomes descriptor 3, every other one is closed, the filter goes up."""
    if channel != CHANNEL:
        os.dup2(channel, CHANNEL, inheritable=False)
    os.closerange(CHANNEL + 1, _BEYOND_DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_MOST_DESCRIPTORS, _MOST_DESCRIPTORS))
    filter.install()


def filter_for(role: seccomp.Role) -> kernel.Filter:
    """The system-call filter of a role, to be made before the fork."""
    return kernel.Filter(seccomp.assemble(role))


def arm(cpu_seconds: float, wall_seconds: float) -> None:
    """Start the two kill timers; (0, 0) stops them."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


def limit_for_good(cpu_seconds: float, total_bytes: int) -> None:
    """Limits of a process with one job: its address space, and a second, coarser CPU limit by SIGKILL."""
    ceiling = math.ceil(cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (ceiling, ceiling))
    resource.setrlimit(resource.RLIMIT_AS, (total_bytes, total_bytes))


def limit_memory(total_bytes: int) -> None:
    """Limit on the address space that this process may set again for its next job."""
    resource.setrlimit(resource.RLIMIT_AS, (total_bytes, resource.getrlimit(resource.RLIMIT_AS)[1]))


def address_space() -> int:
    """Bytes of address space this process maps."""
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def leave(code: int = 0) -> NoReturn:
    """End now: no exit hook, no destructor, no flush."""
    os._exit(code)


def _prefer_as_victim() -> None:
    with contextlib.suppress(OSError):  # no /proc here: a preference about whom to kill first, not a fence
        score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(score, _OOM_SCORE)
        finally:
            os.close(score)


def _deny_files() -> None:
    """Deny the whole file system a second time, where the kernel has Landlock.

    Seccomp already refuses every way to a path, so that a kernel without it is no reason to stop.
    """
    version = kernel.landlock_version()
    if version:
        kernel.landlock_deny(max(rights for least, rights in _LANDLOCK_RIGHTS.items() if version >= least))
