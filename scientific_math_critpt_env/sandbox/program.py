"""The confined child's side of a run: read a program, seal the process, run it, write one frame.

Everything up to the byte that says so is ours and trusted; nothing after it is. The process ends by `_exit`
whatever happens, so that no destructor, exit hook or thread of the program gets a say.
"""

from __future__ import annotations

import random
from types import CodeType, TracebackType
from typing import Any, NoReturn

from scientific_math_critpt_env.sandbox import confinement, frames, kernel, namespace
from scientific_math_critpt_env.sandbox.channel import read_exactly, write_all
from scientific_math_critpt_env.sandbox.codec import EncodeError, encode
from scientific_math_critpt_env.sandbox.failures import Failure
from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Program

FILE = "<answer>"
"""File name of the program in its own tracebacks; line numbers are reported for it alone."""
SEED = 0
"""Of `random`, which would otherwise differ from one run of the same answer to the next."""

REHEARSALS = 20
"""CPython specialises code after a few executions; more than that changes nothing."""
_REHEARSAL = (
    "def model_answer(n):\n    return n",
    "def model_answer(n):\n    return n.nothing",
    "import sympy as sp\ndef model_answer(n):\n    return [sp.expand((sp.Symbol('x') + n)**3), 1.5, 'a']",
    "from sympy import *\ndef model_answer(n):\n    return sqrt(n) * sin(symbols('x')) + Rational(1, n)",
)

# Read past whatever a hostile class defines under the same name.
_NAME_OF = type.__dict__["__name__"].__get__
_TRACEBACK_OF = BaseException.__dict__["__traceback__"].__get__


def serve_program(
    channel: int, base_bytes: int, filter: kernel.Filter, vocabulary: dict[str, Any]
) -> NoReturn:
    """Run the one program that arrives on `channel`; its arguments may use the names in `vocabulary`."""
    size = frames.LENGTH.unpack(read_exactly(channel, frames.LENGTH.size))[0]
    program, limits = frames.unpack_program(read_exactly(channel, size))
    confinement.limit_for_good(limits.cpu_seconds, base_bytes + int(limits.memory_bytes))
    confinement.arm(limits.cpu_seconds, limits.wall_seconds)
    confinement.seal(filter, channel)
    random.seed(SEED)
    try:
        calls = [_evaluate(call, vocabulary) for call in program.calls]
    except Exception:  # noqa: BLE001 - whatever is wrong with a trusted source, the client raises for it
        write_all(confinement.CHANNEL, frames.ARGUMENTS_BAD)
        confinement.leave()
    write_all(confinement.CHANNEL, frames.ARGUMENTS_GOOD)  # from here on, all is the program's doing
    try:
        write_all(confinement.CHANNEL, _frame(program, calls, limits))
    except MemoryError:
        confinement.leave(frames.NO_MEMORY_LEFT)
    confinement.leave()


def rehearse(vocabulary: dict[str, Any]) -> None:
    """Run trusted programs through the steps below, in the zygote.

    By then CPython has specialised its code, and a child that executes it writes to, and copies, fewer pages.
    """
    for source in _REHEARSAL:
        for _ in range(REHEARSALS):
            packed = frames.pack_program(Program(code=source, calls=({"n": "2"},)), Limits())
            program, limits = frames.unpack_program(packed[frames.LENGTH.size :])
            _frame(program, [_evaluate(call, vocabulary) for call in program.calls], limits)
    namespace.forget()


def _evaluate(call: dict[str, str], vocabulary: dict[str, Any]) -> dict[str, Any]:
    return {
        name: eval(source, vocabulary) for name, source in call.items()
    }  # trusted: a row of a problem file


def _frame(program: Program, calls: list[dict[str, Any]], limits: Limits) -> bytes:
    try:
        return _run(program, calls, limits)
    except BaseException as error:  # noqa: BLE001 - the program's exceptions end here, SystemExit included
        kind, name, line = _describe(error)
    # Out of the handler: with the exception gone, so are the frames that hold the program's memory.
    return frames.pack_failure(kind, name, line)


def _run(program: Program, calls: list[dict[str, Any]], limits: Limits) -> bytes:
    module = namespace.create(program.builtins)
    try:
        code: CodeType = compile(program.code, FILE, "exec", dont_inherit=True, optimize=0)
    except Exception as error:  # noqa: BLE001 - SyntaxError, but also ValueError, RecursionError, MemoryError
        return frames.pack_failure(Failure.SYNTAX, type(error).__name__, getattr(error, "lineno", 0) or 0)
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
                return frames.pack_failure(Failure.KEYWORDS, ", ".join(arguments))
            raise
    try:
        return frames.pack_value(encode(values, limits))
    except EncodeError as refusal:
        return frames.pack_failure(Failure[refusal.kind.upper()], refusal.name)


def _describe(error: BaseException) -> tuple[Failure, str, int]:
    kind, line = type(error), _line(_TRACEBACK_OF(error))
    if kind is MemoryError:
        return Failure.MEMORY, "", 0
    if kind is SystemExit:
        return Failure.ENDED, "", 0
    for refused, failure in (
        (NameError, Failure.BUILTIN),
        (namespace.ImportRefused, Failure.IMPORT),
        (ModuleNotFoundError, Failure.MODULE),
    ):
        if kind is refused and type(name := getattr(error, "name", None)) is str:
            return failure, name, line
    return Failure.RAISED, _NAME_OF(kind), line


def _line(traceback: TracebackType | None) -> int:
    """Line of the program in which the exception passed last; 0 if it never was in the program."""
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
