"""Names that may travel with a value: symbols, undefined functions, matrices, units."""

from __future__ import annotations

import builtins
import re

LONGEST = 200
"""Characters of a name; the longest in public problem sets has under 60."""

_NAME = re.compile(r"(?:\\|_(?!_))?[^\W_][\w'^*~|+\-/, \\{}′″†∞∂∇⊥∥]*")
_SIDES = frozenset(("+", "-", "+-"))
"""Directions of a limit, which SymPy keeps as symbols."""


def allowed(name: object, *, function: bool = False) -> bool:
    """Whether `name` is a plain mathematical name: letters, digits, LaTeX-like indices and accents.

    No quotes, brackets or parentheses, no leading double underscore; a *function* may not be called like a
    Python builtin, because printed it would read as a call of it.
    """
    if type(name) is not str or len(name) > LONGEST:
        return False
    if name in _SIDES:
        return not function
    if function and hasattr(builtins, name):
        return False
    return _NAME.fullmatch(name) is not None
