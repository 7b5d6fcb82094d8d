"""The bytes between the client, the zygote and a confined process.

Sizes are fixed or bounded, and nothing a confined process writes is parsed beyond the fields below: a
failure is a number from a closed list, a line number and one name, and the sentence is made on this side.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any, Literal

from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome, Program

# ---- client to zygote: one byte and descriptors ----
HELLO, TWIN, JOB = b"h", b"t", b"j"

# ---- zygote to client, on the status socket of each job: one message ----
_STATUS = struct.Struct("=ciddQ")
_READY, _REFUSED, _EXITED = b"r", b"x", b"e"


@dataclass(frozen=True, slots=True)
class Status:
    """What the zygote says: it is ready, or refuses to work, or how a child ended."""

    kind: Literal["ready", "refused", "exited"]
    code: int = 0
    """Exit code, or minus the signal that killed it."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0
    reason: str = ""


def pack_ready() -> bytes:
    return _STATUS.pack(_READY, 0, 0.0, 0.0, 0)


def pack_refused(reason: str) -> bytes:
    return _STATUS.pack(_REFUSED, 0, 0.0, 0.0, 0) + reason.encode()[:2000]


def pack_exited(code: int, cpu_seconds: float, wall_seconds: float, peak_bytes: int) -> bytes:
    return _STATUS.pack(_EXITED, code, cpu_seconds, wall_seconds, peak_bytes)


def unpack_status(message: bytes) -> Status:
    kind, code, cpu, wall, peak = _STATUS.unpack_from(message)
    if kind == _REFUSED:
        return Status(kind="refused", reason=message[_STATUS.size :].decode(errors="replace"))
    return Status("ready" if kind == _READY else "exited", code, cpu, wall, peak)


STATUS_BYTES = _STATUS.size + 2000

# ---- client to program: one length-prefixed request ----
_LENGTH = struct.Struct("=I")


def pack_program(program: Program, limits: Limits) -> bytes:
    body = json.dumps({"program": asdict(program), "limits": asdict(limits)}).encode()
    return _LENGTH.pack(len(body)) + body


def unpack_program(body: bytes) -> tuple[Program, Limits]:
    fields: dict[str, Any] = json.loads(body)
    return Program(**fields["program"]), Limits(**fields["limits"])


# ---- program to client: one frame, and the end of the stream right after it ----
_FRAME = struct.Struct("=cIHIH")
_VALUE, _FAILURE = b"v", b"f"
FRAME_OVERHEAD = _FRAME.size + 1
_LONGEST_NAME = 80
_NAME = re.compile(r"[A-Za-z_][\w. ]*")


class Failure(IntEnum):
    """Every way in which a program fails by itself."""

    SYNTAX = 1
    RAISED = 2
    BUILTIN = 3
    IMPORT = 4
    NO_MODULE = 5
    NO_FUNCTION = 6
    NOT_FUNCTION = 7
    KEYWORDS = 8
    ENDED = 9
    NONE = 10
    TYPE = 11
    LAZY = 12
    NAME = 13
    TEXT = 14
    MEMORY = 15
    OUTPUT = 16
    NODES = 17
    DEPTH = 18
    BITS = 19


_CODE, _INVALID, _RESOURCE = "code_error", "invalid_answer", "resource_limit"
_SENTENCES: dict[Failure, tuple[Literal["code_error", "invalid_answer", "resource_limit"], str, str]] = {
    Failure.SYNTAX: ("code_error", "", "the code does not compile: {name}{line}"),
    Failure.RAISED: ("code_error", "", "the code raised {name}{line}"),
    Failure.BUILTIN: ("code_error", "", "the name `{name}` is neither defined nor one of the builtins available here{line}"),
    Failure.IMPORT: ("code_error", "", "the module `{name}` may not be imported here{line}"),
    Failure.NO_MODULE: ("code_error", "", "there is no module `{name}` here{line}"),
    Failure.NO_FUNCTION: ("code_error", "", "the code defines no function `{name}`"),
    Failure.NOT_FUNCTION: ("code_error", "", "`{name}` is not a function"),
    Failure.KEYWORDS: ("code_error", "", "`{name}` does not take the arguments it is called with"),
    Failure.ENDED: ("code_error", "", "the code ended its process before it returned"),
    Failure.NONE: ("invalid_answer", "", "the function returned None"),
    Failure.TYPE: ("invalid_answer", "", "the function returned a {name}, which is not a mathematical value"),
    Failure.LAZY: ("invalid_answer", "", "the function returned a {name}, which still has to be run; a list is needed"),
    Failure.NAME: ("invalid_answer", "", "the value contains a name that is not a plain mathematical one: {name}"),
    Failure.TEXT: ("invalid_answer", "", "the value contains text that is not valid Unicode"),
    Failure.MEMORY: ("resource_limit", "memory", "the code needs more memory than its limit"),
    Failure.OUTPUT: ("resource_limit", "output", "the value is larger than the limit on its bytes"),
    Failure.NODES: ("resource_limit", "nodes", "the value has more nodes than the limit"),
    Failure.DEPTH: ("resource_limit", "depth", "the value is nested deeper than the limit"),
    Failure.BITS: ("resource_limit", "bits", "the value contains a number with more digits than the limit"),
}  # fmt: skip


def pack_value(value: bytes) -> bytes:
    return _FRAME.pack(_VALUE, len(value), 0, 0, 0) + value


def pack_failure(kind: Failure, name: str = "", line: int = 0) -> bytes:
    text = name.encode(errors="replace")[:_LONGEST_NAME]
    return _FRAME.pack(_FAILURE, 0, kind, line, len(text)) + text


def unpack_frame(stream: bytes) -> Outcome | None:
    """The one frame in `stream`, or None where the stream is anything else than exactly one frame."""
    if len(stream) < _FRAME.size:
        return None
    kind, size, failure, line, name_size = _FRAME.unpack_from(stream)
    rest = stream[_FRAME.size :]
    if kind == _VALUE:
        return (
            Outcome(status="ok", value=rest)
            if len(rest) == size and not (failure or line or name_size)
            else None
        )
    if kind != _FAILURE or len(rest) != name_size or size or failure not in Failure._value2member_map_:
        return None
    name = rest.decode(errors="replace")
    shown = name if _NAME.fullmatch(name) else "(a name that is not shown)"
    status, limit, sentence = _SENTENCES[Failure(failure)]
    reason = sentence.format(name=shown, line=f" at line {line}" if line else "")
    return Outcome(status=status, limit=limit, reason=reason)


# ---- program to client, the first byte, before any of its code runs: whether its arguments evaluated ----
ARGUMENTS_GOOD, ARGUMENTS_BAD = b"a", b"b"

# ---- client and checker: length-prefixed jobs, length-prefixed answers ----
_JOB = struct.Struct("=IddQ")
_ANSWER = struct.Struct("=IcBdd")
DONE, RAISED, NO_MEMORY = b"d", b"r", b"m"


def pack_job(payload: bytes, limits: Limits) -> bytes:
    return _JOB.pack(len(payload), limits.cpu_seconds, limits.wall_seconds, limits.memory_bytes) + payload


JOB_HEADER = _JOB.size
unpack_job = _JOB.unpack
"""(payload size, CPU seconds, wall seconds, bytes of memory)."""


def pack_answer(kind: bytes, body: bytes, *, retire: bool, cpu_seconds: float, wall_seconds: float) -> bytes:
    return _ANSWER.pack(len(body), kind, retire, cpu_seconds, wall_seconds) + body


ANSWER_HEADER = _ANSWER.size
unpack_answer = _ANSWER.unpack
"""(body size, kind, whether the checker retires, CPU seconds, wall seconds)."""
LENGTH = _LENGTH
