"""Comparing what a check computed with what the gold says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

RTOL = 1e-9
"""Relative tolerance where a check names none: well below any plausible slip in a formula."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values that must agree: numbers, strings, booleans, or nested containers of these."""

    computed: Any
    expected: Any
    rtol: float
    atol: float

    def error(self) -> float:
        """Largest error in units of the tolerance (0 exact, above 1 disagreement, inf for shape or kind)."""
        return _error(self.computed, self.expected, self.rtol, self.atol)


def same(computed: Any, expected: Any, *, rtol: float = RTOL, atol: float = 0.0) -> Comparison:
    """Say that two values must agree; `expected` is what comes from the gold."""
    return Comparison(computed, expected, rtol, atol)


def _error(left: Any, right: Any, rtol: float, atol: float) -> float:
    if isinstance(left, str | bool) or isinstance(right, str | bool):
        return 0.0 if type(left) is type(right) and left == right else float("inf")
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        if left.keys() != right.keys():
            return float("inf")
        return max((_error(left[key], right[key], rtol, atol) for key in left), default=0.0)
    if isinstance(left, set | frozenset) and isinstance(right, set | frozenset):
        return _set_error(list(left), list(right), rtol, atol)
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        if len(left) != len(right):
            return float("inf")
        return max((_error(a, b, rtol, atol) for a, b in zip(left, right, strict=True)), default=0.0)
    if any(isinstance(side, Mapping | set | frozenset | tuple | list) for side in (left, right)):
        return float("inf")
    return _number_error(left, right, rtol, atol)


def _set_error(left: list[Any], right: list[Any], rtol: float, atol: float) -> float:
    """Pair each element with the nearest one left over; golds' elements lie far apart."""
    if len(left) != len(right):
        return float("inf")
    worst = 0.0
    for element in left:
        errors = [_error(element, other, rtol, atol) for other in right]
        nearest = errors.index(min(errors))
        worst = max(worst, errors[nearest])
        del right[nearest]
    return worst


def _number_error(left: Any, right: Any, rtol: float, atol: float) -> float:
    a, b = number(left), number(right)
    if mpmath.isinf(a) or mpmath.isinf(b):
        return 0.0 if a == b else float("inf")
    allowed = atol + rtol * max(abs(a), abs(b))
    difference = abs(a - b)
    if difference == 0:
        return 0.0
    error = float(difference / allowed) if allowed else float("inf")
    return float("inf") if error != error else error


def number(value: Any) -> Any:
    """A SymPy, NumPy, Fraction or Python number as an mpmath number.

    Raises:
        TypeError: it is none of these.
    """
    if isinstance(value, sympy.Basic):
        real, imaginary = sympy.N(value, mpmath.mp.dps).as_real_imag()
        parts = [part._to_mpmath(mpmath.mp.prec) for part in (real, imaginary)]
        return parts[0] if parts[1] == 0 else mpmath.mpc(*parts)
    if hasattr(value, "numerator") and hasattr(value, "denominator"):
        return mpmath.mpf(int(value.numerator)) / int(value.denominator)
    return mpmath.mpmathify(value)
