"""Solutions written as equations: `Eq(y(x), ...)` as the expression on its other side."""

from __future__ import annotations

from collections.abc import Collection

from sympy import Eq, Expr, Symbol
from sympy.core.function import AppliedUndef


def solved_side(value: object, excluding: Collection[object] = ()) -> object:
    """The value of `name = value` or `value = name`, where the value is free of the name; else `value`.

    `excluding`: names that an equation is not solved for (free constants).
    """
    if isinstance(value, Eq):
        for name, side in ((value.lhs, value.rhs), (value.rhs, value.lhs)):
            if (
                _is_name(name)
                and name not in excluding
                and isinstance(side, Expr)
                and not _mentions(side, name)
            ):
                return side
    return value


def _is_name(value: object) -> bool:
    return isinstance(value, Symbol | AppliedUndef)


def _mentions(side: Expr, name: Symbol | AppliedUndef) -> bool:
    return side.has(name.func if isinstance(name, AppliedUndef) else name)
