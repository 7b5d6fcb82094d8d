"""A checker function for tests: what it does, the first word of the payload says."""

from __future__ import annotations

import ctypes
import os
import time

from scientific_math_critpt_env.sandbox.codec import DecodeError, decode

_held: list[object] = []


def check(payload: bytes) -> bytes:
    """`echo x`, `read VALUE`, or one of the ways for a checker to go wrong."""
    command, _, rest = payload.partition(b" ")
    match command:
        case b"echo":
            return rest
        case b"read":
            try:
                return repr(decode(rest)).encode()
            except DecodeError as error:
                return f"refused: {error}".encode()
        case b"served":
            _held.append(None)
            return str(len(_held)).encode()
        case b"spin":
            while True:
                pass
        case b"spin-for":
            end = time.process_time() + float(rest)
            while time.process_time() < end:
                pass
            return b"done"
        case b"sleep":
            os.read(3, 1)  # the only thing left to wait for: what the client does not send
        case b"fill":
            _held.append(bytearray(int(rest)))
        case b"raise":
            raise RuntimeError("the text of this must not travel")
        case b"crash":
            ctypes.string_at(0)
        case b"exit":
            os._exit(3)
        case b"trespass":
            return _trespass()
    return b""


def _trespass() -> bytes:
    attempts = (lambda: os.open("/etc/passwd", os.O_RDONLY), os.fork, lambda: os.kill(1, 0), os.pipe)
    refused = 0
    for attempt in attempts:
        try:
            attempt()
        except PermissionError:
            refused += 1
    return f"{refused} of {len(attempts)} refused".encode()
