"""A confined process as its client sees it: a socket for data, a socket that tells of its end."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from dataclasses import dataclass, field

from scientific_math_critpt_env.errors import InfrastructureError
from scientific_math_critpt_env.sandbox import frames
from scientific_math_critpt_env.sandbox.launcher import Launcher
from scientific_math_critpt_env.sandbox.waiting import Ready, Steps

_RETRY_SECONDS = 0.02
"""Between two attempts at a zygote whose queue is full."""
_CHUNK = 1 << 16


@dataclass(slots=True)
class Hired:
    """One confined process. Closing it, at whatever point, kills it."""

    data: socket.socket
    status: socket.socket
    generation: int
    owner: int = field(default_factory=os.getpid)
    cpu_seconds: float = 0.0
    """What the jobs cost that it has answered."""

    def close(self) -> None:
        if self.owner == os.getpid():  # a forked copy of the trainer must not end what its parent works with
            for held in (self.status, self.data):
                with contextlib.suppress(OSError):  # already shut by the other side
                    held.shutdown(socket.SHUT_RDWR)
        self.status.close()
        self.data.close()

    def kill(self) -> None:
        """Have it killed and its end still reported."""
        with contextlib.suppress(OSError):  # it has ended by itself
            self.status.shutdown(socket.SHUT_WR)

    def send(self, payload: bytes, deadline: float) -> Steps[bool]:
        """False where the other side is gone or does not read before the deadline."""
        view = memoryview(payload)
        while view:
            try:
                view = view[self.data.send(view) :]
            except BlockingIOError:
                if not (yield Ready(self.data.fileno(), deadline, write=True)):
                    return False
            except (BrokenPipeError, ConnectionResetError):
                return False
        return True

    def no_more(self) -> None:
        """Nothing else will be sent: reading on does not wait."""
        with contextlib.suppress(OSError):  # it has ended by itself
            self.data.shutdown(socket.SHUT_WR)

    def receive(self, deadline: float, most: int = _CHUNK) -> Steps[bytes | None]:
        """Up to `most` bytes; b"" at the end of the stream; None at the deadline."""
        while True:
            try:
                return self.data.recv(min(most, _CHUNK))
            except BlockingIOError:
                if not (yield Ready(self.data.fileno(), deadline)):
                    return None
            except ConnectionResetError:
                return b""

    def receive_exactly(self, size: int, deadline: float) -> Steps[bytes | None]:
        """`size` bytes; b"" where the stream ends before that; None at the deadline."""
        parts = []
        while size:
            part = yield from self.receive(deadline, size)
            if not part:
                return part
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def end(self, deadline: float) -> Steps[frames.Status | None]:
        """How the process ended; None where its zygote ended first, or says nothing before the deadline."""
        while True:
            try:
                message = self.status.recv(frames.STATUS_BYTES)
            except BlockingIOError:
                if not (yield Ready(self.status.fileno(), deadline)):
                    return None
            except ConnectionResetError:
                return None
            else:
                return frames.unpack_status(message) if message else None


def hire(launcher: Launcher, request: bytes = frames.JOB) -> Steps[Hired]:
    """Ask the zygote for a process; returns at once, before there is one.

    Raises InfrastructureError where there are no descriptors left, or no interpreter can be started.
    """
    try:
        data, data_far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        status, status_far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError as error:
        raise _unable(error) from error
    hired = Hired(data, status, 0)
    data.setblocking(False)
    status.setblocking(False)
    try:
        with data_far, status_far:
            while True:
                try:
                    hired.generation = launcher.submit(request, [data_far.fileno(), status_far.fileno()])
                except BlockingIOError:
                    # Its own socket, which says nothing yet: one descriptor is waited for by one task only.
                    yield Ready(data.fileno(), time.monotonic() + _RETRY_SECONDS)
                else:
                    return hired
    except OSError as error:
        hired.close()
        raise _unable(error) from error
    except BaseException:
        hired.close()
        raise


def _unable(error: OSError) -> InfrastructureError:
    return InfrastructureError(f"cannot ask for a confined process: {error}")
