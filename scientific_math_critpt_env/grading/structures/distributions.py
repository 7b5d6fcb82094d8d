"""Distributions on a line: combinations of delta functions and their derivatives, beside regular functions.

A probe at points would find a delta to be 0 everywhere. So both sides are reduced to
`regular + sum of coefficient * delta^(k)(x - a)`, as their pairings with test functions have it:
g(x)*delta'(x-a) = g(a)*delta'(x-a) - g'(a)*delta(x-a), and delta(f(x)) is the sum of delta(x-a)/|f'(a)| over
the simple roots; then the regular parts and all coefficients are compared. The variable is real. What has no
meaning as a distribution (a product of two deltas of one variable, a delta at a jump) is equal to itself
only.
"""

from __future__ import annotations

from sympy import Derivative, DiracDelta, Dummy, Expr, Heaviside, Integral, S, SingularityFunction, Symbol

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import (
    Compare,
    Part,
    shape_mismatch,
    short,
    weakest_method,
)
from scientific_math_critpt_env.grading.structures.conventions import CONVENTIONAL
from scientific_math_critpt_env.grading.structures.deltas import Reduced, reduce_deltas
from scientific_math_critpt_env.grading.structures.kinds import kind_of

REDUCTION_SECONDS = 0.8
"""CPU for bringing one side to its reduced form; roots of the arguments are the costly part."""


def compare_distributions(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Two expressions of which at least one contains a delta or singularity function."""
    left, right = as_scalar(gold), as_scalar(answer)
    if left is None or right is None:
        return shape_mismatch("one side is no expression")
    if left == right:
        return equal("structural")
    written = attempt(lambda: (_in_deltas(left), _in_deltas(right)), context)
    if written is None:
        return undecided("a distribution that cannot be written in delta functions")
    return _compare_written(*written, compare, context)


def _compare_written(left: Expr, right: Expr, compare: Compare, context: Context) -> Finding:
    if left == right:
        return equal("symbolic:distribution")
    variable = _variable(left * Dummy() + right)
    if variable is None:
        if "distribution" in (kind_of(left), kind_of(right)):
            return undecided("delta functions without a variable, or a derivative that stays one")
        return compare(left, right, context)
    # A delta of a complex variable has no meaning, so the variable is real whatever is declared.
    real = Dummy(variable.name, real=True)
    sides = left.xreplace({variable: real}), right.xreplace({variable: real})
    reduced = attempt(
        lambda: (reduce_deltas(sides[0], real), reduce_deltas(sides[1], real)), context, REDUCTION_SECONDS
    )
    if reduced is None:
        return undecided("a product or composition that is not defined for distributions")
    return _compare_reduced(*reduced, variable, compare, context)


def _in_deltas(expression: Expr) -> Expr:
    """Integrals, derivatives and singularity functions carried out, the value at a jump forgotten."""
    if expression.has(Derivative, Integral):
        expression = expression.doit()
    expression = expression.replace(SingularityFunction, _singularity)
    return expression.replace(Heaviside, lambda argument, *_: Heaviside(argument))


def _singularity(variable: Expr, offset: Expr, exponent: Expr) -> Expr:
    argument = variable - offset
    if exponent.is_nonnegative:
        return argument**exponent * Heaviside(argument)
    if exponent.is_Integer:
        return DiracDelta(argument, -exponent - 1) if exponent < -1 else DiracDelta(argument)
    raise NotImplementedError("a singularity function of unknown exponent")


def _variable(expression: Expr) -> Symbol | None:
    """A symbol in the deltas' arguments, if possible in all of them; the others are parameters of it."""
    arguments = [delta.args[0].free_symbols for delta in expression.atoms(DiracDelta)]
    symbols = set.intersection(*arguments) if arguments else set()
    return min(symbols or set().union(*arguments), key=_likelihood, default=None)


def _likelihood(symbol: Symbol) -> tuple[bool, int, str]:
    """Variables have usual names, and parameters have a declared sign."""
    usual = CONVENTIONAL.index(symbol.name) if symbol.name in CONVENTIONAL else len(CONVENTIONAL)
    return symbol.is_nonzero is True, usual, symbol.name


def _compare_reduced(
    left: Reduced, right: Reduced, variable: Symbol, compare: Compare, context: Context
) -> Finding:
    parts: list[Part] = [("the regular part", compare(left.regular, right.regular, context))]
    for place, ours, theirs in _places(left, right, compare, context):
        for order in sorted({*ours, *theirs}):
            primes = "'" * order
            name = f"the coefficient of delta{primes} at {variable} = {short(place)}"
            parts.append((name, compare(ours.get(order, S.Zero), theirs.get(order, S.Zero), context)))
    for relation, make in (("different", different), ("undecided", None)):
        for name, finding in parts:
            if finding.relation == relation:
                reason = f"{name}: {finding.reason}"
                return make(finding.method, reason) if make else undecided(reason, finding.method)
    return equal(weakest_method([finding for _, finding in parts]), "the same reduced distribution")


def _places(
    left: Reduced, right: Reduced, compare: Compare, context: Context
) -> list[tuple[Expr, dict[int, Expr], dict[int, Expr]]]:
    """Supports of both sides with their coefficients, equal supports put together."""
    places: list[tuple[Expr, dict[int, Expr], dict[int, Expr]]] = []
    for side, source in enumerate((left.deltas, right.deltas)):
        for place, coefficients in source.items():
            for known in places:
                if known[0] == place or compare(known[0], place, context).relation == "equal":
                    target = known[1 + side]
                    break
            else:
                places.append((place, {}, {}))
                target = places[-1][1 + side]
            for order, coefficient in coefficients.items():
                target[order] = target.get(order, 0) + coefficient
    return places
