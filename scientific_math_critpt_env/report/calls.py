"""LaTeX of the functions that are not written `name(arguments)`: roots, integrals, sums, matrices, cases.

Each takes the call's arguments and `write(node, least)`, which gives a node's LaTeX, in parentheses where it
holds together less tightly than `least`; it returns LaTeX and how tightly that holds together.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

SUM, PRODUCT, UNARY, POWER, ATOM = range(5)
"""How tightly a piece of LaTeX holds together."""

Piece = tuple[str, int]
_NEW_LINE = r" \\ "

Write = Callable[..., str]
Call = Callable[[Sequence[ast.expr], Write], Piece]


class Unreadable(Exception):
    """The text holds something that is not written here."""


def _around(opening: str, closing: str, tightness: int = ATOM) -> Call:
    def call(arguments: Sequence[ast.expr], write: Write) -> Piece:
        (inside,) = _exactly(arguments, 1)
        return f"{opening}{write(inside)}{closing}", tightness

    return call


def _factorial(arguments: Sequence[ast.expr], write: Write) -> Piece:
    (inside,) = _exactly(arguments, 1)
    return f"{write(inside, ATOM)}!", POWER


def _rational(arguments: Sequence[ast.expr], write: Write) -> Piece:
    over, under = _exactly(arguments, 2)
    return rf"\frac{{{write(over)}}}{{{write(under)}}}", UNARY


def _binomial(arguments: Sequence[ast.expr], write: Write) -> Piece:
    above, below = _exactly(arguments, 2)
    return rf"\binom{{{write(above)}}}{{{write(below)}}}", ATOM


def _modulo(arguments: Sequence[ast.expr], write: Write) -> Piece:
    left, right = _exactly(arguments, 2)
    return rf"{write(left, PRODUCT)} \bmod {write(right, PRODUCT)}", SUM


def _indexed(letter: str) -> Call:
    """A function whose first argument is written as an index: Bessel functions."""

    def call(arguments: Sequence[ast.expr], write: Write) -> Piece:
        order, at = _exactly(arguments, 2)
        return rf"{letter}_{{{write(order)}}}\left({write(at)}\right)", POWER

    return call


def _integral(arguments: Sequence[ast.expr], write: Write) -> Piece:
    if len(arguments) < 2:
        raise Unreadable
    signs, ends = "", ""
    for limits in arguments[1:]:
        parts = _parts(limits)
        if len(parts) == 3:
            signs = rf"\int_{{{write(parts[1])}}}^{{{write(parts[2])}}}" + signs
        elif len(parts) == 1:
            signs = r"\int" + signs
        else:
            raise Unreadable
        ends += rf" \, \mathrm{{d}}{write(parts[0])}"
    return f"{signs} {write(arguments[0], PRODUCT)}{ends}", PRODUCT


def _repeated(sign: str) -> Call:
    """Sums and products over index ranges."""

    def call(arguments: Sequence[ast.expr], write: Write) -> Piece:
        signs = ""
        for limits in arguments[1:]:
            index, start, stop = _exactly(_parts(limits), 3)
            signs = rf"{sign}_{{{write(index)}={write(start)}}}^{{{write(stop)}}} " + signs
        if not signs:
            raise Unreadable
        return f"{signs}{write(arguments[0], PRODUCT)}", PRODUCT

    return call


def _derivative(arguments: Sequence[ast.expr], write: Write) -> Piece:
    if len(arguments) < 2:
        raise Unreadable
    below, total = "", 0
    for argument in arguments[1:]:
        parts = _parts(argument)
        order = parts[1].value if len(parts) == 2 and isinstance(parts[1], ast.Constant) else 1
        if not isinstance(order, int) or len(parts) > 2:
            raise Unreadable
        total += order
        below += rf"\partial {write(parts[0])}" + (f"^{{{order}}}" if order > 1 else "")
    above = rf"\partial^{{{total}}}" if total > 1 else r"\partial"
    return rf"\frac{{{above}}}{{{below}}} {write(arguments[0], UNARY)}", PRODUCT


def _limit(arguments: Sequence[ast.expr], write: Write) -> Piece:
    if len(arguments) < 3:
        raise Unreadable
    value, variable, point = arguments[:3]
    return rf"\lim_{{{write(variable)} \to {write(point)}}} {write(value, PRODUCT)}", PRODUCT


def _matrix(arguments: Sequence[ast.expr], write: Write) -> Piece:
    (rows,) = _exactly(arguments, 1)
    if not isinstance(rows, ast.List):
        raise Unreadable
    lines = [
        " & ".join(write(entry) for entry in (row.elts if isinstance(row, ast.List) else [row]))
        for row in rows.elts
    ]
    return rf"\begin{{pmatrix}}{_NEW_LINE.join(lines)}\end{{pmatrix}}", ATOM


def _piecewise(arguments: Sequence[ast.expr], write: Write) -> Piece:
    lines = []
    for argument in arguments:
        value, condition = _exactly(_parts(argument), 2)
        always = isinstance(condition, ast.Constant) and condition.value is True
        lines.append(f"{write(value)} & " + (r"\text{otherwise}" if always else write(condition)))
    return rf"\begin{{cases}}{_NEW_LINE.join(lines)}\end{{cases}}", ATOM


def _interval(opening: str, closing: str) -> Call:
    def call(arguments: Sequence[ast.expr], write: Write) -> Piece:
        flags = [isinstance(a, ast.Constant) and a.value is True for a in arguments[2:4]]
        low, high = (write(end) for end in _exactly(arguments[:2], 2))
        left, right = [*flags, False, False][:2]
        left_end, right_end = "(" if left else opening, ")" if right else closing
        return rf"\left{left_end}{low},\; {high}\right{right_end}", ATOM

    return call


def _joined(sign: str) -> Call:
    def call(arguments: Sequence[ast.expr], write: Write) -> Piece:
        return f" {sign} ".join(write(argument, UNARY) for argument in arguments), SUM

    return call


def _exactly(arguments: Sequence[ast.expr], count: int) -> Sequence[ast.expr]:
    if len(arguments) != count:
        raise Unreadable
    return arguments


def _parts(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


CALLS: dict[str, Call] = {
    "sqrt": _around(r"\sqrt{", "}"),
    "cbrt": _around(r"\sqrt[3]{", "}"),
    "exp": _around("e^{", "}", POWER),
    "Abs": _around(r"\left|", r"\right|"),
    "floor": _around(r"\left\lfloor ", r"\right\rfloor "),
    "ceiling": _around(r"\left\lceil ", r"\right\rceil "),
    "conjugate": _around(r"\overline{", "}"),
    "factorial": _factorial,
    "Rational": _rational,
    "binomial": _binomial,
    "Mod": _modulo,
    "besselj": _indexed("J"),
    "bessely": _indexed("Y"),
    "besseli": _indexed("I"),
    "besselk": _indexed("K"),
    "legendre": _indexed("P"),
    "hermite": _indexed("H"),
    "Integral": _integral,
    "Sum": _repeated(r"\sum"),
    "Product": _repeated(r"\prod"),
    "Derivative": _derivative,
    "Limit": _limit,
    "Matrix": _matrix,
    "ImmutableMatrix": _matrix,
    "ImmutableDenseMatrix": _matrix,
    "Piecewise": _piecewise,
    "Interval": _interval("[", "]"),
    "Interval.open": _interval("(", ")"),
    "Interval.Lopen": _interval("(", "]"),
    "Interval.Ropen": _interval("[", ")"),
    "Union": _joined(r"\cup"),
    "Intersection": _joined(r"\cap"),
}
"""By SymPy's name."""
