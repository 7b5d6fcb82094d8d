"""Expressions become closures that evaluate them with mpmath, at any precision and any point.

Why not `evalf` or lambdify: `evalf` drops imaginary parts of sums and loses digits silently, lambdify prints
`I` in double precision and executes names. Here SymPy's own evaluation is used only for what is left over.
Noise is treated as what it is: a sum whose terms cancel to the last bits is 0, and says so in the trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Add, Basic, Expr, I, Integer, Mul, Pow, Rational, Symbol, pi
from sympy.core.function import AppliedUndef, Function

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
from scientific_math_critpt_env.grading.equality.functions import CUT_ON_NEGATIVE, ENTIRE, FUNCTIONS

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

GAMMA_BITS = 40
"""The same for arguments of gamma and its relatives."""


def compiled(expression: Basic) -> Evaluate:
    """A function from `Frame` to the value (`mpf`, or `mpc` with a nonzero imaginary part).

    Raises `NoValue` where there is none, `Undefined` where the expression itself leaves it open.
    """
    return Compiler(expression).compile(expression)


def compiled_pair(left: Basic, right: Basic) -> tuple[Evaluate, Evaluate]:
    """The same for two expressions; what they have in common is evaluated once."""
    compiler = Compiler(left, right)
    return compiler.compile(left), compiler.compile(right)


class Compiler:
    """Compiles trees; subexpressions that occur again are evaluated once per frame."""

    def __init__(self, *expressions: Basic) -> None:
        self._uses: Counter[Basic] = Counter()
        for expression in expressions:
            self._count(expression)
        self._done: dict[Basic, Evaluate] = {}

    def _count(self, node: Basic) -> None:
        self._uses[node] += 1
        if self._uses[node] == 1:
            for argument in node.args:
                self._count(argument)

    def compile(self, node: Basic) -> Evaluate:
        done = self._done.get(node)
        if done is None:
            done = self._plain(node)
            if node.args:
                if not node.free_symbols:
                    done = _constant(done)
                elif self._uses[node] > 1:
                    done = _shared(node, done)
            self._done[node] = done
        return done

    def _plain(self, node: Basic) -> Evaluate:
        if isinstance(node, Symbol):
            return lambda frame: frame.values[node]
        if isinstance(node, sympy.Number | sympy.NumberSymbol) or node is I:
            return _number(node)
        if isinstance(node, Add):
            return _sum([self.compile(term) for term in node.args])
        if isinstance(node, Mul):
            return _product([self.compile(factor) for factor in node.args])
        if isinstance(node, Pow):
            return self._power(node)
        for kinds, build in SPECIAL.items():
            if isinstance(node, kinds):
                return build(self, node)
        if isinstance(node, AppliedUndef):
            raise NoValue("an undefined function was not replaced")
        if isinstance(node, Function):
            return self.plain_function(node)
        return self.left_to_sympy(node)

    def _power(self, node: Pow) -> Evaluate:
        base, exponent = node.args
        power = self.compile(base)
        if isinstance(exponent, Integer):
            return _integer_power(power, int(exponent))
        if exponent == sympy.S.Half:
            return _root(power, mp.sqrt)
        if base is sympy.E:
            return self.plain_function(sympy.exp(exponent, evaluate=False))
        return _general_power(power, self.compile(exponent))

    def plain_function(self, node: Expr) -> Evaluate:
        kind = type(node)
        angle = _multiple_of_pi(node)
        if angle is not None:
            # Never next to 1 without being 1: sympy.Abs stands for "entire, nothing special".
            return _call(_IN_UNITS_OF_PI[kind], [self.compile(angle)], sympy.Abs, on_negative=False)
        implementation = FUNCTIONS.get(kind)
        if implementation is None:
            return self.left_to_sympy(node)
        on_negative = kind in CUT_ON_NEGATIVE and bool(node.args[-1].free_symbols)
        arguments = [self.compile(argument) for argument in node.args]
        return _call(implementation, arguments, kind, on_negative=on_negative)

    def left_to_sympy(self, node: Basic) -> Evaluate:
        """Evaluate `node` by SymPy with its arguments as numbers: rare functions, one call per point."""
        if not isinstance(node, Expr) or not node.args:
            raise NoValue(f"{type(node).__name__} has no numerical value")
        arguments = [self.compile(argument) for argument in node.args]

        def value(frame: Frame) -> Number:
            numbers = [_to_sympy(argument(frame)) for argument in arguments]
            try:
                result = node.func(*numbers).evalf(mp.dps + 5)
                return simplest(from_sympy(result))
            except NO_VALUE_ERRORS as error:
                raise NoValue(str(error)) from error

        return value


SPECIAL: dict[type[Basic] | tuple[type[Basic], ...], Callable[[Compiler, Basic], Evaluate]] = {}
"""Node types that other modules compile (conditions, jumps, sums, integrals), filled at their import."""


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


def _to_sympy(value: Number) -> Expr:
    if is_complex(value):
        return _to_sympy(value.real) + I * _to_sympy(value.imag)
    if mp.isint(value):
        return Integer(int(value))
    return sympy.Float._new(value._mpf_, mp.prec)


def _number(node: Basic) -> Evaluate:
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


def _constant(evaluate: Evaluate) -> Evaluate:
    """A subexpression without symbols: once per precision, with its doubts."""
    kept: dict[tuple[int, int], tuple[Number, Trace]] = {}

    def value(frame: Frame) -> Number:
        key = (mp.prec, frame.trace.quadrature_digits)
        found = kept.get(key)
        if found is None:
            inner = Frame({}, Trace(quadrature_digits=frame.trace.quadrature_digits))
            found = kept[key] = (evaluate(inner), inner.trace)
        frame.trace.merge(found[1])
        return found[0]

    return value


def _shared(node: Basic, evaluate: Evaluate) -> Evaluate:
    def value(frame: Frame) -> Number:
        number = frame.memo.get(node)
        if number is None:
            number = frame.memo[node] = evaluate(frame)
        return number

    return value


def _sum(terms: list[Evaluate]) -> Evaluate:
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


def _product(factors: list[Evaluate]) -> Evaluate:
    def value(frame: Frame) -> Number:
        result = factors[0](frame)
        for factor in factors[1:]:
            result = result * factor(frame)
        return result if not is_complex(result) or result.imag else result.real

    return value


def _integer_power(base: Evaluate, exponent: int) -> Evaluate:
    if exponent.bit_length() > EXPONENT_BITS:
        raise NoValue("exponent too large")

    def value(frame: Frame) -> Number:
        number = base(frame)
        if not number and exponent < 0:
            raise NoValue("division by zero")
        result = 1 / number if exponent == -1 else number**exponent
        return result if not is_complex(result) or result.imag else result.real

    return value


def _root(base: Evaluate, root: Callable[[Number], Number]) -> Evaluate:
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


def _general_power(base: Evaluate, exponent: Evaluate) -> Evaluate:
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


_IN_UNITS_OF_PI: dict[type[Basic], Callable[[Number], Number]] = {
    sympy.sin: mp.sinpi,
    sympy.cos: mp.cospi,
    sympy.tan: lambda x: mp.sinpi(x) / mp.cospi(x),
    sympy.cot: lambda x: mp.cospi(x) / mp.sinpi(x),
    sympy.sec: lambda x: 1 / mp.cospi(x),
    sympy.csc: lambda x: 1 / mp.sinpi(x),
    sympy.exp: mp.expjpi,
}


def _multiple_of_pi(node: Expr) -> Expr | None:
    """x where the node is sin(pi*x) and the like, or exp(I*pi*x): exact zeros stay exact."""
    if type(node) not in _IN_UNITS_OF_PI:
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


def _call(
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
