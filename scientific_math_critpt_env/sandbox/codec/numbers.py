"""Numbers: Python's, NumPy's, mpmath's and SymPy's."""

from __future__ import annotations

import decimal
import fractions
import re
from typing import Any

import mpmath
import mpmath.libmp
import numpy as np
import sympy

from scientific_math_critpt_env.sandbox.codec.graph import Reader, Writer, malformed

_DIGIT_BITS = 3.33
_LEAST_DIGITS = 15
"""Of a Decimal; what SymPy gives to a float."""
_MOST_EXPONENT = 1 << 62
_FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{0,13}p[+-]\d{1,4}|-?inf|nan")


def write_int(writer: Writer, value: Any, depth: int) -> int:
    return writer.node("int", writer.integer(int(value)))


def build_int(reader: Reader, fields: list[Any], values: list[Any]) -> int:
    return reader.integer(fields[0])


def write_bool(writer: Writer, value: Any, depth: int) -> int:
    return writer.node("bool", int(bool(value)))


def build_bool(reader: Reader, fields: list[Any], values: list[Any]) -> bool:
    return bool(reader.small(fields[0], 0, 1))


def write_float(writer: Writer, value: Any, depth: int) -> int:
    return writer.node("float", float(value).hex())


def build_float(reader: Reader, fields: list[Any], values: list[Any]) -> float:
    return _float(fields[0])


def write_complex(writer: Writer, value: Any, depth: int) -> int:
    number = complex(value)
    return writer.node("complex", number.real.hex(), number.imag.hex())


def build_complex(reader: Reader, fields: list[Any], values: list[Any]) -> complex:
    return complex(_float(fields[0]), _float(fields[1]))


def _float(text: object) -> float:
    if type(text) is not str or not _FLOAT.fullmatch(text):
        malformed("a float")
    return float.fromhex(text)


def write_rational(writer: Writer, value: Any, depth: int) -> int:
    """SymPy's Integer and Rational."""
    return _write_ratio(writer, int(value.p), int(value.q))


def write_fraction(writer: Writer, value: fractions.Fraction, depth: int) -> int:
    return _write_ratio(writer, value.numerator, value.denominator)


def _write_ratio(writer: Writer, numerator: int, denominator: int) -> int:
    if denominator == 1:
        return writer.node("integer", writer.integer(numerator))
    return writer.node("rational", writer.integer(numerator), writer.integer(denominator))


def build_integer(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    return sympy.Integer(reader.integer(fields[0]))


def build_rational(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    numerator, denominator = reader.integer(fields[0]), reader.integer(fields[1])
    if denominator < 2:
        malformed("a denominator")
    return sympy.Rational(numerator, denominator)


def write_real(writer: Writer, value: Any, depth: int) -> int:
    """SymPy's Float, bit by bit."""
    return _write_binary(writer, value._mpf_, value._prec)


def write_mpf(writer: Writer, value: Any, depth: int) -> int:
    """mpmath's numbers do not carry a precision: it is the one that mpmath works with now."""
    number = (+value)._mpf_  # a constant such as mpmath.pi becomes a number here
    return _write_binary(writer, number, max(int(mpmath.mp.prec), int(number[3])))


def write_mpc(writer: Writer, value: Any, depth: int) -> int:
    real, imaginary = write_mpf(writer, value.real, depth), write_mpf(writer, value.imag, depth)
    product = writer.node("Mul", children=[imaginary, writer.node("constant", "ImaginaryUnit")])
    return writer.node("Add", children=[real, product])


def write_decimal(writer: Writer, value: decimal.Decimal, depth: int) -> int:
    """As a Float of all its digits."""
    if value.is_nan():
        return writer.node("constant", "NaN")
    if value.is_infinite():
        return writer.node("constant", "NegativeInfinity" if value < 0 else "Infinity")
    digits = max(_LEAST_DIGITS, len(value.as_tuple().digits))
    writer.precision(int(_DIGIT_BITS * max(digits, abs(value.adjusted()))))
    return write_real(writer, sympy.Float(str(value), digits), depth)


def _write_binary(writer: Writer, mpf: tuple[Any, ...], precision: int) -> int:
    sign, mantissa, exponent = (int(part) for part in mpf[:3])
    if mantissa == 0 and exponent != 0:
        special = {mpmath.libmp.finf[2]: "Infinity", mpmath.libmp.fninf[2]: "NegativeInfinity"}
        return writer.node("constant", special.get(exponent, "NaN"))
    writer.precision(precision)
    writer.precision(0 if abs(exponent) < _MOST_EXPONENT else abs(exponent))
    return writer.node("real", writer.integer(-mantissa if sign else mantissa), exponent, int(precision))


def build_real(reader: Reader, fields: list[Any], values: list[Any]) -> Any:
    mantissa = reader.integer(fields[0])
    exponent = reader.small(fields[1], -_MOST_EXPONENT, _MOST_EXPONENT)
    precision = reader.small(fields[2], 1, int(reader.limits.bits))
    number = mpmath.libmp.from_man_exp(mantissa, exponent, precision, "n")
    return sympy.Float._new(number, precision, zero=False)


INTEGERS = (int, *(np.dtype(code).type for code in "bhilqBHILQ"))
FLOATS = (float, np.float16, np.float32, np.float64, np.longdouble)
COMPLEXES = (complex, np.complex64, np.complex128, np.clongdouble)
RATIONALS = (sympy.Rational, sympy.Integer, *(type(sympy.Rational(p, 2)) for p in (-2, 0, 1, 2)))

WRITERS: dict[type, Any] = {
    **dict.fromkeys(INTEGERS, write_int),
    **dict.fromkeys((bool, np.bool_), write_bool),
    **dict.fromkeys(FLOATS, write_float),
    **dict.fromkeys(COMPLEXES, write_complex),
    **dict.fromkeys(RATIONALS, write_rational),
    **dict.fromkeys((mpmath.mpf, type(mpmath.pi)), write_mpf),
    fractions.Fraction: write_fraction,
    decimal.Decimal: write_decimal,
    mpmath.mpc: write_mpc,
    sympy.Float: write_real,
}
BUILDERS = {
    "int": (1, build_int),
    "bool": (1, build_bool),
    "float": (1, build_float),
    "complex": (2, build_complex),
    "integer": (1, build_integer),
    "rational": (2, build_rational),
    "real": (3, build_real),
}
