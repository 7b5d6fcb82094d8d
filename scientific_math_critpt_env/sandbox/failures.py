"""Every way in which a program fails by itself, and the sentence for it.

A confined process sends a number from this list, a line number and one name. The sentence is made on the
trusted side, and the name is shown only if it is a plain one: no text of the program reaches a log or a
terminal.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Literal, NamedTuple

from scientific_math_critpt_env.sandbox.outcome import Outcome

LONGEST_NAME = 80
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_., ]*")


class Failure(IntEnum):
    """The numbers are part of the protocol; the names of those from NONE on are `EncodeError` kinds."""

    SYNTAX = 1
    RAISED = 2
    BUILTIN = 3
    IMPORT = 4
    MODULE = 5
    NO_FUNCTION = 6
    NOT_FUNCTION = 7
    KEYWORDS = 8
    ENDED = 9
    MEMORY = 10
    NONE = 11
    TYPE = 12
    LAZY = 13
    NAME = 14
    TEXT = 15
    OUTPUT = 16
    NODES = 17
    DEPTH = 18
    BITS = 19


class _Meaning(NamedTuple):
    status: Literal["code_error", "invalid_answer", "resource_limit"]
    sentence: str
    limit: str = ""


_MEANINGS = {
    Failure.SYNTAX: _Meaning("code_error", "the code does not compile: {name}{line}"),
    Failure.RAISED: _Meaning("code_error", "the code raised {name}{line}"),
    Failure.BUILTIN: _Meaning(
        "code_error", "the name {name} is neither defined nor one of the builtins available here{line}"
    ),
    Failure.IMPORT: _Meaning("code_error", "the module {name} may not be imported here{line}"),
    Failure.MODULE: _Meaning("code_error", "there is no module {name} here{line}"),
    Failure.NO_FUNCTION: _Meaning("code_error", "the code defines no function {name}"),
    Failure.NOT_FUNCTION: _Meaning("code_error", "{name} is not a function"),
    Failure.KEYWORDS: _Meaning("code_error", "the function cannot be called with these arguments: {name}"),
    Failure.ENDED: _Meaning("code_error", "the code ended its process before it returned"),
    Failure.MEMORY: _Meaning("resource_limit", "the code needs more memory than its limit", "memory"),
    Failure.NONE: _Meaning("invalid_answer", "the function returned None"),
    Failure.TYPE: _Meaning(
        "invalid_answer", "the function returned something of type {name}, which is no mathematical value"
    ),
    Failure.LAZY: _Meaning(
        "invalid_answer", "the function returned a {name}, which would have to be run first; return a list"
    ),
    Failure.NAME: _Meaning(
        "invalid_answer", "the value contains a name that is no plain mathematical one: {name}"
    ),
    Failure.TEXT: _Meaning("invalid_answer", "the value contains text that is not valid Unicode"),
    Failure.OUTPUT: _Meaning("resource_limit", "the value is larger than the limit on bytes", "output"),
    Failure.NODES: _Meaning("resource_limit", "the value has more nodes than the limit", "nodes"),
    Failure.DEPTH: _Meaning("resource_limit", "the value is nested deeper than the limit", "depth"),
    Failure.BITS: _Meaning(
        "resource_limit", "the value contains a number with more digits than the limit", "bits"
    ),
}


def outcome_of(failure: Failure, name: str, line: int) -> Outcome:
    """The outcome of a program that failed so; `name` is the program's choice and may be anything."""
    meaning = _MEANINGS[failure]
    shown = name if len(name) <= LONGEST_NAME and _PLAIN.fullmatch(name) else "(not shown)"
    reason = meaning.sentence.format(name=shown, line=f" at line {line}" if line else "")
    return Outcome(status=meaning.status, limit=meaning.limit, reason=reason)
