"""From a value to bytes. Runs in the candidate's process, after the candidate's code.

So it asks objects nothing that a class of the candidate's could answer: it looks only at exact types, and
reads expressions through accessors captured when this module was loaded. Code that has patched SymPy, this
module or `json` can only make it write other *data*, which the decoder then checks.
"""

from __future__ import annotations

import json
import types
from typing import Any

from scientific_math_critpt_env.sandbox.codec import arrays, containers, expressions, numbers, symbols
from scientific_math_critpt_env.sandbox.codec.graph import Writer, refuse
from scientific_math_critpt_env.sandbox.limits import Limits

_DEFAULT = Limits()
_NAME_OF = type.__dict__["__name__"].__get__

_LAZY = frozenset(
    (
        *(map, filter, zip, range, enumerate, reversed, type({}.keys()), type({}.values()), type({}.items())),
        *(type(iter(())), type(iter([])), type(iter({})), type(iter(set())), type(iter(range(0)))),
        *(types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType),
    )
)
"""What would still have to be run to become a value."""


def encode(value: object, limits: Limits = _DEFAULT) -> bytes:
    """`value` as data; raises EncodeError where it is no value, or exceeds a limit."""
    writer = Writer(_TABLE, limits)
    writer.add(value, 1)
    data = json.dumps(writer.nodes, separators=(",", ":")).encode()
    if len(data) > limits.output_bytes:
        refuse("output")
    return data


def _write_other(writer: Writer, value: Any, depth: int) -> int:
    """Whatever has no type of its own in the table; nearly all of it is refused."""
    kind = type(value)
    if symbols.is_applied(kind):
        return symbols.write_applied(writer, value, depth)
    unit = expressions.write_unit(writer, value)
    if unit is not None:
        return unit
    if value is None:
        refuse("none")
    return refuse("lazy" if kind in _LAZY else "type", _NAME_OF(kind))


_TABLE: dict[type, Any] = {
    **expressions.WRITERS,
    **numbers.WRITERS,
    **symbols.WRITERS,
    **containers.WRITERS,
    **arrays.WRITERS,
    object: _write_other,
}
