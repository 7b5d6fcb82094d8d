"""Golds as numbers: a gold's source is evaluated by mpmath, without SymPy, at values of its symbols.

Covered: the notation that the families write (arithmetic, elementary functions, gamma and the like, tuples,
lists, sets, dicts, `Matrix` as a list of rows, `Eq` as left minus right, `Interval` as its four arguments).
"""

from __future__ import annotations

import ast
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.errors import ProblemError


class Gold:
    """A gold that can be evaluated again and again."""

    def __init__(self, source: str) -> None:
        self.source = source
        tree = ast.fix_missing_locations(_Numbers().visit(ast.parse(source, mode="eval")))
        self._code = compile(tree, "<gold>", "eval")

    def at(self, **values: Any) -> Any:
        """The value where the symbols have these values; numbers are mpmath's, in its working precision."""
        names = {name: _number(value) for name, value in values.items()}
        return eval(self._code, {"__builtins__": {}, **_NAMES, "pi": +mp.pi, "E": +mp.e, **names})


def same(left: Any, right: Any, *, digits: int = 12, scale: Any = 0) -> None:
    """Raise ProblemError unless both agree to `digits` digits of the larger, or of `scale` if that is larger.

    Sequences and matrices are compared part by part.
    """
    if isinstance(left, list | tuple) or isinstance(right, list | tuple):
        if (
            not isinstance(left, list | tuple)
            or not isinstance(right, list | tuple)
            or len(left) != len(right)
        ):
            raise ProblemError(f"{left} and {right} do not have the same parts")
        for one, other in zip(left, right, strict=True):
            same(one, other, digits=digits, scale=scale)
        return
    left, right = _number(left), _number(right)
    size = max(abs(left), abs(right), _number(scale))
    if not abs(left - right) <= size * mp.mpf(10) ** -digits:
        raise ProblemError(f"{mp.nstr(left, 15)} is not {mp.nstr(right, 15)}")


def zero(value: Any, *, scale: Any = 1, digits: int = 12) -> None:
    """Raise ProblemError unless `value` is 0 to `digits` digits of `scale`."""
    same(value, 0, digits=digits, scale=scale)


def holds(fact: bool, message: str) -> None:
    """Raise ProblemError with the message unless the fact holds."""
    if not fact:
        raise ProblemError(message)


def _number(value: Any) -> Any:
    if hasattr(value, "numerator") and hasattr(value, "denominator") and not isinstance(value, bool):
        return mp.mpf(int(value.numerator)) / int(value.denominator)
    return mp.mpmathify(value)


class _Numbers(ast.NodeTransformer):
    """Whole numbers become mpmath's, so that 1/3 is a third to the working precision."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            return node
        text = repr(node.value) if isinstance(node.value, int) else ast.unparse(node)
        return ast.Call(ast.Name("_number", ast.Load()), [ast.Constant(text)], [])


_NAMES: dict[str, Any] = {
    **{
        name: getattr(mp, name)
        for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{
        name: getattr(mp, name) for name in ("atan", "asin", "acos", "gamma", "beta", "factorial", "binomial")
    },
    "I": mp.mpc(0, 1),
    "Rational": lambda above, below: above / below,
    "_number": mp.mpf,
    "Matrix": list,
    "Eq": lambda left, right: left - right,
    "Interval": lambda low, high, left_open=False, right_open=False: (low, high, left_open, right_open),
}
