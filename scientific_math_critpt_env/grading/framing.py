"""How a request to the checker is laid out: the length of a JSON header, the header, a value tree.

Kept apart from `checking`, so that the trainer's process can write requests without importing SymPy.
"""

from __future__ import annotations

import json
import struct
from typing import Any

_LENGTH = struct.Struct("!I")


def pack(request: dict[str, Any], value: bytes = b"") -> bytes:
    """Frame a request (`operation`, `problem` as JSON text, `grader`, `policy`) and an encoded value tree."""
    header = json.dumps(request, separators=(",", ":")).encode()
    return _LENGTH.pack(len(header)) + header + value


def unpack(payload: bytes) -> tuple[dict[str, Any], bytes]:
    """The request and the value tree of `pack`."""
    (length,) = _LENGTH.unpack_from(payload)
    end = _LENGTH.size + length
    return json.loads(payload[_LENGTH.size : end]), payload[end:]
