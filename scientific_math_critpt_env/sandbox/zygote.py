"""The zygote: a fresh interpreter that has imported everything, and forks a confined child per request.

It is single-threaded, holds no content and parses none: a request is one byte with descriptors attached.
The child gets its end of the client's socket after the fork, so that neither code nor gold is ever in
memory that a later child inherits.

It dies with the client: end-of-file on the control socket, or the client's exit (a pidfd, in case some other
process inherited the socket), means kill the children and go. The children die with it (PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames

SPARES = 2
"""Children forked ahead of demand; a fork costs about as much as the rest of a trivial run."""

Serve = Callable[[int], NoReturn]
"""What a child does with the descriptor of its channel."""


@dataclass(slots=True)
class _Child:
    pid: int
    pidfd: int
    feed: int = -1
    """Our end of the socket on which a spare waits for its job; -1 once it has one."""
    status: int = -1
    """Where to report its end; -1 for a spare."""
    started: float = 0.0


class Zygote:
    """The event loop: requests in, children out, their ends reported."""

    def __init__(self, control: socket.socket, owner: int, serve: Serve) -> None:
        """`owner` is a pidfd of the client."""
        self._control = control
        self._owner = owner
        self._serve = serve
        self._pid = os.getpid()
        self._poll = select.epoll()
        self._poll.register(control.fileno(), select.EPOLLIN)
        self._poll.register(owner, select.EPOLLIN)
        self._by_pidfd: dict[int, _Child] = {}
        self._by_status: dict[int, _Child] = {}
        self._spares: list[_Child] = []
        self._wanted = SPARES

    def run(self) -> socket.socket:
        """Serve until the client is gone. Returns only in a twin: the control socket it has to serve."""
        while True:
            events = self._poll.poll(-1 if len(self._spares) >= self._wanted else 0)
            if not events:  # nothing to do: get ahead of the next request
                self._prepare_spare()
            for descriptor, _ in events:
                if descriptor == self._owner:
                    self._end()
                elif descriptor == self._control.fileno():
                    twin = self._request()
                    if twin is not None:
                        return twin
                elif descriptor in self._by_pidfd:
                    self._reap(self._by_pidfd[descriptor])
                elif descriptor in self._by_status:
                    self._kill(self._by_status[descriptor])

    def _request(self) -> socket.socket | None:
        request, descriptors = receive(self._control)
        if not request:
            self._end()
        if request == frames.TWIN:
            return self._fork_twin(*descriptors)
        if request == frames.JOB:
            self._hand_over(*descriptors)
        else:
            answer(descriptors, frames.Status("ready", self._pid))
        return None

    def _prepare_spare(self) -> None:
        try:
            self._spares.append(self._fork_spare())
        except OSError:  # no process or no memory to be had: whoever needs one now will be told
            self._wanted = 0

    def _hand_over(self, channel: int, status: int) -> None:
        self._wanted = SPARES
        try:
            child = self._spares.pop() if self._spares else self._fork_spare()
        except OSError as error:
            return answer([channel, status], frames.Status("broken", reason=f"cannot fork: {error.strerror}"))
        with socket.socket(fileno=child.feed) as feed:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died: reported like any end
                socket.send_fds(feed, [frames.JOB], [channel])
        os.close(channel)
        child.feed, child.started = -1, time.monotonic()
        return self._watch(child, status)

    def _fork_twin(self, control: int, status: int) -> socket.socket | None:
        try:
            pid = os.fork()
        except OSError:  # then there is none; the client asks again with its next job
            os.close(control)
            os.close(status)
            return None
        if pid == 0:
            self._poll.close()
            self._control.close()
            held = [fd for child in self._by_pidfd.values() for fd in (child.pidfd, child.feed, child.status)]
            for descriptor in (*held, status):
                if descriptor >= 0:
                    os.close(descriptor)
            return socket.socket(fileno=control)
        os.close(control)
        self._watch(self._register(_Child(pid, os.pidfd_open(pid))), status)
        return None

    def _fork_spare(self) -> _Child:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                pid = os.fork()
            except OSError:
                ours.close()
                raise
            if pid == 0:
                self._be_spare(theirs)
        return self._register(_Child(pid, os.pidfd_open(pid), feed=ours.detach()))

    def _be_spare(self, feed: socket.socket) -> NoReturn:
        """In the child: shed everything, then wait for the one descriptor this process will work with."""
        try:
            confinement.detach(self._pid, feed.fileno())
            _, descriptors = receive(feed)
            if descriptors:
                self._serve(descriptors[0])
        finally:
            confinement.leave(1)

    def _register(self, child: _Child) -> _Child:
        self._by_pidfd[child.pidfd] = child
        self._poll.register(child.pidfd, select.EPOLLIN)
        return child

    def _watch(self, child: _Child, status: int) -> None:
        child.status = status
        self._by_status[status] = child
        self._poll.register(status, select.EPOLLRDHUP)

    def _unwatch(self, child: _Child) -> None:
        # Said to the poll set too: it would keep a closed descriptor while a fresh fork still holds a copy.
        if self._by_status.pop(child.status, None):
            self._poll.unregister(child.status)

    def _kill(self, child: _Child) -> None:
        """The client has shut its end of the status socket: it no longer wants this child."""
        os.kill(child.pid, signal.SIGKILL)  # not reaped yet, so the pid is still its own
        self._unwatch(child)

    def _reap(self, child: _Child) -> None:
        _, code, usage = os.wait4(child.pid, 0)
        self._poll.unregister(child.pidfd)
        os.close(child.pidfd)
        del self._by_pidfd[child.pidfd]
        if child.status < 0:
            self._spares.remove(child)
            os.close(child.feed)
            return
        self._unwatch(child)
        cpu, wall = usage.ru_utime + usage.ru_stime, time.monotonic() - child.started
        code = os.waitstatus_to_exitcode(code)
        answer([child.status], frames.Status("exited", code, cpu, wall, usage.ru_maxrss * 1024))

    def _end(self) -> NoReturn:
        for child in self._by_pidfd.values():
            os.kill(child.pid, signal.SIGKILL)
        confinement.leave()


def receive(source: socket.socket) -> tuple[bytes, list[int]]:
    """One request and its descriptors; b"" where the other side has gone."""
    request, descriptors, _, _ = socket.recv_fds(source, 1, 2)
    return request, descriptors


def answer(descriptors: list[int], status: frames.Status) -> None:
    """Answer a request on its status socket, the last of its descriptors, and close them all."""
    with contextlib.suppress(OSError):  # the client may have gone away already
        os.write(descriptors[-1], frames.pack_status(status))
    for descriptor in descriptors:
        os.close(descriptor)
