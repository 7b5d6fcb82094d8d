"""The zygote: a fresh interpreter that has imported everything, and forks a confined child per request.

It is single-threaded, holds no content and parses none: a request is one byte with descriptors attached.
The child gets its end of the client's socket after the fork, so that neither code nor gold is ever in
memory that a later child inherits.

It dies with the client: end-of-file on the control socket, or the client's exit (a pidfd, in case some other
process inherited the socket), means kill the children and go. The children die with it (PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames, probe
from scientific_math_critpt_env.sandbox.checker import serve_checker
from scientific_math_critpt_env.sandbox.pages import collapse
from scientific_math_critpt_env.sandbox.preload import preload
from scientific_math_critpt_env.sandbox.program import serve_program

SPARES = 2
"""Children forked ahead of demand; a fork costs about as much as the rest of a trivial run."""
_GONE = select.EPOLLHUP | select.EPOLLRDHUP | select.EPOLLERR

Serve = Callable[[int], NoReturn]
"""What a child does with the descriptor of its channel."""


def main(config: dict[str, Any]) -> NoReturn:
    """Entry point of the interpreter that the client starts; `config` says what to load and whom to serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    owner = os.pidfd_open(config["owner"])
    control = socket.socket(fileno=config["control"])
    if os.getppid() != config["owner"]:
        os._exit(1)
    refusal, serve = _prepare(config)
    while True:
        if refusal:
            _refuse_all(control, refusal)
        control = Zygote(control, owner, serve).run()


def _prepare(config: dict[str, Any]) -> tuple[str, Serve]:
    """Load everything and try the confinement; returns why it must not be used, or "", and the child's part."""
    role = "checker" if config["function"] else "program"
    vocabulary = preload(config["profile"])
    function = None
    if config["function"]:
        module, _, name = config["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
    refusal = probe.refusal(role)
    gc.collect()
    gc.freeze()
    collapse()
    base = confinement.address_space()

    def serve(channel: int) -> NoReturn:
        if function is not None:
            serve_checker(channel, base, function)
        serve_program(channel, base, vocabulary)

    return refusal, serve


def _refuse_all(control: socket.socket, reason: str) -> NoReturn:
    while True:
        request, descriptors = _receive(control)
        if not request:
            os._exit(0)
        _answer(descriptors, frames.pack_refused(reason))


def _answer(descriptors: list[int], message: bytes) -> None:
    """Answer a request at once, on its status socket, which is the last of its descriptors."""
    with contextlib.suppress(OSError):  # the client may have gone away already
        os.write(descriptors[-1], message)
    for descriptor in descriptors:
        os.close(descriptor)


@dataclass(slots=True)
class _Child:
    pid: int
    pidfd: int
    feed: int
    """Our end of the socket on which a spare waits for its job; -1 once it has one."""
    status: int = -1
    """Where to report its end; -1 for a spare."""
    started: float = 0.0


class Zygote:
    """The event loop: requests in, children out, their ends reported."""

    def __init__(self, control: socket.socket, owner: int, serve: Serve) -> None:
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

    def run(self) -> socket.socket:
        """Serve until the client is gone. Returns only in a twin: with the control socket it has to serve."""
        while True:
            if len(self._spares) < SPARES and not self._poll.poll(0):
                self._spares.append(self._fork())
                continue
            for descriptor, _ in self._poll.poll():
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
        request, descriptors = _receive(self._control)
        if not request:
            self._end()
        if request == frames.HELLO:
            _answer(descriptors, frames.pack_ready())
        elif request == frames.TWIN:
            return self._twin(*descriptors)
        else:
            self._job(*descriptors)
        return None

    def _job(self, channel: int, status: int) -> None:
        child = self._spares.pop() if self._spares else self._fork()
        with socket.socket(fileno=child.feed) as feed:
            with contextlib.suppress(
                BrokenPipeError
            ):  # a spare that died: its end is reported like any other
                socket.send_fds(feed, [frames.JOB], [channel])
        os.close(channel)
        child.feed, child.started = -1, time.monotonic()
        self._watch(child, status)

    def _twin(self, control: int, status: int) -> socket.socket | None:
        pid = os.fork()
        if pid == 0:
            for child in self._by_pidfd.values():
                for descriptor in (child.pidfd, child.feed, child.status):
                    if descriptor >= 0:
                        os.close(descriptor)
            self._poll.close()
            self._control.close()
            os.close(status)
            return socket.socket(fileno=control)
        os.close(control)
        self._watch(self._register(pid, feed=-1), status)
        return None

    def _fork(self) -> _Child:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            self._be_spare(theirs)
        theirs.close()
        return self._register(pid, feed=ours.detach())

    def _be_spare(self, feed: socket.socket) -> NoReturn:
        """In the child: shed everything, then wait for the one descriptor this process will work with."""
        try:
            confinement.detach(self._pid, feed.fileno())
            _, descriptors = _receive(feed)
            if descriptors:
                feed.detach()
                self._serve(descriptors[0])
        finally:
            os._exit(1)

    def _register(self, pid: int, feed: int) -> _Child:
        child = _Child(pid, os.pidfd_open(pid), feed)
        self._by_pidfd[child.pidfd] = child
        self._poll.register(child.pidfd, select.EPOLLIN)
        return child

    def _watch(self, child: _Child, status: int) -> None:
        child.status = status
        self._by_status[status] = child
        self._poll.register(status, select.EPOLLRDHUP)

    def _kill(self, child: _Child) -> None:
        """The client has shut its end of the status socket: it no longer wants this child."""
        os.kill(child.pid, signal.SIGKILL)  # not reaped yet, so the pid is still its own
        self._unwatch(child)

    def _unwatch(self, child: _Child) -> None:
        # Explicitly: closing a descriptor leaves it in the poll set while a freshly forked child holds a copy.
        if self._by_status.pop(child.status, None):
            self._poll.unregister(child.status)

    def _reap(self, child: _Child) -> None:
        _, code, usage = os.wait4(child.pid, 0)
        self._poll.unregister(child.pidfd)
        os.close(child.pidfd)
        del self._by_pidfd[child.pidfd]
        if child in self._spares:
            self._spares.remove(child)
            os.close(child.feed)
        if child.status < 0:
            return
        wall = time.monotonic() - child.started
        cpu = usage.ru_utime + usage.ru_stime
        message = frames.pack_exited(os.waitstatus_to_exitcode(code), cpu, wall, usage.ru_maxrss * 1024)
        with contextlib.suppress(OSError):  # the client has cancelled and gone
            os.write(child.status, message)
        self._unwatch(child)
        os.close(child.status)

    def _end(self) -> NoReturn:
        for child in self._by_pidfd.values():
            os.kill(child.pid, signal.SIGKILL)
        os._exit(0)


def _receive(source: socket.socket) -> tuple[bytes, list[int]]:
    request, descriptors, _, _ = socket.recv_fds(source, 1, 2)
    return request, descriptors
