"""A gold as a check sees it: an object to evaluate at numbers, never a formula to copy."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import mpmath
import sympy

from .comparing import number


class Gold:
    """The value of a row's `answer_fn`.

    Evaluation uses mpmath's working precision, which the runner sets before every check.
    """

    def __init__(self, value: object) -> None:
        self.value: Any = value
        """The SymPy or Python object itself."""

    def __getitem__(self, key: Hashable) -> Gold:
        """A component of a tuple, list or dict; a (row, column) entry of a matrix."""
        return Gold(self.value[key])

    def at(self, **values: Any) -> Any:
        """The gold with its symbols, matched by name, replaced by numbers.

        Numbers become mpmath numbers; tuples, lists, sets and dicts keep their kind; a matrix becomes a
        list of rows; an equation becomes left side minus right side; strings and booleans stay.

        Raises:
            AssertionError: a symbol is left without a value.
        """
        return _at(self.value, values)

    def ends(self) -> tuple[Any, Any, bool, bool]:
        """An interval as (start, end, start excluded, end excluded)."""
        assert isinstance(self.value, sympy.Interval), f"the gold is no interval: {self.value}"
        left, right = (bool(side) for side in (self.value.left_open, self.value.right_open))
        return number(self.value.start), number(self.value.end), left, right


def _at(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, sympy.logic.boolalg.BooleanAtom):
        return bool(value)
    if isinstance(value, dict | sympy.Dict):
        return {_key(key): _at(item, values) for key, item in value.items()}
    if isinstance(value, sympy.MatrixBase):
        return [[_at(entry, values) for entry in row] for row in value.tolist()]
    if isinstance(value, list):
        return [_at(item, values) for item in value]
    if isinstance(value, tuple | sympy.Tuple):
        return tuple(_at(item, values) for item in value)
    if isinstance(value, set | frozenset | sympy.FiniteSet):
        return {_at(item, values) for item in value}
    if isinstance(value, sympy.Eq):
        return _at(value.lhs - value.rhs, values)
    return _number_at(sympy.sympify(value), values)


def _number_at(expression: sympy.Expr, values: dict[str, Any]) -> Any:
    replacements = {}
    for symbol in expression.free_symbols:
        assert symbol.name in values, f"the gold holds the symbol {symbol.name}, which the problem does not"
        replacements[symbol] = _exact(values[symbol.name])
    return number(expression.xreplace(replacements))


def _exact(value: Any) -> sympy.Expr:
    """A number as SymPy sees it without loss: a binary float is the rational it stands for."""
    if isinstance(value, complex | mpmath.mpc):
        return _exact(value.real) + sympy.I * _exact(value.imag)
    if isinstance(value, float):
        return sympy.Rational(*value.as_integer_ratio())
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, mpmath.mpf):
        sign, mantissa, exponent, _ = value._mpf_
        return (-1) ** sign * sympy.Integer(int(mantissa)) * sympy.Integer(2) ** exponent
    return sympy.sympify(value)


def _key(key: Any) -> Any:
    """Dict keys as plain Python values: strings for symbols and strings, ints for integers."""
    return int(key) if isinstance(key, int | sympy.Integer) else str(key)
