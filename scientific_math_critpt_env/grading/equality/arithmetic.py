"""Values of numbers, sums, products and powers; noise is treated as what it is.

A sum whose terms cancel to the last bits is 0, and says so in the trace.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Basic, Expr, I, Integer, Rational

from scientific_math_critpt_env.grading.equality.frame import (
    NOWHERE,
    SNAP_BITS,
    Frame,
    NoValue,
    Number,
    Trace,
    cleaned,
    is_complex,
    magnitude,
    simplest,
)

Evaluate = Callable[[Frame], Number]

NO_VALUE_ERRORS = (
    ValueError,
    ZeroDivisionError,
    OverflowError,
    ArithmeticError,
    NotImplementedError,
    TypeError,
    AttributeError,
    IndexError,
    KeyError,
    RecursionError,
    mp.NoConvergence,
)
"""What mpmath (and SymPy's evaluation of single functions) raises where there is no value, poles included."""

EXPONENT_BITS = 40
"""exp(x), sinh(x), b**x with |x| above 2**40 are not evaluated: exponents themselves become large numbers."""


def from_sympy(value: Basic) -> Number:
    """A numerical SymPy value at the present precision; raises `NoValue` for anything else."""
    if isinstance(value, Rational):
        return mp.mpf(value.p) / value.q if value.q != 1 else mp.mpf(value.p)
    if isinstance(value, sympy.Number | sympy.NumberSymbol):
        if not value.is_finite:
            raise NoValue("not finite")
        return mp.make_mpf(value._as_mpf_val(mp.prec))
    re, im = value.as_real_imag()
    if isinstance(re, sympy.Number) and isinstance(im, sympy.Number) and re.is_finite and im.is_finite:
        return mp.mpc(from_sympy(re), from_sympy(im))
    raise NoValue("SymPy gives no number")


def to_sympy(value: Number) -> Expr:
    if is_complex(value):
        return to_sympy(value.real) + I * to_sympy(value.imag)
    if mp.isint(value):
        return Integer(int(value))
    return sympy.Float._new(value._mpf_, mp.prec)


def constant(node: Basic) -> Evaluate:
    if node is I:
        return lambda frame: mp.j
    if not node.is_finite:
        raise NoValue(f"{node} has no finite value")
    kept: dict[int, Number] = {}

    def value(frame: Frame) -> Number:
        number = kept.get(mp.prec)
        if number is None:
            number = kept[mp.prec] = from_sympy(node)
        return number

    return value


def summed(terms: list[Evaluate]) -> Evaluate:
    def value(frame: Frame) -> Number:
        return added([term(frame) for term in terms], frame.trace)

    return value


def added(numbers: list[Number], trace: Trace) -> Number:
    """The sum; components that cancel down to noise are 0. Notes that, and invisible terms."""
    sizes = [magnitude(number) for number in numbers]
    largest = max(sizes)
    if not all(map(mp.isfinite, numbers)):
        raise NoValue("an infinite term")
    if largest == NOWHERE:
        return mp.zero
    smallest = min(size for size in sizes if size != NOWHERE)
    if largest - smallest > trace.spread_bits:
        trace.spread_bits = largest - smallest
    total = numbers[0]
    for number in numbers[1:]:
        total = total + number
    if not trace.snaps:
        return total
    if not is_complex(total):
        return _settled(total, largest, trace)
    re = _settled(total.real, largest, trace) if total.real else mp.zero
    im = _settled(total.imag, largest, trace) if total.imag else mp.zero
    if not re and not im:
        trace.noise = max(trace.noise, largest - mp.prec + SNAP_BITS)
    return mp.mpc(re, im) if im else re


def _settled(total: Number, largest: int, trace: Trace) -> Number:
    """One component of a sum whose largest term has binary exponent `largest`; 0 where only noise is left.

    The noise of one component is that of the whole: a product of two complex roots that should be 1 has
    an imaginary part of the last bit.
    """
    floor = largest - mp.prec + SNAP_BITS
    if magnitude(total) > floor:
        return total
    trace.noise = max(trace.noise, floor)
    return mp.zero


def multiplied(factors: list[Evaluate]) -> Evaluate:
    def value(frame: Frame) -> Number:
        result = factors[0](frame)
        for factor in factors[1:]:
            result = result * factor(frame)
        return result if not is_complex(result) or result.imag else result.real

    return value


def integer_power(base: Evaluate, exponent: int) -> Evaluate:
    if exponent.bit_length() > EXPONENT_BITS:
        raise NoValue("exponent too large")

    def value(frame: Frame) -> Number:
        number = base(frame)
        if not number and exponent < 0:
            raise NoValue("division by zero")
        result = 1 / number if exponent == -1 else number**exponent
        return result if not is_complex(result) or result.imag else result.real

    return value


def rooted(base: Evaluate, root: Callable[[Number], Number]) -> Evaluate:
    def value(frame: Frame) -> Number:
        number = _off_the_cut(base(frame), frame.trace)
        return root(number)

    return value


def _off_the_cut(number: Number, trace: Trace) -> Number:
    """The argument of a root or a logarithm, with what is next to or on the negative axis noted."""
    if is_complex(number):
        number = cleaned(number, trace)
        if is_complex(number):
            return number
    if number < 0:
        trace.on_cut = True
    return number


def general_power(base: Evaluate, exponent: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        power = exponent(frame)
        number = base(frame)
        if not is_complex(power) and mp.isint(power):
            if magnitude(power) > EXPONENT_BITS or (not number and power < 0):
                raise NoValue("no finite power")
            result = number ** int(power)
            return result if not is_complex(result) or result.imag else result.real
        if not number:
            if mp.re(power) > 0:
                return mp.zero
            raise NoValue("0 to a power that is not positive")
        number = _off_the_cut(number, frame.trace)
        if magnitude(power) + abs(magnitude(number)).bit_length() > EXPONENT_BITS:
            raise NoValue("exponent too large")
        return simplest(mp.power(number, power))

    return value
