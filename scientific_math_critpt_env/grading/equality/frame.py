"""What an evaluation at one point carries along: values of symbols, and how far its digits are good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from mpmath import mp
from sympy import Basic, Symbol

Number: TypeAlias = Any
"""`mpf` or `mpc` of mpmath's global context (its classes are made at run time, so no static type fits)."""

SNAP_BITS = 12
"""Last bits of the working precision that count as rounding noise."""

NEAR_BITS = 50
"""A component this many bits below its partner is not generic: the point is next to a branch cut."""

INVISIBLE_MARGIN_BITS = 66
"""A term is resolved when at least this many bits (20 digits) of it reach the sum."""

QUADRATURE_SPREAD_BITS = 30
"""The same where a side was integrated numerically: 15 digits are good, and 6 of them must be left."""

QUADRATURE_DIGITS = 30
"""Working digits of numerical integrals and slow sums; twice as many take ten times as long."""

NOWHERE = -(1 << 62)
"""Binary exponent of zero."""


class NoValue(Exception):
    """The expression has no value that can be computed at this point (pole, divergence, unsupported)."""


class Undefined(NoValue):
    """The expression is undefined here by its own statement: no branch of a Piecewise holds."""


class Trace:
    """Doubts about the digits of one evaluation."""

    __slots__ = (
        "boundary",
        "near_cut",
        "noise",
        "on_cut",
        "quadrature",
        "quadrature_digits",
        "snaps",
        "spread_bits",
    )

    def __init__(self, *, snaps: bool = True, quadrature_digits: int = QUADRATURE_DIGITS) -> None:
        self.quadrature_digits = quadrature_digits
        """Working digits of numerical integrals and slow sums."""
        self.snaps = snaps
        """Whether sums that cancel to noise are taken for 0 (not so next to the end of an integral)."""
        self.noise = NOWHERE
        """Binary exponent of the largest residue that was taken for 0."""
        self.spread_bits = 0
        """Largest ratio, in bits, between the terms of one sum: smaller terms may be invisible."""
        self.near_cut = False
        """An argument lay next to a branch cut or a jump without lying on it."""
        self.on_cut = False
        """An argument lay exactly on a branch cut."""
        self.boundary = False
        """A jump (floor, sign, a condition) was decided by a difference that is rounding noise."""
        self.quadrature = False
        """A value came from numerical integration or summation: fewer digits are good."""

    def merge(self, other: Trace) -> None:
        """Add the doubts of a part without symbols (nothing moves it off a cut that it lies on)."""
        self.noise = max(self.noise, other.noise)
        self.spread_bits = max(self.spread_bits, other.spread_bits)
        self.near_cut |= other.near_cut
        self.boundary |= other.boundary
        self.quadrature |= other.quadrature

    @property
    def resolved(self) -> bool:
        """Whether every term of every sum reaches the result with at least 20 digits."""
        if self.quadrature:
            return self.spread_bits <= QUADRATURE_SPREAD_BITS
        return self.spread_bits + INVISIBLE_MARGIN_BITS <= mp.prec


class Frame:
    """Values of the symbols at one point, results of shared subexpressions, and the trace."""

    __slots__ = ("memo", "trace", "values")

    def __init__(self, values: Mapping[Symbol, Number], trace: Trace | None = None) -> None:
        self.values = values
        self.memo: dict[Basic, Number] = {}
        self.trace = trace if trace is not None else Trace()

    def bound(self, symbol: Symbol, value: Number) -> Frame:
        """The frame of a summand or an integrand: one more symbol has a value, and doubts are its own.

        Thousands of these go into one number; what a term loses at an end point says nothing about the sum.
        """
        return Frame(
            {**self.values, symbol: value}, Trace(snaps=False, quadrature_digits=self.trace.quadrature_digits)
        )


def magnitude(value: Number) -> int:
    """Binary exponent: the value lies in [2**(m-1), 2**m), up to the partner component."""
    if hasattr(value, "_mpf_"):
        _, mantissa, exponent, bits = value._mpf_
        return exponent + bits if mantissa else NOWHERE
    (_, re_man, re_exp, re_bits), (_, im_man, im_exp, im_bits) = value._mpc_
    return max(re_exp + re_bits if re_man else NOWHERE, im_exp + im_bits if im_man else NOWHERE)


def is_complex(value: Number) -> bool:
    """Whether the value has an imaginary component at all."""
    return hasattr(value, "_mpc_")


def simplest(value: Number) -> Number:
    """The value as a real number where its imaginary part is exactly 0; raises `NoValue` unless finite."""
    if is_complex(value):
        if not value.imag:
            value = value.real
        elif not mp.isfinite(value):
            raise NoValue("not finite")
        else:
            return value
    if not mp.isfinite(value):
        raise NoValue("not finite")
    return value


def cleaned(value: Number, trace: Trace) -> Number:
    """The argument of a function with a component that is rounding noise removed, and near cuts noted."""
    if not is_complex(value):
        return value
    re_size, im_size = magnitude(value.real), magnitude(value.imag)
    gap = re_size - im_size
    noise = mp.prec - SNAP_BITS
    if gap > noise:
        return value.real
    if -gap > noise:
        return mp.mpc(0, value.imag)
    if abs(gap) > NEAR_BITS:
        trace.near_cut = True
    return value
