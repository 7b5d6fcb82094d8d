"""From a fresh interpreter to a zygote: load, try the confinement, freeze the heap, serve."""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames, kernel, probe, seccomp
from scientific_math_critpt_env.sandbox.checker import serve_checker
from scientific_math_critpt_env.sandbox.pages import collapse
from scientific_math_critpt_env.sandbox.preload import preload
from scientific_math_critpt_env.sandbox.zygote import Serve, Zygote, answer, receive

Work = Callable[[int, int], NoReturn]
"""What a child does, given its channel and the bytes that the interpreter maps."""

_DESCRIPTORS = 1 << 16
"""A zygote holds two for each child; the usual soft limit of 1,024 would be 500 children."""


def main(config: dict[str, Any]) -> NoReturn:
    """Entry point of the interpreter that a client starts.

    `config`: "control" (descriptor), "owner" (pid of the client), "profile", and "function", the checker
    function as "module:name" for a zygote of checkers, "" for a zygote of programs.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, _DESCRIPTORS), most))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the client's to handle
    owner = os.pidfd_open(config["owner"])
    control = socket.socket(fileno=config["control"])
    if os.getppid() != config["owner"]:  # it died before the pidfd was its own
        confinement.leave(1)
    try:
        prepared = _prepare(config["profile"], config["function"])
    except Exception as error:  # noqa: BLE001 - told to the client, which raises it
        reason = " ".join(f"its interpreter could not load: {type(error).__name__}: {error}".split())
        prepared = frames.Status("broken", reason=reason)
    if isinstance(prepared, frames.Status):
        _turn_away(control, prepared)
    while True:  # one round, and one more in each twin
        control = Zygote(control, owner, prepared).run()


def _prepare(profile: Any, function: str) -> Serve | frames.Status:
    """What the children will do; or why there must not be any."""
    if reason := seccomp.unsupported():
        return frames.Status("refused", reason=f"{reason}; use such a machine")
    filter = confinement.filter_for("checker" if function else "program")
    if reason := probe.refusal(filter):
        return frames.Status("refused", reason=reason)
    work = _checks(function, profile, filter) if function else _programs(profile, filter)
    gc.collect()
    gc.freeze()  # else the first collection in a child copies every page with an object on it
    collapse()
    base_bytes = confinement.address_space()
    confinement.harden()
    return lambda channel: work(channel, base_bytes)


def _checks(function: str, profile: Any, filter: kernel.Filter) -> Work:
    check = _load(function)
    preload(profile)
    return lambda channel, base_bytes: serve_checker(channel, base_bytes, filter, check)


def _programs(profile: Any, filter: kernel.Filter) -> Work:
    # The codec that this brings along takes a checker, which may have no use for it, a tenth of a second.
    from scientific_math_critpt_env.sandbox.program import rehearse, serve_program

    vocabulary = preload(profile)
    rehearse(vocabulary)
    return lambda channel, base_bytes: serve_program(channel, base_bytes, filter, vocabulary)


def _load(function: str) -> Any:
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)


def _turn_away(control: socket.socket, status: frames.Status) -> NoReturn:
    """Answer every request with why it is not served, until the client has heard enough."""
    while True:
        request, descriptors = receive(control)
        if not request:
            confinement.leave()
        answer(descriptors, status)
