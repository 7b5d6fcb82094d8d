"""Values as text for people, bounded: shared expressions print exponentially, huge integers quadratically."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from sympy import Basic, Float, Integer, sstr

MAX_NODES = 2_000
"""Nodes as a tree (shared parts counted each time): SymPy's printers take about 20 microseconds a node."""

MAX_CHARACTERS = 2_000


def printed(value: object) -> str:
    """`value` as SymPy prints it, shortened; a value too large to print is described by its size."""
    nodes = tree_size(value)
    if nodes > MAX_NODES:
        return f"({type(value).__name__} of {nodes if nodes < 10**15 else 'over 10**15'} nodes)"
    try:
        text = sstr(value)
    except MemoryError:
        raise  # a limit, which the sandbox names
    except Exception as error:  # noqa: BLE001 - SymPy's printers fail on odd objects in every way there is
        return f"({type(value).__name__} that cannot be printed: {type(error).__name__})"
    return text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + f"... ({len(text)} characters)"


def tree_size(value: object) -> int:
    """Nodes of `value` written out as a tree; a number of more digits than Python prints counts as many."""
    sizes: dict[int, int] = {}
    stack: list[tuple[object, bool]] = [(value, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in sizes and not ready:
            continue
        children = list(_children(node))
        if ready or not children:
            sizes[id(node)] = _own_size(node) + sum(sizes.get(id(child), 1) for child in children)
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in children)
    return sizes[id(value)]


def _children(node: object) -> Iterable[object]:
    if isinstance(node, Basic):
        return node.args
    if isinstance(node, dict):
        return [part for item in node.items() for part in item]
    if isinstance(node, list | tuple | set | frozenset):
        return node
    return ()


def _own_size(node: object) -> int:
    digits = sys.get_int_max_str_digits() or 10**6
    if isinstance(node, Integer):
        node = int(node)
    if isinstance(node, int) and node.bit_length() > 3 * digits:
        return MAX_NODES + 1
    if isinstance(node, Float) and node._prec > 3 * digits:
        return MAX_NODES + 1
    return 1
