"""Tries the confinement for real before anything relies on it.

A child confines itself as a program or checker is, then attempts what must be refused. Only the right refusal
counts: a sandbox that cannot show that it holds refuses to start, and there is no mode without it.
"""

from __future__ import annotations

import errno
import mmap
import os
import resource
import signal
import socket
from collections.abc import Callable

from scientific_math_critpt_env.sandbox import confinement, kernel

_HELD = b"held"
_ADVICE = "run where seccomp filters are allowed: on Linux, and in containers with Docker's default profile"


def refusal(filter: kernel.Filter) -> str:
    """Why this machine cannot confine a process, with what to do about it, in one line; "" if it can."""
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.dup2(theirs.fileno(), confinement.CHANNEL)
        try:
            confinement.harden()
            confinement.detach(parent, confinement.CHANNEL)
            confinement.seal(filter, confinement.CHANNEL)
            os.write(confinement.CHANNEL, _trespass().encode() or _HELD)
        except OSError as error:
            os.write(confinement.CHANNEL, str(error.strerror).encode())
        finally:
            confinement.leave()
    theirs.close()
    with ours:
        verdict = ours.recv(1000)
    _, status = os.waitpid(pid, 0)
    if verdict == _HELD:
        return ""
    how = os.waitstatus_to_exitcode(status)
    return f"{verdict.decode(errors='replace') or f'a confined child died ({how})'}; {_ADVICE}"


def _trespass() -> str:
    """Attempt what must not work, in a sealed process; "" if every attempt is refused."""
    attempts: dict[str, Callable[[], object]] = {
        "opening a file": lambda: os.open(os.devnull, os.O_RDONLY),
        "forking": _fork,
        "creating a socket": socket.socket,
        "sending a signal": lambda: os.kill(os.getppid(), 0),
        "changing a signal handler": lambda: signal.signal(signal.SIGALRM, signal.SIG_IGN),
        "masking a signal": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]),
        "reading limits of another process": lambda: resource.prlimit(1, resource.RLIMIT_CORE),
        "mapping executable memory": lambda: mmap.mmap(
            -1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_EXEC
        ),
    }
    for what, attempt in attempts.items():
        try:
            attempt()
        except OSError as error:
            if error.errno != errno.EPERM:  # EPERM is the filter's answer; it comes before any other check
                return f"{what} in a confined process failed for another reason: {error.strerror}"
        else:
            return f"{what} was not refused in a confined process"
    return ""


def _fork() -> None:
    if os.fork() == 0:
        confinement.leave()
