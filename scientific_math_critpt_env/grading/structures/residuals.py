"""Relations as residuals: `left = right` as the zeros of left - right, and when two residuals say the same.

Equations may be multiplied by what cannot vanish: a nonzero number, a factor that the assumptions keep from
zero (exp(x), a positive symbol), and a denominator, since it cannot vanish where the equation has a meaning.
Unknown functions and their derivatives count as independent names, as in a differential equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Literal

import mpmath
from sympy import (
    Basic,
    Derivative,
    Dummy,
    Expr,
    Integral,
    Limit,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    cancel,
    cos,
    fraction,
    together,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.finding import Finding, different, equal, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.sampling import points, shown, value_at

POINTS = 8
"""Tried until one is found where neither residual vanishes."""

SOLVED_FOR = 4
"""Symbols tried for being solved for; unknown functions (`y(x) = ...`) come first."""

GUESS_DIGITS, LARGEST_DENOMINATOR = 15, 10**4
"""Of a guessed factor between equations; a wrong guess is refuted by the decision that follows."""

VANISHING = mpmath.mpf(10) ** -30
"""Below this a residual at a random rational point is taken to be zero there (and the next point tried)."""

_BINDING = (Integral, Sum, Product, Limit)


@dataclass(frozen=True, slots=True)
class Proportion:
    """`answer` residual = factor * gold residual, and the sign of the factor where it is known."""

    finding: Finding
    sign: Literal[-1, 0, 1] = 0


def residuals(gold: Relational, answer: Relational, context: Context) -> tuple[Expr, Expr] | None:
    """left - right of both, unknown functions replaced alike; None if a side is no expression."""
    sides = []
    for relation in (gold, answer):
        if not all(isinstance(side, Expr) for side in relation.args):
            return None
        residual = relation.lhs - relation.rhs
        if residual.has(Derivative, Subs):
            residual = attempt(residual.doit, context) or residual
        sides.append(residual)
    names = _unknowns(sides)
    return sides[0].xreplace(names), sides[1].xreplace(names)


def proportion(
    gold: Expr, answer: Expr, context: Context, *, clear: bool = False, numbers_only: bool = False
) -> Proportion:
    """Whether the residuals are the same up to a nonzero factor.

    `clear` allows denominators to be cleared; `numbers_only` allows no factor that depends on symbols.
    """
    if gold == answer:
        return Proportion(equal("structural"), 1)
    if gold == -answer:
        return Proportion(equal("structural"), -1)
    solved = _solved_alike(gold, answer)
    if solved is not None:
        values, factor = solved
        finding = decide(*values, context)
        return Proportion(finding, 1 if factor.is_positive else -1 if factor.is_negative else 0)
    left, right = (_numerator(gold, context), _numerator(answer, context)) if clear else (gold, answer)
    constant = _constant_factor(left, right, context)
    if constant.finding.relation != "different" or numbers_only:
        return constant
    nonzero = _nonzero_factor(left, right, context)
    return nonzero or constant


def _solved_alike(gold: Expr, answer: Expr) -> tuple[tuple[Expr, Expr], Expr] | None:
    """Both solved for a symbol that enters each with a numerical coefficient, and the ratio of these.

    The factor between the residuals can only be that ratio then, so that the two values decide.
    """
    common = gold.free_symbols & answer.free_symbols
    for symbol in sorted(common, key=lambda s: (not isinstance(s, Dummy), s.name))[:SOLVED_FOR]:
        slopes = gold.diff(symbol), answer.diff(symbol)
        if all(slope.is_number and slope.is_zero is False for slope in slopes):
            rests = gold.xreplace({symbol: S.Zero}), answer.xreplace({symbol: S.Zero})
            return (-rests[0] / slopes[0], -rests[1] / slopes[1]), slopes[1] / slopes[0]
    return None


def _constant_factor(left: Expr, right: Expr, context: Context) -> Proportion:
    symbols = left.free_symbols | right.free_symbols
    if left.has(AppliedUndef) or right.has(AppliedUndef):
        return _rational_factor(left, right, context)
    source = points(symbols, seed=11)
    for _ in range(POINTS):
        point = next(source)
        a, b = value_at(left, point, context), value_at(right, point, context)
        if a is None or b is None:
            continue
        if min(abs(a), abs(b)) < VANISHING:
            if max(abs(a), abs(b)) < VANISHING:
                continue
            if _exactly_zero(left if abs(a) < VANISHING else right, point):
                side = "gold" if abs(a) < VANISHING else "answer"
                return Proportion(different("numeric", f"only the {side}'s relation holds at {shown(point)}"))
            continue
        finding = decide(right * left.xreplace(point), left * right.xreplace(point), context)
        identity = _identities(left, right, context) if finding.relation == "equal" else None
        return identity or _constant(finding, b / a)
    return _identities(left, right, context) or Proportion(
        undecided("no point where both sides have a value")
    )


def _identities(left: Expr, right: Expr, context: Context) -> Proportion | None:
    """Relations that hold everywhere are the same, and proportional to any; None where neither does."""
    held = [decide(side, S.Zero, context) for side in (left, right)]
    if all(finding.relation == "different" for finding in held):
        return None
    for finding in held:
        if finding.relation == "undecided":
            return Proportion(finding)
    if held[0].relation == held[1].relation:
        return Proportion(equal(held[0].method, "both hold identically"))
    return Proportion(different("numeric", "only one of the relations holds identically"))


def _rational_factor(left: Expr, right: Expr, context: Context) -> Proportion:
    """Where unknown functions stand under integrals: a factor guessed by concrete functions, then decided."""
    concrete = [side.replace(lambda n: isinstance(n, AppliedUndef), _concrete) for side in (left, right)]
    for point in islice(points(left.free_symbols | right.free_symbols, seed=11, real=True), POINTS):
        a, b = (value_at(side, point, context, GUESS_DIGITS) for side in concrete)
        if not a or not b:
            continue
        factor = Rational(str(mpmath.nstr((b / a).real, GUESS_DIGITS))).limit_denominator(LARGEST_DENOMINATOR)
        if factor == 0:
            continue
        return _constant(decide(right, factor * left, context), mpmath.mpc(factor))
    return Proportion(undecided("no point where both sides have a value"))


def _concrete(node: AppliedUndef) -> Expr:
    """A smooth function in place of an unknown one, another for every name."""
    seed = sum(map(ord, node.func.__name__)) % 7 + 1
    return cos(Rational(seed, 5) + sum((i + seed) * a for i, a in enumerate(node.args)))


def _constant(finding: Finding, factor: mpmath.mpc) -> Proportion:
    if finding.relation == "different":
        return Proportion(different(finding.method, "the sides are not a constant multiple of the gold's"))
    if finding.relation == "undecided":
        return Proportion(finding)
    reason = "" if factor == 1 else f"the same up to the factor {mpmath.nstr(factor, 6)}"
    if abs(factor.imag) > VANISHING * abs(factor):
        return Proportion(equal(finding.method, reason))
    return Proportion(equal(finding.method, reason), 1 if factor.real > 0 else -1)


def _nonzero_factor(left: Expr, right: Expr, context: Context) -> Proportion | None:
    factor = attempt(lambda: cancel(right / left), context)
    if factor is None:
        return None
    numerator, denominator = fraction(factor)
    if not (numerator.is_zero is False and denominator.is_zero is False):
        return None
    sign: Literal[-1, 0, 1] = 1 if factor.is_positive else -1 if factor.is_negative else 0
    return Proportion(equal("symbolic:factor", f"the same up to the nonzero factor {factor}"), sign)


def _exactly_zero(expression: Expr, point: dict[Basic, Expr]) -> bool:
    return bool(expression.xreplace(point).is_zero)


def _numerator(expression: Expr, context: Context) -> Expr:
    """The numerator in lowest terms: common factors of both parts must not count as zeros."""
    reduced = attempt(lambda: cancel(together(expression)), context)
    return fraction(reduced if reduced is not None else expression)[0]


def _unknowns(expressions: list[Expr]) -> dict[Basic, Symbol]:
    """Undefined functions and their derivatives -> symbols; none where one stands under an integral."""
    found: set[Basic] = set()
    for expression in expressions:
        found |= expression.atoms(AppliedUndef)
        found |= {d for d in expression.atoms(Derivative, Subs) if d.has(AppliedUndef)}
        if any(node.has(AppliedUndef) for node in expression.atoms(*_BINDING)):
            return {}
    ordered = sorted(found, key=lambda node: str(node))
    return {node: Dummy(f"unknown{i}") for i, node in enumerate(ordered)}
