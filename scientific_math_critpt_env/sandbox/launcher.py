"""The client's handle on one zygote: starts it, keeps a twin in reserve, replaces it when it dies.

A zygote takes seconds to start and milliseconds to fork. So the first thing asked of one is a twin: a fork of
itself with a control socket of its own, idle until the original is gone. Then the twin takes over at once and
forks the next twin. Only if both die together is a new interpreter started.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ConfinementError, InfrastructureError
from scientific_math_critpt_env.sandbox import frames
from scientific_math_critpt_env.sandbox.preload import Profile

_BOOTSTRAP = """
import json, os, sys
os.register_at_fork = lambda **hooks: None
config = json.loads(sys.argv[1])
sys.path[:] = config.pop("path")
from scientific_math_critpt_env.sandbox.birth import main
main(config)
"""
"""No after-fork hooks in a zygote: they repair locks of other threads and reseed `random`. It has one thread,
its children seed for themselves, and the hooks cost each of them a millisecond."""
_FIXED_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",  # a forked child that had BLAS threads dies silently
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "SYMPY_GROUND_TYPES": "python",  # the same arithmetic whether or not gmpy2 or flint is installed
    "MPMATH_NOGMPY": "1",
    "LC_ALL": "C.UTF-8",
}
_KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
"""What an interpreter may need to start at all, and where it may cache; no secret can be in these."""
START_SECONDS = 180.0
"""The longest a zygote may take to start, on a cold and crowded disk."""
GRACE_SECONDS = 30.0
"""The longest one that has started may take to notice something, on a crowded machine."""
_HOME = str(Path(__file__).resolve().parents[2])
"""Where this package is found, also if an import hook rather than `sys.path` found it here."""
_END_SECONDS = 5.0
_MAX_COLD_STARTS = 3
"""Interpreters that may die in a row without ever having served, before that is called an error."""


class Launcher:
    """One zygote and its twin, from any thread. Never waits for the zygote. Once closed it stays closed."""

    def __init__(self, profile: Profile, function: str = "") -> None:
        self._profile: Profile = profile
        self._function = function
        self._lock = threading.Lock()
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._twin: socket.socket | None = None
        self._twin_status: socket.socket | None = None
        self._generation = 0
        self._unserved = 0
        self._ready = False
        self._errors = -1

    @property
    def generation(self) -> int:
        """Changes with every zygote: says which one a request went to."""
        return self._generation

    def submit(self, request: bytes, descriptors: list[int]) -> int:
        """Send a request, starting a zygote if there is none; returns its generation.

        Raises BlockingIOError while the zygote has too many requests before it (try again soon), and
        InfrastructureError where no zygote can be started, or none may be any more.
        """
        with self._lock:
            while True:
                if self._control is None:
                    self._start()
                assert self._control is not None
                try:
                    socket.send_fds(self._control, [request], descriptors)
                except (BrokenPipeError, ConnectionResetError):
                    self._replace()
                    continue
                self._keep_twin()
                return self._generation

    def ensure_started(self) -> None:
        with self._lock:
            if self._control is None:
                self._start()

    def patience(self) -> float:
        """Seconds beyond a job's own wall limit after which the zygote is taken for dead."""
        return GRACE_SECONDS if self._ready else START_SECONDS

    def lost(self, generation: int) -> None:
        """A request of that generation got no answer: its zygote is dead or does not answer any more."""
        with self._lock:
            if generation == self._generation and self._control is not None:
                self._replace()

    def served(self) -> None:
        """The zygote has answered, so that it can start on this machine."""
        self._unserved = 0
        self._ready = True

    def close(self) -> None:
        """End the zygote and its twin, and everything they have forked."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
            self._let_go(shutdown=True)
            if process is not None:
                _bury(process)

    def abandon(self) -> None:
        """In a forked copy of the owner: close our copies of its sockets, and leave its zygote alone."""
        self._closed = True
        self._let_go(shutdown=False)
        if self._process is not None:
            self._process.returncode = 0  # not our child: do not wait for it, nor warn
            self._process = None

    def _let_go(self, *, shutdown: bool) -> None:
        for held in (self._control, self._twin, self._twin_status):
            if held is not None:
                if shutdown:  # reaches the other end also while somebody else holds a copy of this one
                    with contextlib.suppress(OSError):  # the other end may be gone
                        held.shutdown(socket.SHUT_RDWR)
                held.close()
        self._control = self._twin = self._twin_status = None
        self._close_errors()

    def _start(self) -> None:
        if self._closed:
            raise InfrastructureError("the sandbox was closed before this was done")
        if self._unserved >= _MAX_COLD_STARTS:
            self._unserved = 0
            raise InfrastructureError(f"the sandbox's interpreter dies while it starts: {self._last_words()}")
        self._unserved += 1
        self._ready = False
        self._close_errors()
        self._errors = os.memfd_create("zygote-stderr")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        config: dict[str, Any] = {
            "path": [*map(os.path.abspath, sys.path), _HOME],
            "control": theirs.fileno(),
            "owner": os.getpid(),
            "profile": self._profile,
            "function": self._function,
        }
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        self._control = ours
        self._generation += 1
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", "-c", _BOOTSTRAP, json.dumps(config)],
                env=environment | _FIXED_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a Ctrl-C is the trainer's to handle
                cwd="/",
            )

    def _keep_twin(self) -> None:
        """See to it that there is a twin. Without one all works as well, until the zygote dies."""
        assert self._control is not None
        if self._twin_lives():
            return
        self._drop_twin()
        try:
            twin, twin_far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            status, status_far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with twin_far, status_far:
                socket.send_fds(self._control, [frames.TWIN], [twin_far.fileno(), status_far.fileno()])
        except OSError:
            return  # no descriptors, or the zygote is busy or dead: the next request tries again
        twin.setblocking(False)
        self._twin, self._twin_status = twin, status

    def _twin_lives(self) -> bool:
        if self._twin_status is None:
            return False
        try:
            self._twin_status.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            pass
        return False  # whatever was said of it can only be of its end

    def _drop_twin(self) -> None:
        for held in (self._twin, self._twin_status):
            if held is not None:
                held.close()
        self._twin = self._twin_status = None

    def _replace(self) -> None:
        """The twin takes over; without one, the next request starts a new interpreter."""
        assert self._control is not None
        self._control.close()
        self._control = self._twin
        self._twin = None
        self._drop_twin()
        self._generation += 1
        if self._process is not None:
            self._process.kill()
            _bury(self._process)
            self._process = None

    def _last_words(self) -> str:
        if self._errors < 0:
            return "it said nothing"
        said = os.pread(self._errors, 1 << 16, 0).decode(errors="replace").strip()
        return said.splitlines()[-1] if said else "it said nothing"

    def _close_errors(self) -> None:
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1


def _bury(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def turned_away(status: frames.Status) -> InfrastructureError:
    """What to raise where the zygote says that it cannot serve."""
    if status.kind == "refused":
        return ConfinementError(f"cannot run untrusted code on this machine: {status.reason}")
    return InfrastructureError(f"the sandbox cannot work: {status.reason}")
