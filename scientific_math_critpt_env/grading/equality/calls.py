"""Calls of functions: arguments cleaned, poles and cuts noted, hidden digits counted."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Basic, Expr, I, pi

from scientific_math_critpt_env.grading.equality.arithmetic import EXPONENT_BITS, NO_VALUE_ERRORS, Evaluate
from scientific_math_critpt_env.grading.equality.frame import (
    Frame,
    NoValue,
    Number,
    Trace,
    cleaned,
    is_complex,
    magnitude,
    simplest,
)
from scientific_math_critpt_env.grading.equality.functions import ENTIRE

GAMMA_BITS = 40
"""Arguments of gamma and its relatives above 2**40 are not evaluated."""


IN_UNITS_OF_PI: dict[type[Basic], Callable[[Number], Number]] = {
    sympy.sin: mp.sinpi,
    sympy.cos: mp.cospi,
    sympy.tan: lambda x: mp.sinpi(x) / mp.cospi(x),
    sympy.cot: lambda x: mp.cospi(x) / mp.sinpi(x),
    sympy.sec: lambda x: 1 / mp.cospi(x),
    sympy.csc: lambda x: 1 / mp.sinpi(x),
    sympy.exp: mp.expjpi,
}


def multiple_of_pi(node: Expr) -> Expr | None:
    """x where the node is sin(pi*x) and the like, or exp(I*pi*x): exact zeros stay exact."""
    if type(node) not in IN_UNITS_OF_PI:
        return None
    argument = node.args[0]
    if isinstance(node, sympy.exp):
        argument = argument.as_coefficient(I) if argument.has(I) else None
    return argument.as_coefficient(pi) if argument is not None and argument.has(pi) else None


_GROWS_FAST = {sympy.exp: EXPONENT_BITS, sympy.sinh: EXPONENT_BITS, sympy.cosh: EXPONENT_BITS}
_GROWS_FAST |= {sympy.tanh: EXPONENT_BITS, sympy.coth: EXPONENT_BITS, sympy.sech: EXPONENT_BITS}
_GROWS_FAST |= {sympy.csch: EXPONENT_BITS, sympy.gamma: GAMMA_BITS, sympy.factorial: GAMMA_BITS}
_GROWS_FAST |= {sympy.erf: 20, sympy.erfc: 20, sympy.erfi: 20, sympy.loggamma: 200, sympy.zeta: 20}
_TRIG_BITS = 2000
"""sin(x) for |x| above 2**2000 would need that many digits of pi."""

GROWS_LIKE_EXP = (sympy.cosh, sympy.sinh, sympy.Shi, sympy.Chi, sympy.lowergamma, sympy.besseli)

SATURATES = frozenset(
    {sympy.tanh, sympy.coth, sympy.tan, sympy.cot, sympy.erf, sympy.zeta, sympy.exp}
    | {sympy.cos, sympy.sin, sympy.cosh, sympy.sinh, sympy.Shi, sympy.Chi, sympy.lowergamma, sympy.besseli}
)
"""Functions that come so close to 1 that the rest of their value drops below the working precision."""


def call(
    implementation: Callable[..., Number],
    arguments: list[Evaluate],
    kind: type[Basic],
    *,
    on_negative: bool,
) -> Evaluate:
    limit = _GROWS_FAST.get(kind, _TRIG_BITS)
    entire = kind in ENTIRE

    def value(frame: Frame) -> Number:
        numbers = [argument(frame) for argument in arguments]
        if not entire:
            numbers = [cleaned(number, frame.trace) for number in numbers]
            if on_negative and not is_complex(numbers[-1]) and numbers[-1] < 0:
                frame.trace.on_cut = True
        if any(magnitude(number) > limit or not mp.isfinite(number) for number in numbers):
            if kind is sympy.exp and not frame.trace.snaps and mp.re(numbers[0]) < 0:
                return mp.zero  # far out in an integral
            raise NoValue("argument too large")
        if kind in HAS_POLES and mp.isint(numbers[0]) and HAS_POLES[kind](numbers[0]):
            return mp.inf
        try:
            result = simplest(implementation(*numbers))
        except NO_VALUE_ERRORS as error:
            raise NoValue(str(error)) from error
        if kind in SATURATES and numbers[0]:
            _note_saturation(result, numbers[-1], kind, frame.trace)
        return result

    return value


HAS_POLES: dict[type[Basic], Callable[[Number], bool]] = {
    sympy.gamma: lambda x: mp.re(x) <= 0,
    sympy.factorial: lambda x: mp.re(x) < 0,
}
"""Functions whose poles are infinities here, so that their reciprocals are the zeros that they are."""


def _note_saturation(result: Number, argument: Number, kind: type[Basic], trace: Trace) -> None:
    if kind in GROWS_LIKE_EXP:
        # cosh(x), sinh(x) and exp(x)/2 agree to 2*x/log(2) bits, lowergamma(s, x) and gamma(s) to x/log(2).
        hidden = _triple(mp.re(argument))
    elif kind in (sympy.tan, sympy.cot):
        # tan(x + I*y) misses I or -I by exp(-2*y).
        hidden = _triple(mp.im(argument))
    else:
        hidden = _triple(mp.im(argument)) if kind in (sympy.cos, sympy.sin) else 0
        rest = min(abs(result - 1), abs(result + 1))
        hidden = max(hidden, -magnitude(rest) if rest else mp.prec)
    if hidden > max(trace.spread_bits, mp.prec // 2):
        trace.spread_bits = hidden


def _triple(size: Number) -> int:
    """Bits that an exponential of twice this size spans, a little more."""
    return int(min(3 * abs(size), 1 << 40))
