"""From bytes to a value. Runs in a confined checker; the bytes are a candidate's and may be anything.

Every node is checked before it is built, and built from parts that were built before it, so that decoding is
one pass over at most `limits.nodes` nodes.
"""

from __future__ import annotations

import json
from typing import Any

from scientific_math_critpt_env.sandbox.codec import arrays, containers, expressions, numbers, symbols
from scientific_math_critpt_env.sandbox.codec.graph import REFERENCES_PER_NODE, DecodeError, Reader, malformed
from scientific_math_critpt_env.sandbox.codec.heads import HEADS
from scientific_math_critpt_env.sandbox.limits import Limits

_DEFAULT = Limits()

_BUILDERS: dict[str, tuple[int, Any]] = {
    **numbers.BUILDERS,
    **symbols.BUILDERS,
    **containers.BUILDERS,
    **arrays.BUILDERS,
    **expressions.BUILDERS,
}
"""By tag: how many fields a node has of its own (the rest are references), and what builds its value."""


def decode(data: bytes, limits: Limits = _DEFAULT) -> object:
    """The value that `encode` wrote; raises DecodeError for bytes it could not have written."""
    if len(data) > limits.output_bytes:
        malformed("more bytes than the limit")
    try:
        nodes = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DecodeError("malformed: not JSON") from error
    if type(nodes) is not list or not 0 < len(nodes) <= limits.nodes:
        malformed("not a list of nodes, or more than the limit")
    reader = Reader(limits)
    for node in nodes:
        _read(reader, node)
    return reader.values[-1]


def _read(reader: Reader, node: object) -> None:
    if type(node) is not list or not node or type(node[0]) is not str:
        malformed("a node")
    tag = node[0]
    own, build = _BUILDERS.get(tag, (0, None))
    if build is None and tag not in HEADS:
        malformed("an unknown tag")
    fields, references = node[1 : own + 1], node[own + 1 :]
    if len(fields) != own or not all(
        type(child) is int and 0 <= child < len(reader.values) for child in references
    ):
        malformed("a node")
    reader.references += len(references)
    if reader.references > REFERENCES_PER_NODE * reader.limits.nodes:
        malformed("more references than the limit")
    values = [reader.values[child] for child in references]
    height = 1 + max((reader.heights[child] for child in references), default=0)
    if height > reader.limits.depth:
        malformed("deeper than the limit")
    lazy = any(reader.lazy[child] for child in references)
    try:
        if build is not None:
            value = build(reader, fields, values)
        else:
            value, lazy = expressions.build_expression(reader, tag, values, lazy)
    except (DecodeError, MemoryError):
        raise
    except Exception as error:  # a constructor may fail on odd arguments in any way
        raise DecodeError(f"{tag} does not accept these arguments: {type(error).__name__}") from error
    reader.values.append(value)
    reader.heights.append(height)
    reader.lazy.append(lazy)
