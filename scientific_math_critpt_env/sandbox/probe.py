"""Tries the confinement for real before anything relies on it.

A child seals itself as a program or checker does, then attempts what must be refused. Only the right refusal
counts: a sandbox that cannot show that it holds refuses to start, and there is no mode without it.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable

from scientific_math_critpt_env.sandbox import confinement, seccomp

_ADVICE = "run it where the container allows seccomp filters (Docker's default profile does)"


def refusal(role: seccomp.Role) -> str:
    """Why this machine cannot confine a process, with what to do about it; "" if it can."""
    if reason := seccomp.supported():
        return f"{reason}; use one of those machines"
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            confinement.detach(parent, theirs.fileno())
            confinement.seal(role, theirs.fileno())
            os.write(confinement.CHANNEL, _trespass().encode() or b"held")
        except OSError as error:
            os.write(theirs.fileno(), f"{error.strerror or error}".encode())
        finally:
            os._exit(0)
    theirs.close()
    with ours:
        verdict = ours.recv(1000).decode(errors="replace")
    _, code = os.waitpid(pid, 0)
    if verdict == "held":
        return ""
    return f"{verdict or f'a confined child died (status {code})'}; {_ADVICE}"


def _trespass() -> str:
    """Attempt what must not work, in a sealed process; "" if every attempt is refused with EPERM."""
    attempts: dict[str, Callable[[], object]] = {
        "opening a file": lambda: os.open("/dev/null", os.O_RDONLY),
        "forking": _fork,
        "creating a socket": socket.socket,
        "sending a signal": lambda: os.kill(os.getppid(), 0),
        "changing a signal handler": lambda: signal.signal(signal.SIGALRM, signal.SIG_IGN),
        "raising a limit of another process": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    }
    for what, attempt in attempts.items():
        try:
            attempt()
        except PermissionError:
            continue
        except OSError as error:
            return f"{what} failed with {error.strerror} instead of being refused"
        return f"{what} was not refused in a confined process"
    return ""


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
