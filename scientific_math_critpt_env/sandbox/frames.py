"""The bytes between the client, the zygote and a confined process.

Sizes are fixed or bounded. What a confined process writes is never parsed beyond the structs below.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Literal

from scientific_math_critpt_env.sandbox.failures import LONGEST_NAME, Failure, outcome_of
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome, Program

# ---- client to zygote: one byte, and descriptors, the status socket last ----

HELLO, TWIN, JOB = b"h", b"t", b"j"

# ---- zygote to client, on the status socket: one message ----

_STATUS = struct.Struct("=ciddQ")
_MOST_REASON = 2000
STATUS_BYTES = _STATUS.size + _MOST_REASON
_KINDS: dict[bytes, Literal["ready", "refused", "broken", "exited"]] = {
    b"r": "ready",
    b"x": "refused",
    b"b": "broken",
    b"e": "exited",
}


@dataclass(frozen=True, slots=True)
class Status:
    """What the zygote says: it is ready, cannot confine, could not load, or a child of it has ended."""

    kind: Literal["ready", "refused", "broken", "exited"]
    code: int = 0
    """Of a child: exit code, or minus the signal that killed it. Of a zygote that is ready: its pid."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0
    reason: str = ""


def pack_status(status: Status) -> bytes:
    tag = next(tag for tag, kind in _KINDS.items() if kind == status.kind)
    fields = _STATUS.pack(tag, status.code, status.cpu_seconds, status.wall_seconds, status.peak_bytes)
    return fields + status.reason.encode()[:_MOST_REASON]


def unpack_status(message: bytes) -> Status:
    tag, code, cpu, wall, peak = _STATUS.unpack_from(message)
    return Status(_KINDS[tag], code, cpu, wall, peak, message[_STATUS.size :].decode(errors="replace"))


# ---- client to program: one request ----

LENGTH = struct.Struct("=I")
_PROGRAM = struct.Struct("=ddQQQQQ?III")
"""The fields of Limits, whether the builtins are restricted, the sizes of the texts that follow.

Not JSON as a whole: a freshly forked process pays for every page it touches, and this touches few."""


def pack_program(program: Program, limits: Limits) -> bytes:
    texts = [
        program.code.encode(errors="surrogatepass"),
        program.entry_point.encode(),
        _pack_calls(program.calls),
    ]
    whole = map(int, (limits.memory_bytes, limits.output_bytes, limits.nodes, limits.depth, limits.bits))
    restricted = program.builtins == "restricted"
    header = _PROGRAM.pack(limits.cpu_seconds, limits.wall_seconds, *whole, restricted, *map(len, texts))
    body = b"".join([header, *texts])
    return LENGTH.pack(len(body)) + body


def unpack_program(body: bytes) -> tuple[Program, Limits]:
    cpu, wall, memory, output, nodes, depth, bits, restricted, *sizes = _PROGRAM.unpack_from(body)
    code_end = _PROGRAM.size + sizes[0]
    name_end = code_end + sizes[1]
    program = Program(
        code=body[_PROGRAM.size : code_end].decode(errors="surrogatepass"),
        entry_point=body[code_end:name_end].decode(),
        calls=_unpack_calls(body[name_end:]),
        builtins="restricted" if restricted else "import-only",
    )
    limits = Limits(
        cpu_seconds=cpu,
        wall_seconds=wall,
        memory_bytes=memory,
        output_bytes=output,
        nodes=nodes,
        depth=depth,
        bits=bits,
    )
    return program, limits


def _pack_calls(calls: tuple[dict[str, str], ...]) -> bytes:
    return b"" if calls == ({},) else json.dumps(calls).encode()


def _unpack_calls(text: bytes) -> tuple[dict[str, str], ...]:
    return tuple(json.loads(text)) if text else ({},)


# ---- program to client: before any of its code runs, one byte on whether its arguments evaluate ----

ARGUMENTS_GOOD, ARGUMENTS_BAD = b"a", b"b"
NO_MEMORY_LEFT = 12
"""Exit code of a program that could not even say that it ran out of memory."""

# ---- then one frame, and the end of the stream right after it ----

_FRAME = struct.Struct("=cIHIH")
_VALUE, _FAILURE = b"v", b"f"
PROGRAM_OVERHEAD = 1 + _FRAME.size
_MOST_LINES = 10**6


def pack_value(value: bytes) -> bytes:
    return _FRAME.pack(_VALUE, len(value), 0, 0, 0) + value


def pack_failure(failure: Failure, name: str = "", line: int = 0) -> bytes:
    text = name.encode(errors="replace")[:LONGEST_NAME]
    return _FRAME.pack(_FAILURE, 0, failure, min(line, _MOST_LINES), len(text)) + text


def unpack_frame(stream: bytes) -> Outcome | None:
    """The outcome in `stream`; None where that is anything else than exactly one frame."""
    if len(stream) < _FRAME.size:
        return None
    tag, value_size, failure, line, name_size = _FRAME.unpack_from(stream)
    body = stream[_FRAME.size :]
    if len(body) != value_size + name_size:
        return None
    if tag == _VALUE and not (failure or line or name_size):
        return Outcome(status="ok", value=body)
    if tag == _FAILURE and not value_size and failure in Failure._value2member_map_:
        return outcome_of(Failure(failure), body.decode(errors="replace"), min(line, _MOST_LINES))
    return None


# ---- client to checker: jobs; checker to client: answers ----

_JOB = struct.Struct("=IddQ")
_ANSWER = struct.Struct("=IcBdd")
JOB_HEADER, ANSWER_HEADER = _JOB.size, _ANSWER.size

DONE, RAISED, NO_MEMORY = b"d", b"r", b"m"


def pack_job(payload: bytes, limits: Limits) -> bytes:
    header = _JOB.pack(len(payload), limits.cpu_seconds, limits.wall_seconds, int(limits.memory_bytes))
    return header + payload


def unpack_job(header: bytes) -> tuple[int, float, float, int]:
    """(payload size, CPU seconds, wall seconds, bytes of memory)."""
    return _JOB.unpack(header)


def pack_answer(kind: bytes, body: bytes, *, retire: bool, cpu_seconds: float, wall_seconds: float) -> bytes:
    return _ANSWER.pack(len(body), kind, retire, cpu_seconds, wall_seconds) + body


def unpack_answer(header: bytes) -> tuple[int, bytes, bool, float, float]:
    """(body size, kind, whether the checker retires, CPU seconds, wall seconds)."""
    return _ANSWER.unpack(header)
