"""What kind of thing a value is, by the value itself and not by what the row says of it."""

from __future__ import annotations

from typing import Literal

from sympy import (
    Abs,
    Derivative,
    Dict,
    DiracDelta,
    Expr,
    Heaviside,
    Lambda,
    MatrixBase,
    MatrixExpr,
    Order,
    Set,
    SingularityFunction,
    Symbol,
    Tuple,
    preorder_traversal,
    sign,
)
from sympy.core.function import FunctionClass
from sympy.core.relational import Relational
from sympy.core.symbol import Str
from sympy.logic.boolalg import Boolean, BooleanAtom
from sympy.physics.units import Quantity
from sympy.tensor.array import NDimArray

from scientific_math_critpt_env.grading.equality.scalars import as_scalar

Kind = Literal[
    "nothing",
    "string",
    "truth",
    "relation",
    "boolean",
    "sequence",
    "dict",
    "set",
    "matrix",
    "array",
    "function",
    "series",
    "distribution",
    "operator",
    "quantity",
    "scalar",
    "other",
]

NAMES: dict[Kind, str] = {
    "nothing": "nothing (None)",
    "string": "a string",
    "truth": "a truth value",
    "relation": "an equation or inequality",
    "boolean": "a logical expression",
    "sequence": "a tuple or list",
    "dict": "a dict",
    "set": "a set",
    "matrix": "a matrix",
    "array": "an array",
    "function": "a function",
    "series": "a series with an order term",
    "distribution": "a distribution",
    "operator": "an expression in non-commuting objects",
    "quantity": "a quantity with a unit",
    "scalar": "a number or expression",
    "other": "an object without mathematical meaning",
}
"""For the reasons that people read."""

EXPRESSIONS: frozenset[Kind] = frozenset({"scalar", "series", "distribution", "operator", "quantity"})
"""Kinds that are single expressions."""

_TRAITS = (Order, DiracDelta, SingularityFunction, Quantity, MatrixExpr, MatrixBase)


def kind_of(value: object) -> Kind:
    """The kind of `value`; never raises."""
    if isinstance(value, Expr):
        return _kind_of_expression(value)
    if value is None:
        return "nothing"
    if isinstance(value, str | Str):
        return "string"
    if isinstance(value, bool | BooleanAtom):
        return "truth"
    if isinstance(value, tuple | list | Tuple):
        return "sequence"
    if isinstance(value, dict | Dict):
        return "dict"
    if isinstance(value, set | frozenset | Set):
        return "set"
    if isinstance(value, MatrixBase):
        return "matrix"
    if isinstance(value, NDimArray):
        return "array"
    if isinstance(value, Relational):
        return "relation"
    if isinstance(value, Boolean):
        return "boolean"
    if isinstance(value, FunctionClass):
        return "function"
    return "scalar" if as_scalar(value) is not None else "other"


def is_boolean(value: object) -> bool:
    """Whether `value` can stand where a logical expression stands (a bare symbol can)."""
    return kind_of(value) in ("truth", "relation", "boolean") or isinstance(value, Symbol)


def _kind_of_expression(value: Expr) -> Kind:
    if value.is_Atom and value.is_commutative and not isinstance(value, Quantity | MatrixExpr):
        return "scalar"
    if isinstance(value, Lambda):
        return "function"
    if isinstance(value, MatrixExpr | MatrixBase):
        return "matrix"
    if isinstance(value, NDimArray):
        return "array"
    found: set[type] = set()
    for node in preorder_traversal(value):
        found.update(type_ for type_ in _TRAITS if isinstance(node, type_))
        if isinstance(node, Derivative) and _derives_a_jump(node):
            found.add(DiracDelta)
    if Quantity in found:
        return "quantity"
    if Order in found:
        return "series"
    if MatrixExpr in found or MatrixBase in found or value.is_commutative is False:
        return "operator"
    return "distribution" if found else "scalar"


def _derives_a_jump(node: Derivative) -> bool:
    """An unevaluated derivative that is a delta function: a probe would find it 0 everywhere."""
    return node.expr.has(Heaviside, sign) or (node.expr.has(Abs) and node.derivative_count > 1)
