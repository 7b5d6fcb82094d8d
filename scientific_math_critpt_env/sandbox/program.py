"""The confined child's side of a run: read a program, seal the process, run it, write one frame.

Everything up to `seal` is ours and trusted; nothing after the program's first line is. The process ends by
`_exit` whatever happens, so that no destructor, exit hook or thread of the program gets a say.
"""

from __future__ import annotations

import os
import random
from types import CodeType, TracebackType
from typing import Any, NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames, namespace
from scientific_math_critpt_env.sandbox.codec import EncodeError, encode
from scientific_math_critpt_env.sandbox.frames import Failure
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Program

FILE = "<answer>"
"""File name of the program in its own tracebacks; line numbers are reported for it alone."""
SEED = 0
"""Of `random`, which would otherwise differ from one run of the same answer to the next."""
NO_MEMORY_LEFT = 12
"""Exit code of a process that cannot even say that it ran out of memory."""

_REFUSALS = {
    "none": Failure.NONE,
    "type": Failure.TYPE,
    "lazy": Failure.LAZY,
    "name": Failure.NAME,
    "text": Failure.TEXT,
}
_EXCEEDED = {"output": Failure.OUTPUT, "nodes": Failure.NODES, "depth": Failure.DEPTH, "bits": Failure.BITS}

# Read past whatever a hostile class defines under the same name.
_NAME_OF = type.__dict__["__name__"].__get__
_TRACEBACK_OF = BaseException.__dict__["__traceback__"].__get__


def serve_program(channel: int, base_bytes: int, vocabulary: dict[str, Any]) -> NoReturn:
    """Run the one program that arrives on `channel`; its argument sources may use the names in `vocabulary`."""
    program, limits = frames.unpack_program(_receive(channel))
    confinement.limit_cpu_hard(limits.cpu_seconds)
    confinement.limit_memory_for_good(base_bytes + limits.memory_bytes)
    confinement.arm(limits.cpu_seconds, limits.wall_seconds)
    confinement.seal("program", channel)
    random.seed(SEED)
    try:
        calls = [_evaluate(call, vocabulary) for call in program.calls]
    except Exception:  # noqa: BLE001 - whatever is wrong with a trusted source, the client raises for it
        _send(frames.ARGUMENTS_BAD)
        confinement.leave()
    _send(frames.ARGUMENTS_GOOD)  # from here on, whatever happens is the program's doing
    try:
        _send(_frame(program, calls, limits))
    except MemoryError:
        confinement.leave(NO_MEMORY_LEFT)
    confinement.leave()


def _evaluate(call: dict[str, str], vocabulary: dict[str, Any]) -> dict[str, Any]:
    names = {"__builtins__": {}} | vocabulary
    return {name: eval(source, names) for name, source in call.items()}  # trusted: a row of a problem file


def _frame(program: Program, calls: list[dict[str, Any]], limits: Limits) -> bytes:
    try:
        return _run(program, calls, limits)
    except BaseException as error:  # noqa: BLE001 - the program's exceptions end here, SystemExit included
        kind, name, line = _describe(error)
    # Out of the handler: with the exception gone, so are the frames that hold the program's memory.
    return frames.pack_failure(kind, name, line)


def _run(program: Program, calls: list[dict[str, Any]], limits: Limits) -> bytes:
    module = namespace.create(program.builtins)
    code: CodeType = compile(program.code, FILE, "exec", dont_inherit=True, optimize=0)
    exec(code, module.__dict__)
    function = module.__dict__.get(program.entry_point)
    if function is None:
        return frames.pack_failure(Failure.NO_FUNCTION, program.entry_point)
    if isinstance(function, type) or not callable(function):
        return frames.pack_failure(Failure.NOT_FUNCTION, program.entry_point)
    values = []
    for arguments in calls:
        try:
            values.append(function(**arguments))
        except TypeError as error:
            if _TRACEBACK_OF(error).tb_next is None:  # raised by the call itself, not inside the function
                return frames.pack_failure(Failure.KEYWORDS, program.entry_point)
            raise
    try:
        return frames.pack_value(encode(values, limits))
    except EncodeError as refusal:
        if refusal.limit:
            return frames.pack_failure(_EXCEEDED[refusal.limit])
        return frames.pack_failure(_REFUSALS[refusal.reason], refusal.name)


def _describe(error: BaseException) -> tuple[Failure, str, int]:
    kind = type(error)
    line = _line(_TRACEBACK_OF(error))
    if kind is MemoryError:
        return Failure.MEMORY, "", 0
    if kind is SystemExit:
        return Failure.ENDED, "", 0
    if isinstance(error, SyntaxError) and line == 0:
        return Failure.SYNTAX, _NAME_OF(kind), error.lineno or 0
    if kind is namespace.ImportRefused:
        return Failure.IMPORT, str(error.name), line  # type: ignore[attr-defined]
    if kind is ModuleNotFoundError:
        return Failure.NO_MODULE, str(error.name), line  # type: ignore[attr-defined]
    if kind is NameError and type(error.name) is str:  # type: ignore[attr-defined]
        return Failure.BUILTIN, error.name, line  # type: ignore[attr-defined]
    return Failure.RAISED, _NAME_OF(kind), line


def _line(traceback: TracebackType | None) -> int:
    """Line of the program in which the exception passed last; 0 if it never was in the program."""
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _receive(channel: int) -> bytes:
    size = frames.LENGTH.unpack(read_exactly(channel, frames.LENGTH.size))[0]
    return read_exactly(channel, size)


def read_exactly(channel: int, size: int) -> bytes:
    """`size` bytes; the process ends where the other side has gone."""
    parts = []
    while size:
        part = os.read(channel, min(size, 1 << 20))
        if not part:
            confinement.leave()
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _send(data: bytes) -> None:
    write_all(confinement.CHANNEL, data)


def write_all(channel: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(channel, view) :]
