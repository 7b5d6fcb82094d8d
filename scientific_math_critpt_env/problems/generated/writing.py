"""Numbers, sums, polynomials and matrices as SymPy source and as LaTeX, always in the same spelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

Number = int | Fraction


def source(number: Number) -> str:
    """`-3/7`; not to be multiplied without parentheses (see `sum_source`)."""
    return str(Fraction(number))


def tex(number: Number) -> str:
    r"""`-\frac{3}{7}`."""
    value = Fraction(number)
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def sum_source(terms: Iterable[tuple[Number, str]]) -> str:
    """`2*x - y/3 + 1` from (2, "x"), (-1/3, "y"), (1, ""); terms with 0 are left out, an empty sum is 0."""
    written = ""
    for coefficient, factor in terms:
        value = Fraction(coefficient)
        if value == 0:
            continue
        numerator, denominator = abs(value.numerator), value.denominator
        if not factor:
            body = str(numerator)
        else:
            body = factor if numerator == 1 else f"{numerator}*{factor}"
        body += f"/{denominator}" if denominator != 1 else ""
        written += _joined(written, value < 0, body, " - ", " + ")
    return written or "0"


def sum_tex(terms: Iterable[tuple[Number, str]]) -> str:
    r"""`2x-\frac{1}{3}y+1` from (2, "x"), (-1/3, "y"), (1, "")."""
    written = ""
    for coefficient, factor in terms:
        value = Fraction(coefficient)
        if value == 0:
            continue
        size = abs(value)
        body = factor if size == 1 and factor else tex(size) + (_apart(factor) if factor else "")
        written += _joined(written, value < 0, body, "-", "+")
    return written or "0"


def polynomial_source(coefficients: Sequence[Number], variable: str) -> str:
    """`3*x**2 - x + 1` from the coefficients 1, -1, 3 of the powers 0, 1, 2."""
    powers = ["", variable, *(f"{variable}**{n}" for n in range(2, len(coefficients)))]
    return sum_source(reversed(list(zip(coefficients, powers, strict=False))))


def polynomial_tex(coefficients: Sequence[Number], variable: str) -> str:
    """`3x^{2}-x+1` from the coefficients 1, -1, 3 of the powers 0, 1, 2."""
    powers = ["", variable, *(f"{variable}^{{{n}}}" for n in range(2, len(coefficients)))]
    return sum_tex(reversed(list(zip(coefficients, powers, strict=False))))


def monomial_tex(powers: Sequence[tuple[str, int]]) -> str:
    """`x^{2}y` from ("x", 2), ("y", 1); "" where all powers are 0."""
    return "".join(name if power == 1 else f"{name}^{{{power}}}" for name, power in powers if power)


def shifted_tex(variable: str, at: Number) -> str:
    """`z-3` for 3, `z+2` for -2, `z` for 0."""
    return sum_tex([(1, variable), (-at, "")])


def gaussian_source(real: Number, imaginary: Number) -> str:
    """`2 - 3*I`."""
    return sum_source([(real, ""), (imaginary, "I")])


def gaussian_tex(real: Number, imaginary: Number) -> str:
    """`2-3i`."""
    return sum_tex([(real, ""), (imaginary, "i")])


def matrix_source(rows: Sequence[Sequence[Number | str]]) -> str:
    """`Matrix([[1, 2], [3, 4]])`; entries are numbers or source."""
    written = ", ".join(
        "[" + ", ".join(e if isinstance(e, str) else source(e) for e in row) + "]" for row in rows
    )
    return f"Matrix([{written}])"


def matrix_tex(rows: Sequence[Sequence[Number | str]]) -> str:
    r"""`\begin{pmatrix}1&2\\3&4\end{pmatrix}`; entries are numbers or LaTeX."""
    written = r"\\".join("&".join(e if isinstance(e, str) else tex(e) for e in row) for row in rows)
    return rf"\begin{{pmatrix}}{written}\end{{pmatrix}}"


def listed(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _joined(before: str, negative: bool, body: str, minus: str, plus: str) -> str:
    if before:
        return (minus if negative else plus) + body
    return ("-" if negative else "") + body


def _apart(factor: str) -> str:
    """The factor, set off where it begins with a digit."""
    return rf"\cdot {factor}" if factor[0].isdigit() else factor
