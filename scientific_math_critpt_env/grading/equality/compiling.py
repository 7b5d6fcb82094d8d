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
from sympy import Add, Basic, Expr, I, Integer, Mul, Pow, Symbol
from sympy.core.function import AppliedUndef, Function

from scientific_math_critpt_env.grading.equality.arithmetic import (
    NO_VALUE_ERRORS,
    Evaluate,
    constant,
    from_sympy,
    general_power,
    integer_power,
    multiplied,
    rooted,
    summed,
    to_sympy,
)
from scientific_math_critpt_env.grading.equality.calls import IN_UNITS_OF_PI, call, multiple_of_pi
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Number, Trace, simplest
from scientific_math_critpt_env.grading.equality.functions import CUT_ON_NEGATIVE, FUNCTIONS


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
                    done = _once(done)
                elif self._uses[node] > 1:
                    done = _shared(node, done)
            self._done[node] = done
        return done

    def _plain(self, node: Basic) -> Evaluate:
        if isinstance(node, Symbol):
            return lambda frame: frame.values[node]
        if isinstance(node, sympy.Number | sympy.NumberSymbol) or node is I:
            return constant(node)
        if isinstance(node, Add):
            return summed([self.compile(term) for term in node.args])
        if isinstance(node, Mul):
            return multiplied([self.compile(factor) for factor in node.args])
        if isinstance(node, Pow):
            return self._power(node)
        for kinds, build in SPECIAL.items():
            if isinstance(node, kinds):
                return build(self, node)
        if isinstance(node, AppliedUndef):
            raise NoValue("an undefined function was not replaced")
        if isinstance(node, Function):
            return self.plain_function(node)
        return self.leftto_sympy(node)

    def _power(self, node: Pow) -> Evaluate:
        base, exponent = node.args
        power = self.compile(base)
        if isinstance(exponent, Integer):
            return integer_power(power, int(exponent))
        if exponent == sympy.S.Half:
            return rooted(power, mp.sqrt)
        if base is sympy.E:
            return self.plain_function(sympy.exp(exponent, evaluate=False))
        return general_power(power, self.compile(exponent))

    def plain_function(self, node: Expr) -> Evaluate:
        kind = type(node)
        angle = multiple_of_pi(node)
        if angle is not None:
            # Never next to 1 without being 1: sympy.Abs stands for "entire, nothing special".
            return call(IN_UNITS_OF_PI[kind], [self.compile(angle)], sympy.Abs, on_negative=False)
        implementation = FUNCTIONS.get(kind)
        if implementation is None:
            return self.leftto_sympy(node)
        on_negative = kind in CUT_ON_NEGATIVE and bool(node.args[-1].free_symbols)
        arguments = [self.compile(argument) for argument in node.args]
        return call(implementation, arguments, kind, on_negative=on_negative)

    def leftto_sympy(self, node: Basic) -> Evaluate:
        """Evaluate `node` by SymPy with its arguments as numbers: rare functions, one call per point."""
        if not isinstance(node, Expr) or not node.args:
            raise NoValue(f"{type(node).__name__} has no numerical value")
        arguments = [self.compile(argument) for argument in node.args]

        def value(frame: Frame) -> Number:
            numbers = [to_sympy(argument(frame)) for argument in arguments]
            try:
                result = node.func(*numbers).evalf(mp.dps + 5)
                return simplest(from_sympy(result))
            except NO_VALUE_ERRORS as error:
                raise NoValue(str(error)) from error

        return value


SPECIAL: dict[type[Basic] | tuple[type[Basic], ...], Callable[[Compiler, Basic], Evaluate]] = {}
"""Node types that other modules compile (conditions, jumps, sums, integrals), filled at their import."""


def _once(evaluate: Evaluate) -> Evaluate:
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
